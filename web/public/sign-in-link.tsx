import { Button } from '../ui/button.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';

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
