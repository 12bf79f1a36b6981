import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { useSession } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { t } from '../words.ts';
import { useFocusFirst } from './focus-first.ts';
import { passkeyAnswer } from './passkey.ts';

/** The password, a code or a passkey of the person who is signed in. */
export function Proof({ onDone }: { onDone: () => void }) {
  const { account } = useSession();
  const [isByCode, setByCode] = useState(false);
  const { two_factor: factors, has_password: hasPassword } = account;
  const asksCode = isByCode || !hasPassword;
  const content = useFocusFirst<HTMLDivElement>();
  return (
    <div class="stack" ref={content}>
      {(hasPassword || factors.totp) && (
        <Form
          key={String(asksCode)}
          action={t('accounts.proof.action')}
          submit={async ({ secret = '' }) => {
            await api.session.prove(asksCode ? { code: secret } : { password: secret });
            onDone();
          }}
        >
          {asksCode ? (
            <Field
              name="secret"
              label={t('accounts.code.label')}
              hint={t('accounts.code.hint')}
              inputMode="text"
              autocomplete="one-time-code"
              required
            />
          ) : (
            <Field
              name="secret"
              label={t('accounts.password.label')}
              type="password"
              autocomplete="current-password"
              required
            />
          )}
        </Form>
      )}
      {factors.passkeys > 0 && (
        <Form
          action={t('accounts.proof.passkey')}
          kind="quiet"
          submit={async () => {
            await api.session.prove({ passkey: await passkeyAnswer() });
            onDone();
          }}
        />
      )}
      {hasPassword && factors.totp && (
        <Button kind="quiet" onClick={() => setByCode(!isByCode)}>
          {isByCode ? t('accounts.proof.usePassword') : t('accounts.proof.useCode')}
        </Button>
      )}
    </div>
  );
}
