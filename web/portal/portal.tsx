import linksTexts from 'texts:portal-links';
import ordersTexts from 'texts:portal-orders';
import postbacksTexts from 'texts:portal-postbacks';
import messagesTexts from 'texts:portal-messages';
import moneyTexts from 'texts:portal-money';
import payoutDetailsTexts from 'texts:portal-payout-details';
import profileTexts from 'texts:portal-profile';
import type { LucideIcon } from 'lucide-preact';
import { Link, Route, Switch, useLocation } from 'wouter-preact';
import { hasAddon } from '../addons.ts';
import { useRefreshedOnWay } from '../data.ts';
import { isSuspended, useSession } from '../session.ts';
import {
  HomeIcon,
  LinkIcon,
  MessagesIcon,
  MoneyIcon,
  NewsIcon,
  OrdersIcon,
  PayoutDetailsIcon,
  ProfileIcon,
  RewardsIcon,
  WebhooksIcon,
} from '../ui/icons.tsx';
import { siteLogo } from '../frame/site-logo.ts';
import { SiteMark } from '../ui/site-mark.tsx';
import { CountMark } from '../ui/count-mark.tsx';
import { Notice } from '../ui/notice.tsx';
import { t, type WordKey } from '../words.ts';
import { PageStatus } from '../frame/page-status.tsx';
import { Home } from './home/home.tsx';
import { lazyScreen, type LazyScreen } from '../frame/lazy-screen.tsx';
import { screenWithTexts } from './screen-with-texts.ts';
import { UNREAD, useUnread, type Unread } from './unread.ts';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { useScrollPositions } from '../frame/navigation.ts';
import { NotFound } from '../frame/not-found.tsx';
import { ProofDialog } from '../frame/proof-dialog.tsx';
import { SignInAgain } from '../frame/sign-in-again.tsx';
import { SkipLink } from '../frame/skip-link.tsx';
import { SignOutButton } from '../frame/sign-out-button.tsx';
import '../ui/base.css';
import './portal.css';
import './view-banner.css';

interface NavItem {
  readonly path: string;
  readonly label: WordKey;
  readonly Icon: LucideIcon;
  readonly screen: LazyScreen;
  /** Not in the bar of a phone, which has room for five; the screen named here links to it. */
  readonly below?: string;
  /** The add-on that it belongs to: without it, the screen is not shown. */
  readonly addon?: string;
  /** What it can have that was not read. */
  readonly unread?: Unread;
  /** Part of the person's account: not shown to the team, which may look at the rest. */
  readonly isPrivate?: true;
}

