import linksTexts from 'texts:portal-links';
import ordersTexts from 'texts:portal-orders';
import moneyTexts from 'texts:portal-money';
import profileTexts from 'texts:portal-profile';
import { Link, Route, Switch, useLocation } from 'wouter-preact';
import { isSuspended, useSession } from '../session.ts';
import { ProfileIcon } from '../ui/icons.tsx';
import { siteLogo } from '../frame/site-logo.ts';
import { SiteMark } from '../ui/site-mark.tsx';
import { CountMark } from '../ui/count-mark.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Notice } from '../ui/notice.tsx';
import { t } from '../words.ts';
import { PageStatus } from '../frame/page-status.tsx';
import { Home } from './home/home.tsx';
import { lazyScreen, type LazyScreen } from '../frame/lazy-screen.tsx';
import { addonScreens } from './addon-parts.tsx';
import { sections, type PortalScreen } from './portal-screen.ts';
import { screenWithTexts } from './screen-with-texts.ts';
import { ViewBanner } from './view-banner.tsx';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { GuideOf } from '../frame/guide-link.tsx';
import { useScrollPositions } from '../frame/navigation.ts';
import { NotFound } from '../frame/not-found.tsx';
import { ProofDialog } from '../frame/proof-dialog.tsx';
import { SignInAgain } from '../frame/sign-in-again.tsx';
import { SkipLink } from '../frame/skip-link.tsx';
import { SignOutButton } from '../frame/sign-out-button.tsx';
import '../ui/base.css';
import './portal.css';

// The keys of the object.
const sectionNames = Object.keys(sections) as (keyof typeof sections)[];

const ownScreens: readonly PortalScreen[] = [
  {
    path: '/app',
    label: 'portal.nav.home',
    section: 'home',
    // With the frame, because most visits begin here.
    screen: { View: Home, preload() {} },
    guide: 'your-account',
  },
  {
    path: '/app/links',
    label: 'portal.nav.links',
    section: 'share',
    screen: screenWithTexts(linksTexts, async () => (await import('./links/links.tsx')).Links),
    guide: 'your-figures#name-the-places-of-your-links',
  },
  {
    path: '/app/orders',
    label: 'portal.nav.orders',
    section: 'orders',
    screen: screenWithTexts(ordersTexts, async () => (await import('./further-screens.ts')).Orders),
    guide: 'your-account#orders',
  },
  {
    path: '/app/money',
    label: 'portal.nav.money',
    section: 'money',
    screen: screenWithTexts(moneyTexts, async () =>
      (await import('./money/money-screen.tsx')).loadMoneyScreen(),
    ),
    guide: 'your-account#money',
  },
  {
    path: '/app/rewards',
    label: 'portal.nav.rewards',
    section: 'money',
    position: 20,
    screen: lazyScreen(async () => (await import('./further-screens.ts')).RewardsScreen),
    guide: 'your-account#how-you-earn',
  },
  {
    path: '/app/profile',
    label: 'portal.nav.profile',
    section: 'profile',
    screen: screenWithTexts(
      profileTexts,
      async () => (await import('./profile/profile-screen.tsx')).ProfileScreen,
    ),
    isPrivate: true,
  },
];
const items: readonly PortalScreen[] = [...ownScreens, ...addonScreens].toSorted(
  (a, b) => (a.position ?? 0) - (b.position ?? 0),
);

/** For people without an affiliate's account: what this page is, and their profile. */
const outsider: LazyScreen = lazyScreen(
  async () => (await import('./further-screens.ts')).Outsider,
);

/** The frame of the portal: the store's name, the navigation, the state of the connection, and the screen. */
export function Portal() {
  const { me, program, isView } = useSession();
  useScrollPositions();
  const own = me.is_affiliate
    ? items.filter(({ isPrivate }) => !isView || !isPrivate)
    : items
        .filter(({ path }) => path === '/app' || path === '/app/profile')
        .map((item) => (item.path === '/app' ? { ...item, screen: outsider } : item));
  return (
    <div class="portal">
      <SkipLink />
      <header class="portal-header">
        <Link class="portal-name" href="/app">
          <SiteMark name={program.name} logo={siteLogo.value} />
        </Link>
        <span class="portal-corner">
          {me.is_admin && <a href="/console">{t('portal.nav.console')}</a>}
          {!isView && (
            <Link class="portal-profile" href="/app/profile">
              <ProfileIcon aria-hidden />
              {t('portal.nav.profile')}
            </Link>
          )}
        </span>
      </header>
      <Navigation items={own} />
      <main id="content" tabIndex={-1}>
        <ViewBanner />
        <PageStatus />
        <SectionTabs items={own} />
        {isSuspended.value && <Notice kind="warn">{t('portal.suspended')}</Notice>}
        <ErrorBoundary>
          <Switch>
            {own.map(({ path, guide, screen: { View } }) => (
              <Route key={path} path={path}>
                <GuideOf.Provider value={guide}>
                  <View />
                </GuideOf.Provider>
              </Route>
            ))}
            <Route component={NotFound} />
          </Switch>
        </ErrorBoundary>
      </main>
      <SignInAgain />
      <ProofDialog />
    </div>
  );
}

interface ItemsProps {
  items: readonly PortalScreen[];
}

/** How much of each screen the person has not read, by its path. */
function useUnreadCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(
    items.flatMap(({ path, useUnread }) => (useUnread ? [[path, useUnread()] as const] : [])),
  );
}

function Navigation({ items: all }: ItemsProps) {
  const { isView } = useSession();
  const [current] = useLocation();
  const counts = useUnreadCounts();
  const section = all.find(({ path }) => path === current)?.section;
  const shown = sectionNames.flatMap((name) => {
    const own = all.filter((item) => item.section === name);
    return own[0] ? [{ name, own, first: own[0] }] : [];
  });
  return (
    <nav class="portal-nav" aria-label={t('common.nav')}>
      <ul>
        {shown.map(({ name, own, first: { path, screen } }) => {
          const { Icon, label } = sections[name];
          const unread = own.reduce((sum, item) => sum + (counts[item.path] ?? 0), 0);
          return (
            <li key={name}>
              <Link
                href={path}
                aria-current={name === section ? 'page' : undefined}
                onPointerEnter={screen.preload}
              >
                <Icon aria-hidden />
                <span>{t(label)}</span>
                <CountMark count={unread} />
              </Link>
            </li>
          );
        })}
      </ul>
      {!isView && (
        <div class="portal-own">
          <Link href="/app/profile" aria-current={section === 'profile' ? 'page' : undefined}>
            <ProfileIcon aria-hidden />
            <span>{t('portal.nav.profile')}</span>
          </Link>
          <SignOutButton />
        </div>
      )}
    </nav>
  );
}

/** The screens of the current section, if it has several. */
function SectionTabs({ items: all }: ItemsProps) {
  const [current] = useLocation();
  const counts = useUnreadCounts();
  const section = all.find(({ path }) => path === current)?.section;
  const tabs = all.filter((item) => item.section === section);
  if (tabs.length < 2 || section === undefined || section === 'profile') return null;
  return (
    <Segmented
      label={t(sections[section].label)}
      current={current}
      options={tabs.map(({ path, label }) => ({
        value: path,
        label: t(label),
        ...(counts[path] && { count: counts[path] }),
      }))}
      hrefOf={(path) => path}
    />
  );
}
