import { rich } from '../ui/rich.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';

export function LinkSentPage({ email, purpose }: PageProps['link-sent']) {
  return (
    <>
      <h1>{t('accounts.linkSent.title')}</h1>
      <p>
        {rich(purpose === 'sign-in' ? 'accounts.linkSent.signInText' : 'accounts.linkSent.text', {
          email: <strong>{email}</strong>,
        })}
      </p>
      <p class="muted">{t('accounts.linkSent.nothing')}</p>
      <p>
        <a href="/app/login">{t('accounts.backToLogin')}</a>
      </p>
    </>
  );
}