const items: readonly NavItem[] = [
  {
    path: '/app',
    label: 'portal.nav.home',
    Icon: HomeIcon,
    // With the frame, because most visits begin here.
    screen: { View: Home, preload() {} },
  },
  {
    path: '/app/rewards',
    label: 'portal.nav.rewards',
    Icon: RewardsIcon,
    screen: lazyScreen(async () => (await import('./further-screens.ts')).RewardsScreen),
    below: '/app',
  },
  {
    path: '/app/news',
    label: 'portal.nav.news',
    Icon: NewsIcon,
    screen: lazyScreen(async () => (await import('./news/news-screen.tsx')).NewsScreen),
    below: '/app',
    addon: 'announcements',
    unread: 'news',
  },
  {
    path: '/app/messages',
    label: 'portal.nav.messages',
    Icon: MessagesIcon,
    screen: screenWithTexts(
      messagesTexts,
      async () => (await import('./messages/messages-screen.tsx')).MessagesScreen,
    ),
    below: '/app',
    addon: 'messages',
    unread: 'messages',
  },
  {
    path: '/app/links',
    label: 'portal.nav.links',
    Icon: LinkIcon,
    screen: screenWithTexts(linksTexts, async () => (await import('./further-screens.ts')).Links),
  },
  {
    path: '/app/orders',
    label: 'portal.nav.orders',
    Icon: OrdersIcon,
    screen: screenWithTexts(ordersTexts, async () => (await import('./further-screens.ts')).Orders),
  },
  {
    path: '/app/postbacks',
    label: 'portal.nav.postbacks',
    Icon: WebhooksIcon,
    screen: screenWithTexts(
      postbacksTexts,
      async () => (await import('./postbacks/postbacks.tsx')).PostbacksScreen,
    ),
    below: '/app/orders',
    addon: 'postbacks',
  },
  {
    path: '/app/money',
    label: 'portal.nav.money',
    Icon: MoneyIcon,
    screen: screenWithTexts(
      moneyTexts,
      async () => (await import('./money/money-screen.tsx')).MoneyScreen,
    ),
  },
  {
    path: '/app/payout-details',
    label: 'portal.nav.payoutDetails',
    Icon: PayoutDetailsIcon,
    screen: screenWithTexts(
      payoutDetailsTexts,
      async () => (await import('./further-screens.ts')).PayoutDetailsScreen,
    ),
    below: '/app/money',
    isPrivate: true,
  },
  {
    path: '/app/profile',
    label: 'portal.nav.profile',
    Icon: ProfileIcon,
    screen: screenWithTexts(
      profileTexts,
      async () => (await import('./profile/profile-screen.tsx')).ProfileScreen,
    ),
    isPrivate: true,
  },
];

/** For people without an affiliate's account: what this page is, and their profile. */
const outsider: LazyScreen = lazyScreen(
  async () => (await import('./further-screens.ts')).Outsider,
);

/** The frame of the portal: the store's name, the navigation, the state of the connection, and the screen. */
export function Portal() {
  const { me, program, isView } = useSession();
  useScrollPositions();
  const own = me.is_affiliate
    ? items.filter(
        ({ isPrivate, addon }) =>
          (!isView || !isPrivate) && (addon === undefined || hasAddon(addon)),
      )
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
        {me.is_admin && (
          <a class="portal-console" href="/console">
            {t('portal.nav.console')}
          </a>
        )}
      </header>
      <Navigation items={own} />
      <main id="content" tabIndex={-1}>
        <ViewBanner />
        <PageStatus />
        {isSuspended.value && <Notice kind="warn">{t('portal.suspended')}</Notice>}
        <ErrorBoundary>
          <Switch>
            {own.map(({ path, screen: { View } }) => (
              <Route key={path} path={path} component={View} />
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

function Navigation({ items: shown }: { items: readonly NavItem[] }) {
  const { isView } = useSession();
  const [current] = useLocation();
  const counts = useUnread();
  useRefreshedOnWay(current, ['messages', UNREAD]);
  useRefreshedOnWay(current, ['news', UNREAD]);
  const above = shown.find(({ path }) => path === current)?.below;
  return (
    <nav class="portal-nav" aria-label={t('common.nav')}>
      <ul>
        {shown.map(({ path, label, Icon, screen, below, unread }) => (
          <li key={path} data-below={below !== undefined}>
            <Link
              href={path}
              aria-current={path === current ? 'page' : undefined}
              data-holds-current={path === above}
              onPointerEnter={screen.preload}
            >
              <Icon aria-hidden />
              <span>{t(label)}</span>
              <CountMark count={unread && counts[unread]} />
              {path === '/app' && (
                <span class="nav-below">
                  <CountMark count={counts.messages + counts.news} />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {!isView && <SignOutButton />}
    </nav>
  );
}

/** Says whose portal this is and that nothing can be changed, with the way back to the console. */
function ViewBanner() {
  const { me, isView } = useSession();
  if (!isView) return null;
  return (
    <div class="view-banner" role="status">
      <span>{t('portal.viewing', { name: me.user.display_name })}</span>
      <a href={`/console/affiliates/${me.user.id}`}>{t('portal.viewingBack')}</a>
    </div>
  );
}
