import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';
import './form.css';

type Props = PageProps['choose-password'];

export function choosePasswordTitle(kind: Props['kind']): string {
  return kind === 'reset' ? t('accounts.reset.title') : t('accounts.invitation.title');
}

export function ChoosePasswordPage({ kind, token, login, minimum, error }: Props) {
  return (
    <>
      <header class="form-head">
        <h1>{choosePasswordTitle(kind)}</h1>
        <p class="muted">
          {kind === 'reset' ? t('accounts.reset.text') : t('accounts.invitation.text')}
        </p>
      </header>
      {error === 'wait' && <Notice kind="bad">{t('accounts.wait')}</Notice>}
      {error === 'failed' && <Notice kind="bad">{t('errors.unexpected')}</Notice>}
      <form
        class="stack"
        method="post"
        action={kind === 'reset' ? '/app/reset' : '/app/invitation'}
      >
        <input type="hidden" name="token" value={token} />
        <Field
          name="username"
          label={t('accounts.password.login')}
          value={login}
          autocomplete="username"
          readonly
          required
        />
        <Field
          name="password"
          type="password"
          label={t('accounts.password.label')}
          hint={t('accounts.password.hint', { minimum })}
          error={errorText(error, minimum)}
          autocomplete="new-password"
          required
        />
        <Button type="submit">
          {kind === 'reset' ? t('accounts.reset.submit') : t('accounts.invitation.submit')}
        </Button>
      </form>
    </>
  );
}

function errorText(error: Props['error'], minimum: number): string | undefined {
  if (error === 'length') return t('accounts.password.length', { minimum });
  if (error === 'common') return t('accounts.password.common');
  if (error === 'personal') return t('accounts.password.personal');
  return error === 'pattern' ? t('accounts.password.pattern') : undefined;
}
