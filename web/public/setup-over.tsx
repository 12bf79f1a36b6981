import { LinkButton } from '../ui/button.tsx';
import { t } from '../words.ts';

/** No administrator exists. */
export function NotSetUpPage() {
  return <NeedsSetup title={t('public.notSetUp.title')} />;
}

/** No administrator exists, and the link is missing, expired or wrong. */
export function SetupWithoutLinkPage() {
  return <NeedsSetup title={t('public.setup.needsLink')} />;
}

function NeedsSetup({ title }: { title: string }) {
  return (
    <>
      <h1>{title}</h1>
      <p>{t('public.notSetUp.text')}</p>
      <p>{t('public.notSetUp.newLink')}</p>
      <pre class="command">
        <code>./tributary setup</code>
      </pre>
    </>
  );
}

/** An administrator exists, so the setup is closed. */
export function SetupIsDonePage() {
  return (
    <>
      <h1>{t('public.setup.isDone')}</h1>
      <p>{t('public.setup.isDoneText')}</p>
      <p>
        <LinkButton href="/app/login">{t('public.program.signIn')}</LinkButton>
      </p>
      <p>
        <a href="/docs">{t('public.program.developers')}</a>
      </p>
    </>
  );
}
