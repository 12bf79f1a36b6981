import { LinkButton } from '../ui/button.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';

export function AppliedPage({ isAccepted, statusUrl }: PageProps['applied']) {
  return (
    <>
      <h1>{t('public.applied.title')}</h1>
      <p>{t(isAccepted ? 'public.applied.accepted' : 'public.applied.pending')}</p>
      <p>
        <LinkButton href={statusUrl}>{t('public.applied.status')}</LinkButton>
      </p>
      <p>
        <a href="/">{t('public.backToProgram')}</a>
      </p>
    </>
  );
}
