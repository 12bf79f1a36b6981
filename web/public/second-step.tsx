import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { t } from '../words.ts';
import type { PageProps } from './page-props.ts';

export function SecondStepPage({ next, token, fault }: PageProps['second-step']) {
  return (
    <>
      <h1>{t('accounts.secondStep.title')}</h1>
      <p>{t('accounts.secondStep.text')}</p>
      <form class="stack" method="post" action="/app/login">
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="sign_in_token" value={token} />
        <Field
          name="code"
          label={t('accounts.secondStep.code')}
          hint={t('accounts.secondStep.recovery')}
          fault={fault && t('accounts.secondStep.wrong')}
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <Button type="submit">{t('accounts.login.submit')}</Button>
      </form>
      <p>
        <a href="/app/login">{t('accounts.backToLogin')}</a>
      </p>
    </>
  );
}
