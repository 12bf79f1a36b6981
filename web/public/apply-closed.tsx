import { t } from '../words.ts';

export function ApplyClosedPage() {
  return (
    <>
      <h1>{t('public.applyClosed.title')}</h1>
      <p>{t('public.applyClosed.text')}</p>
      <p>
        <a href="/">{t('public.backToProgram')}</a>
      </p>
    </>
  );
}
