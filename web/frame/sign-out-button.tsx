import { render } from 'preact';
import { useState } from 'preact/hooks';
import { signOut } from '../session.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { SignOutIcon } from '../ui/icons.tsx';
import { t } from '../words.ts';

/** In the side navigation; a phone has it on the profile. */
export function SignOutButton() {
  const [isBusy, setBusy] = useState(false);
  const leave = () => {
    if (isBusy) return;
    setBusy(true);
    void signOutOrHide();
  };
  return (
    <button
      class="sign-out"
      type="button"
      title={t('common.signOut')}
      aria-busy={isBusy}
      onClick={leave}
    >
      <SignOutIcon aria-hidden />
      <span>{t('common.signOut')}</span>
    </button>
  );
}

/** The person may leave the device: if the service does not answer, nothing stays on the screen. */
async function signOutOrHide(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    render(
      <main>
        <h1 class="visually-hidden">{t('common.signOut')}</h1>
        <ErrorState
          title={t('common.signOut.failed')}
          error={error}
          retry={() => void signOutOrHide()}
        />
      </main>,
      document.getElementById('app')!,
    );
  }
}
