import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import './form.css';

export function SecondStepPage({ next, token, methods, error }: PageProps['second-step']) {
  const hasApp = methods.includes('totp');
  return (
    <>
      <header class="form-head">
        <h1>{t('accounts.secondStep.title')}</h1>
        <p class="muted">
          {hasApp ? t('accounts.secondStep.text') : t('accounts.secondStep.textPasskey')}
        </p>
      </header>
      <form class="stack" method="post" action="/app/login">
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="sign_in_token" value={token} />
        <input type="hidden" name="methods" value={methods.join(' ')} />
        <Field
          name="code"
          label={hasApp ? t('accounts.secondStep.code') : t('accounts.secondStep.recoveryCode')}
          hint={hasApp ? t('accounts.secondStep.recovery') : undefined}
          error={error && t('accounts.secondStep.wrong')}
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <Button type="submit">{t('accounts.login.submit')}</Button>
      </form>
      {methods.includes('passkey') && <PasskeySignIn next={next} token={token} />}
      <p>
        <a class="lone-link" href="/app/login">
          {t('accounts.backToLogin')}
        </a>
      </p>
    </>
  );
}
