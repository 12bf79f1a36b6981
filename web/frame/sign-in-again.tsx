import { useLayoutEffect, useState } from 'preact/hooks';
import { hasCode, TributaryError, type SignIn } from '../../sdk/src/index.ts';
import { api, isSignedOut } from '../api.ts';
import { signInPath, useSession } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { t } from '../words.ts';
import { passkeyAnswer } from './passkey.ts';

/** When a session ends: signs in above the screen, which keeps what was typed and goes on. */
export function SignInAgain() {
  const { me } = useSession();
  useCurrentSession();
  return isSignedOut.value ? (
    <Dialog title={t('accounts.again.title')}>
      <p>{t('accounts.again.text', { name: me.user.display_name })}</p>
      <Steps login={me.user.login!} />
      <p>
        <a href={signInPath()}>{t('accounts.again.another')}</a>
      </p>
    </Dialog>
  ) : null;
}

interface SecondStep {
  readonly token: string;
  readonly methods: readonly string[];
}

/** What the service asks for after the password of an account with two factors. */
function secondStepOf(error: unknown): SecondStep | undefined {
  if (!hasCode(error, 'svc_api_second_factor_required')) return undefined;
  return { token: error.data.sign_in_token, methods: error.data.methods };
}

/** The service answers a wrong password like a missing sign-in; the person has just tried to sign in. */
function asWrongPassword(error: unknown): unknown {
  if (!(error instanceof TributaryError) || error.status !== 401) return error;
  return new TributaryError('svc_api_wrong_password', error.message, error);
}

function Steps({ login }: { login: string }) {
  const [second, setSecond] = useState<SecondStep>();
  const signIn = async (input: SignIn) => {
    try {
      await api.session.signIn(input);
      isSignedOut.value = false;
    } catch (error) {
      const step = secondStepOf(error);
      if (!step) throw asWrongPassword(error);
      setSecond(step);
    }
  };
  if (!second) {
    return (
      <Form
        isSignIn
        action={t('accounts.again.action')}
        submit={({ password = '' }) => signIn({ login, password })}
      >
        <Field
          name="password"
          label={t('accounts.password.label')}
          type="password"
          autocomplete="current-password"
          required
        />
      </Form>
    );
  }
  const { token, methods } = second;
  return (
    <>
      {methods.some((method) => method !== 'passkey') && (
        <Form
          key="code"
          isSignIn
          action={t('accounts.again.action')}
          submit={({ code = '' }) => signIn({ sign_in_token: token, code })}
        >
          <Field
            name="code"
            label={t('accounts.code.label')}
            hint={t('accounts.code.hint')}
            autocomplete="one-time-code"
            required
          />
        </Form>
      )}
      {methods.includes('passkey') && (
        <Form
          key="passkey"
          isSignIn
          kind="quiet"
          action={t('accounts.proof.passkey')}
          submit={async () => signIn({ sign_in_token: token, passkey: await passkeyAnswer() })}
        />
      )}
    </>
  );
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
