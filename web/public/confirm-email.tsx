import { Button } from '../ui/button.tsx';
import { rich } from '../ui/rich.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';

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
