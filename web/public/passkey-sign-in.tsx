import { Button } from '../ui/button.tsx';
import { t } from '../words.ts';

/** Stays hidden until `login.script.ts` finds that the browser knows passkeys. */
export function PasskeySignIn({ next, token }: { next: string; token?: string }) {
  return (
    <div id="passkey-sign-in" class="stack" data-next={next} data-token={token} hidden>
      <Button type="button" kind="quiet">
        {t('accounts.passkey.action')}
      </Button>
      <p class="field-fault" role="alert" data-text={t('accounts.passkey.failed')} />
    </div>
  );
}
