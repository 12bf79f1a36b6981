import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';
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
        <a href="/app/login">{t('accounts.backToLogin')}</a>
      </p>
    </>
  );
}
