import { Route, Switch } from 'wouter-preact';
import { ConnectionBanner } from '../frame/connection-banner.tsx';
import { useScrollPositions } from '../frame/navigation.ts';
import { NotFound } from '../frame/not-found.tsx';
import { ProofDialog } from '../frame/proof-dialog.tsx';
import { SignInAgain } from '../frame/sign-in-again.tsx';
import { SkipLink } from '../frame/skip-link.tsx';
import { useSession } from '../session.ts';
import { ConsoleNavigation } from './console-navigation.tsx';
import { NotAllowed } from './not-allowed.tsx';
import { screens } from './screens.ts';
import '../ui/base.css';
import './console.css';

/** The frame of the console: the navigation, the state of the connection, and the screen. */
export function Console() {
  const { account } = useSession();
  useScrollPositions();
  const isAllowed = (role: string) => role === 'team' || role === account.role;
  return (
    <div class="console">
      <SkipLink />
      <ConsoleNavigation screens={screens.filter(({ role }) => isAllowed(role))} />
      <main id="content" tabIndex={-1}>
        <ConnectionBanner />
        <Switch>
          {screens.flatMap(({ name, path, role, list, detail }) => [
            <Route key={name} path={path} component={isAllowed(role) ? list.View : NotAllowed} />,
            detail && (
              <Route
                key={`${name}/detail`}
                path={`${path}/:id`}
                component={isAllowed(role) ? detail.View : NotAllowed}
              />
            ),
          ])}
          <Route component={NotFound} />
        </Switch>
      </main>
      <SignInAgain />
      <ProofDialog />
    </div>
  );
}
