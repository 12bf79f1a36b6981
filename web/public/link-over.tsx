import { LinkButton } from '../ui/button.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';

export function LinkOverPage({ purpose }: PageProps['link-over']) {
  return (
    <>
      <h1>{t('accounts.linkOver.title')}</h1>
      <p class="muted">{t('accounts.linkOver.text')}</p>
      {purpose !== 'email' && (
        <LinkButton href={purpose === 'sign-in' ? '/app/login' : '/app/forgot'}>
          {t('accounts.linkOver.newLink')}
        </LinkButton>
      )}
      {purpose !== 'sign-in' && (
        <p>
          <a href="/app/login">{t('accounts.backToLogin')}</a>
        </p>
      )}
    </>
  );
}
