import { useState } from 'preact/hooks';
import { signOut } from '../session.ts';
import { SignOutIcon } from '../ui/icons.tsx';
import { t } from '../words.ts';

/** In the side navigation; a phone has it on the profile. */
export function SignOutButton() {
  const [isBusy, setBusy] = useState(false);
  const leave = () => {
    if (isBusy) return;
    setBusy(true);
    signOut().catch(() => setBusy(false));
  };
  return (
    <button class="sign-out" type="button" aria-busy={isBusy} onClick={leave}>
      <SignOutIcon aria-hidden />
      <span>{t('common.signOut')}</span>
    </button>
  );
}
