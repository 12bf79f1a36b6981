import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { SignOutButton } from '../frame/sign-out-button.tsx';
import { useSession } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { siteLogo } from '../frame/site-logo.ts';
import { CountMark } from '../ui/count-mark.tsx';
import { SiteMark } from '../ui/site-mark.tsx';
import { HomeIcon, MenuIcon, ProfileIcon, SearchIcon, ShortcutsIcon } from '../ui/icons.tsx';
import { t } from '../words.ts';
import type { ConsoleScreen } from './screens.ts';
import { useNavState, type NavState } from './nav-state.ts';

interface NavigationProps {
  screens: readonly ConsoleScreen[];
  onSearch(): void;
  onHelp(): void;
}

/** Beside the screen on a laptop; on a phone a bar above it, with the same list in a sheet. */
export function ConsoleNavigation({ screens, onSearch, onHelp }: NavigationProps) {
  const { program } = useSession();
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const state = useNavState(path, screens);
  const waiting = Object.values(state.counts).reduce((sum, count) => sum + count, 0);
  useLayoutEffect(() => setOpen(false), [path]);
  return (
    <>
      <header class="console-bar">
        <button
          type="button"
          class="bar-button"
          aria-expanded={isOpen}
          onClick={() => setOpen(true)}
        >
          <MenuIcon aria-hidden />
          <span class="visually-hidden">{t('console.menu')}</span>
          <CountMark count={waiting} text={t('console.waiting', { count: waiting })} />
        </button>
        <Link class="console-name" href="/console">
          <SiteMark name={program.name} logo={siteLogo.value} />
        </Link>
        <button
          type="button"
          class="bar-button"
          aria-label={t('console.search')}
          onClick={onSearch}
        >
          <SearchIcon aria-hidden />
        </button>
      </header>
      <header class="console-side">
        <Link class="console-name" href="/console">
          <SiteMark name={program.name} logo={siteLogo.value} />
        </Link>
        <button type="button" class="side-search" onClick={onSearch}>
          <SearchIcon aria-hidden />
          <span>{t('console.search')}</span>
        </button>
        <ScreenList screens={screens} state={state} onHelp={onHelp} />
      </header>
      {isOpen && (
        <Dialog title={t('console.menu')} onClose={() => setOpen(false)}>
          <ScreenList screens={screens} state={state} onLeave={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

interface ScreenListProps {
  screens: readonly ConsoleScreen[];
  state: NavState;
  /** A phone has no keys. */
  onHelp?: () => void;
  /** A link to the current address changes nothing else. */
  onLeave?: () => void;
}

function ScreenList({ screens, state, onHelp, onLeave }: ScreenListProps) {
  const { me } = useSession();
  const [current] = useLocation();
  const lead = screens.find(
    ({ path }) => path === current || (path !== '/console' && current.startsWith(`${path}/`)),
  )?.lead;
  const shown = screens.filter(
    ({ name, lead: own }) => own === name && (state.used.has(name) || name === lead),
  );
  const groups = [...new Set(shown.map(({ group }) => group))];
  const links = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const listOf = (group: ConsoleScreen['group']) => (
    <div key={group} class="nav-group" data-group={group}>
      {group && group !== 'bottom' && <h2>{t(`console.group.${group}`)}</h2>}
      <ul>
        {shown
          .filter((one) => one.group === group)
          .map(({ name, path, Icon, list, navLabel, useUnread }) => (
            <li key={name}>
              <Link
                href={path}
                aria-current={name === lead ? 'page' : undefined}
                onPointerEnter={list.preload}
                onClick={onLeave}
              >
                <Icon aria-hidden />
                <span>{t(navLabel ?? `console.nav.${name}`)}</span>
                <CountMark
                  count={state.counts[name]}
                  {...(!useUnread && {
                    text: t('console.waiting', { count: state.counts[name] ?? 0 }),
                  })}
                />
              </Link>
            </li>
          ))}
      </ul>
    </div>
  );
  return (
    <nav class="console-nav" aria-label={t('common.nav')}>
      <div class="nav-screens" ref={links}>
        {groups.filter((group) => group !== 'bottom').map(listOf)}
      </div>
      {listOf('bottom')}
      <div class="nav-group nav-own">
        {onHelp && (
          <button type="button" class="nav-button" title={t('console.shortcuts')} onClick={onHelp}>
            <ShortcutsIcon aria-hidden />
            <span>{t('console.shortcuts')}</span>
          </button>
        )}
        {me.is_affiliate && (
          <a href="/app" title={t('console.portal')}>
            <HomeIcon aria-hidden />
            <span>{t('console.portal')}</span>
          </a>
        )}
        <a href="/app/profile" title={t('console.profile')}>
          <ProfileIcon aria-hidden />
          <span>{t('console.profile')}</span>
        </a>
        <SignOutButton />
      </div>
    </nav>
  );
}
