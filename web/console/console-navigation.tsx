import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useRefreshedOnWay } from '../data.ts';
import { SignOutButton } from '../frame/sign-out-button.tsx';
import { useSession } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { siteLogo } from '../frame/site-logo.ts';
import { CountMark } from '../ui/count-mark.tsx';
import { SiteMark } from '../ui/site-mark.tsx';
import { HomeIcon, MenuIcon, ProfileIcon, SearchIcon, ShortcutsIcon } from '../ui/icons.tsx';
import { t } from '../words.ts';
import type { ConsoleScreen } from './screens.ts';
import { UNREAD, useUnreadThreads } from './unread-threads.ts';

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
  const unread = useUnreadThreads();
  useRefreshedOnWay(path, ['messages', UNREAD]);
  useEffect(() => setOpen(false), [path]);
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
          <CountMark count={unread} />
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
        <ScreenList screens={screens} onHelp={onHelp} />
      </header>
      {isOpen && (
        <Dialog title={t('console.menu')} onClose={() => setOpen(false)}>
          <ScreenList screens={screens} onLeave={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

interface ScreenListProps {
  screens: readonly ConsoleScreen[];
  /** A phone has no keys. */
  onHelp?: () => void;
  /** A link to the current address changes nothing else. */
  onLeave?: () => void;
}

function ScreenList({ screens, onHelp, onLeave }: ScreenListProps) {
  const { me } = useSession();
  const unread = useUnreadThreads();
  const [current] = useLocation();
  const isCurrent = (path: string) =>
    path === current || (path !== '/console' && current.startsWith(`${path}/`));
  const groups = [...new Set(screens.map(({ group }) => group))];
  const links = useRef<HTMLDivElement>(null);
  useEffect(() => {
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <nav class="console-nav" aria-label={t('common.nav')}>
      <div class="nav-screens" ref={links}>
        {groups.map((group) => (
          <div key={group} class="nav-group">
            {group && <h2>{t(`console.group.${group}`)}</h2>}
            <ul>
              {screens
                .filter((one) => one.group === group)
                .map(({ name, path, Icon, list }) => (
                  <li key={name}>
                    <Link
                      href={path}
                      aria-current={isCurrent(path) ? 'page' : undefined}
                      onPointerEnter={list.preload}
                      onClick={onLeave}
                    >
                      <Icon aria-hidden />
                      <span>{t(`console.nav.${name}`)}</span>
                      {name === 'messages' && <CountMark count={unread} />}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
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
