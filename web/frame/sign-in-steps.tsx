import { useState } from 'preact/hooks';
import { hasCode, TributaryError, type SignIn } from '../../sdk/src/index.ts';
import { api, isSignedOut } from '../api.ts';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { t } from '../words.ts';
import { useFocusFirst } from './focus-first.ts';
import { passkeyAnswer } from './passkey.ts';

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

/** The password, then the second step of accounts that have one. */
export function SignInSteps({ login }: { login: string }) {
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
  const content = useFocusFirst<HTMLDivElement>();
  if (!second) {
    return (
      <div ref={content}>
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
      </div>
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
