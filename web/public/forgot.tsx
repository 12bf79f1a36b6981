import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { t } from '../words.ts';
import type { PageProps } from './page-props.ts';

export function ForgotPage({ email, isFaulty = false }: PageProps['forgot']) {
  return (
    <>
      <h1>{t('accounts.forgot.title')}</h1>
      <p>{t('accounts.forgot.text')}</p>
      <form class="stack" method="post" action="/app/forgot">
        <Field
          name="email"
          type="email"
          label={t('accounts.forgot.email')}
          value={email}
          fault={isFaulty ? t('accounts.forgot.invalid') : undefined}
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
