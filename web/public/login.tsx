import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';

type LoginProps = PageProps['login'];

export function LoginPage(props: LoginProps) {
  const { next, login, notice } = props;
  return (
    <>
      <h1>{t('accounts.login.title')}</h1>
      {notice && <Notice kind="good">{noticeText(notice)}</Notice>}
      {props.error && <Notice kind="bad">{errorText(props)}</Notice>}
      <form class="stack" method="post" action="/app/login">
        <input type="hidden" name="next" value={next} />
        <Field
          name="login"
          label={t('accounts.login.login')}
          value={login}
          autocomplete="username webauthn"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <Field
          name="password"
          type="password"
          label={t('accounts.login.password')}
          autocomplete="current-password"
          required
        />
        <Button type="submit">{t('accounts.login.submit')}</Button>
      </form>
      {props.hasPasskeys && <PasskeySignIn next={next} />}
      {props.hasLinks && <LinkForm next={next} invalidEmail={props.invalidEmail} />}
      <p>
        <a class="lone-link" href="/app/forgot">
          {t('accounts.login.forgot')}
        </a>
      </p>
    </>
  );
}

/** The way in without the password. */
function LinkForm({ next, invalidEmail }: Pick<LoginProps, 'next' | 'invalidEmail'>) {
  return (
    <form class="stack" method="post" action="/app/login-link" noValidate>
      <h2>{t('accounts.loginLink.title')}</h2>
      <input type="hidden" name="next" value={next} />
      <Field
        name="email"
        type="email"
        label={t('accounts.forgot.email')}
        hint={t('accounts.loginLink.hint')}
        value={invalidEmail ?? ''}
        error={invalidEmail === undefined ? undefined : t('accounts.forgot.invalid')}
        autocomplete="email"
        required
      />
      <Button type="submit" kind="quiet">
        {t('accounts.loginLink.submit')}
      </Button>
    </form>
  );
}

function noticeText(notice: NonNullable<LoginProps['notice']>): string {
  if (notice === 'signed-out') return t('accounts.login.signedOut');
  return notice === 'password-set'
    ? t('accounts.login.passwordSet')
    : t('accounts.login.addressConfirmed');
}

function errorText({ error, seconds = 0 }: LoginProps): string {
  if (error === 'wrong') return t('accounts.login.wrong');
  if (error !== 'wait') return t('errors.unexpected');
  return seconds > 0 ? t('accounts.login.waitSeconds', { count: seconds }) : t('accounts.wait');
}
