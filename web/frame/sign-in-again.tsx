import { useLayoutEffect } from 'preact/hooks';
import { TributaryError } from '../../sdk/src/index.ts';
import { api, isSignedOut } from '../api.ts';
import { signInPath, useSession } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { t } from '../words.ts';
import { lazyScreen } from './lazy-screen.tsx';
import { usePreload } from './use-preload.ts';

const steps = lazyScreen(async () => (await import('./sign-in-steps.tsx')).SignInSteps);

/** When a session ends: signs in above the screen, which keeps what was typed and goes on. */
export function SignInAgain() {
  const { me } = useSession();
  useCurrentSession();
  // Before the connection or the session is lost.
  usePreload(steps);
  return isSignedOut.value ? (
    <Dialog title={t('accounts.again.title')}>
      <p>{t('accounts.again.text', { name: me.user.display_name })}</p>
      <steps.View login={me.user.login!} />
      <p>
        <a href={signInPath()}>{t('accounts.again.another')}</a>
      </p>
    </Dialog>
  ) : null;
}

/** Another tab may have signed out, or in as another person: looks when this tab is shown again. */
function useCurrentSession(): void {
  useLayoutEffect(() => {
    const look = () => {
      if (document.visibilityState === 'hidden') return;
      api.session.get().then(
        () => (isSignedOut.value = false),
        (error: unknown) => {
          if (error instanceof TributaryError && error.status === 401) isSignedOut.value = true;
        },
      );
    };
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
