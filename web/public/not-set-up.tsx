import { t } from '../words.ts';

export function NotSetUpPage() {
  return (
    <>
      <h1>{t('public.notSetUp.title')}</h1>
      <p>{t('public.notSetUp.text')}</p>
      <p>{t('public.notSetUp.newLink')}</p>
      <pre class="command">
        <code>./tributary setup</code>
      </pre>
    </>
  );
}
