import { t } from '../words.ts';

export function ApplyStatusUnknownPage() {
  return (
    <>
      <h1>{t('public.status.unknownTitle')}</h1>
      <p>{t('public.status.unknownText')}</p>
      <p>
        <a href="/">{t('public.backToProgram')}</a>
      </p>
    </>
  );
}
