import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';
import { rich } from '../ui/rich.tsx';
import './form.css';

export function ForgotPage({ email, isInvalid = false }: PageProps['forgot']) {
  return (
    <>
      <header class="form-head">
        <h1>{t('accounts.forgot.title')}</h1>
        <p class="muted">{t('accounts.forgot.text')}</p>
      </header>
      <form class="stack" method="post" action="/app/forgot">
        <Field
          name="email"
          type="email"
          label={t('accounts.forgot.email')}
          value={email}
          error={isInvalid ? t('accounts.forgot.invalid') : undefined}
          autocomplete="email"
          required
        />
        <Button type="submit">{t('accounts.forgot.submit')}</Button>
      </form>
      <p>
        <a class="lone-link" href="/app/login">
          {t('accounts.backToLogin')}
        </a>
      </p>
    </>
  );
}

/** Opening the link does not sign in: mail programs open links too. */
export function SignInLinkPage({ token, name }: PageProps['sign-in-link']) {
  return (
    <>
      <h1>{t('accounts.signInLink.title')}</h1>
      <p>{t('accounts.signInLink.text', { name })}</p>
      <form class="stack" method="post" action="/app/sign-in-link">
        <input type="hidden" name="token" value={token} />
        <Button type="submit">{t('accounts.login.submit')}</Button>
      </form>
    </>
  );
}

export function ConfirmEmailPage({ token, email }: PageProps['confirm-email']) {
  return (
    <>
      <h1>{t('accounts.confirmEmail.title')}</h1>
      <p>{rich('accounts.confirmEmail.text', { email: <strong>{email}</strong> })}</p>
      <form class="stack" method="post" action="/app/confirm-email">
        <input type="hidden" name="token" value={token} />
        <Button type="submit">{t('accounts.confirmEmail.submit')}</Button>
      </form>
    </>
  );
}

/** Opening the link does not unsubscribe: virus scanners open links too. */
export function UnsubscribePage({ token, isDone }: PageProps['unsubscribe']) {
  return (
    <>
      <h1>{t(isDone ? 'public.unsubscribe.done' : 'public.unsubscribe.title')}</h1>
      <p>{t(isDone ? 'public.unsubscribe.doneText' : 'public.unsubscribe.text')}</p>
      {isDone ? (
        <p>
          <a class="lone-link" href="/app/profile">
            {t('public.unsubscribe.profile')}
          </a>
        </p>
      ) : (
        <form class="stack" method="post" action={`/unsubscribe/${token}`}>
          <input type="hidden" name="List-Unsubscribe" value="One-Click" />
          <Button type="submit">{t('public.unsubscribe.submit')}</Button>
        </form>
      )}
    </>
  );
}
