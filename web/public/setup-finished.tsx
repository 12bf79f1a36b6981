import { Button, LinkButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { t } from '../words.ts';
import type { PageProps } from '../../src/web-contract/page-props.ts';
import { SetupProgress } from './setup-progress.tsx';
import './form.css';
import './setup-finished.css';

type Props = PageProps['setup-finished'];

/**
 * The last page of the setup: the way to the store, what to do next, and a first key for developers. Mail and backup, which
 * need the machine, are steps of the overview.
 */
export function SetupFinishedPage({ login, key, lines, applyUrl, isPlainHttp }: Props) {
  const [affiliate, order, commission] = lines;
  return (
    <>
      <header class="form-head">
        <SetupProgress step="finished" />
        <h1>{t('public.setup.finished')}</h1>
        <p class="muted">{t('public.setup.signedIn', { login })}</p>
      </header>
      {isPlainHttp && <Notice kind="warn">{t('public.setup.plainHttp')}</Notice>}
      <section class="stack">
        <p>{t('public.setup.connectText')}</p>
        <div class="form-buttons">
          <LinkButton href="/console/stores?connect=choose">{t('public.setup.connect')}</LinkButton>
          <LinkButton kind="quiet" href="/console">
            {t('public.setup.console')}
          </LinkButton>
        </div>
      </section>
      <section class="stack" aria-labelledby="next-title">
        <h2 id="next-title">{t('public.setup.checklist')}</h2>
        <ol class="setup-list">
          <li>
            <strong>{t('public.setup.todoApply')}</strong>
            <p>
              {t('public.setup.todoApplyText')} <a href="/apply">{applyUrl}</a>
            </p>
          </li>
          <li>
            <strong>{t('public.setup.todoProgram')}</strong>
            <p>
              <a href="/">{t('public.setup.todoProgramText')}</a>
            </p>
          </li>
        </ol>
      </section>
      <details class="form-more">
        <summary>{t('public.setup.try')}</summary>
        <div class="stack">
          <p>
            {t('public.setup.keyText')} {t('public.setup.todoOrdersText')}{' '}
            <a href="/docs">{t('public.setup.reference')}</a>
          </p>
          <pre class="command">
            <code id="key">{key}</code>
          </pre>
          <p role="status">
            <Button
              type="button"
              kind="quiet"
              data-copies="key"
              data-done={t('common.copied')}
              hidden
            >
              {t('common.copy')}
            </Button>
          </p>
          <p>{t('public.setup.tryText')}</p>
          <Line title={t('public.setup.tryAffiliate')} line={affiliate} />
          <Line title={t('public.setup.tryOrder')} line={order} />
          <Line title={t('public.setup.tryCommission')} line={commission} />
        </div>
      </details>
    </>
  );
}

function Line({ title, line }: { title: string; line: string }) {
  return (
    <div>
      <p>{title}</p>
      <pre class="command">
        <code>{line}</code>
      </pre>
    </div>
  );
}
