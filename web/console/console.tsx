import { useState } from 'preact/hooks';
import { Link, Route, Switch } from 'wouter-preact';
import { PageStatus } from '../frame/page-status.tsx';
import { ErrorBoundary } from '../frame/error-boundary.tsx';
import { GuideOf } from '../frame/guide-link.tsx';
import { lazyScreen, type LazyScreen } from '../frame/lazy-screen.tsx';
import { useScrollPositions } from '../frame/navigation.ts';
import { NotFound } from '../frame/not-found.tsx';
import { ProofDialog } from '../frame/proof-dialog.tsx';
import { SignInAgain } from '../frame/sign-in-again.tsx';
import { SkipLink } from '../frame/skip-link.tsx';
import { useSession } from '../session.ts';
import { ConsoleNavigation } from './console-navigation.tsx';
import { screens } from './screens.ts';
import { SectionTabs } from './section-tabs.tsx';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';
import { usePreload } from '../frame/use-preload.ts';
import { Screen } from '../frame/screen.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { t } from '../words.ts';
import '../ui/base.css';
import './console.css';

const palette = lazyScreen(async () => (await import('./palette/palette-list.tsx')).PaletteList);
const help = lazyScreen(async () => (await import('./shortcuts/shortcut-help.tsx')).ShortcutHelp);

/** The frame of the console: the navigation, the state of the connection, and the screen. */
export function Console() {
  const { account } = useSession();
  const [open, setOpen] = useState<'palette' | 'help'>();
  useScrollPositions();
  usePreload(palette, help);
  const isAllowed = (role: string | undefined) => role === undefined || role === account.role;
  const own = screens.filter(({ role }) => isAllowed(role));
  const close = () => setOpen(undefined);
  useShortcuts(own, {
    openPalette: () => setOpen('palette'),
    openHelp: () => setOpen('help'),
  });
  return (
    <div class="console">
      <SkipLink />
      <ConsoleNavigation
        screens={own}
        onSearch={() => setOpen('palette')}
        onHelp={() => setOpen('help')}
      />
      <main id="content" tabIndex={-1}>
        <PageStatus />
        <SectionTabs screens={own} />
        <ErrorBoundary>
          <Switch>
            {screens.flatMap(({ name, path, role, guide, list, detail, edit }) => {
              const show = ({ View }: LazyScreen) =>
                isAllowed(role) ? (
                  <GuideOf.Provider value={guide}>
                    <View />
                  </GuideOf.Provider>
                ) : (
                  <NotAllowed />
                );
              return [
                <Route key={name} path={path}>
                  {show(list)}
                </Route>,
                detail && (
                  <Route key={`${name}/detail`} path={`${path}/:id`}>
                    {show(detail)}
                  </Route>
                ),
                edit && (
                  <Route key={`${name}/edit`} path={`${path}/:id/edit`}>
                    {show(edit)}
                  </Route>
                ),
              ];
            })}
            <Route component={NotFound} />
          </Switch>
        </ErrorBoundary>
      </main>
      {open === 'palette' && (
        <Dialog title={t('console-palette.title')} onClose={close}>
          <palette.View screens={own} onClose={close} />
        </Dialog>
      )}
      {open === 'help' && (
        <Dialog title={t('console.shortcuts')} onClose={close}>
          <help.View screens={own} />
        </Dialog>
      )}
      <SignInAgain />
      <ProofDialog />
    </div>
  );
}

/** For a manager who opens the address of an administrator's screen. The API refuses its calls as well. */
function NotAllowed() {
  return (
    <Screen title={t('console.notAllowed.title')}>
      <Card>
        <EmptyState
          title={t('console.notAllowed.title')}
          action={
            <Link class="button" href="/console">
              {t('console.notAllowed.action')}
            </Link>
          }
        >
          {t('console.notAllowed.text')}
        </EmptyState>
      </Card>
    </Screen>
  );
}
