import type { WebhookDeliveryDetails } from '../../../sdk/src/index.ts';
import { api } from '../../../web/api.ts';
import { refresh, useData, useRefreshing } from '../../../web/data.ts';
import { formatDate } from '../../../web/format.ts';
import { Dialog } from '../../../web/ui/dialog.tsx';
import { Pending } from '../../../web/ui/error-state.tsx';
import { Facts } from '../../../web/ui/facts.tsx';
import { Form } from '../../../web/ui/form.tsx';
import { Notice } from '../../../web/ui/notice.tsx';
import { t } from '../../../web/words.ts';
import { DeliveryPill } from './delivery-list.tsx';

const POLL_MS = 2_000;

interface DeliveryDialogProps {
  webhookId: number;
  deliveryId: number;
  /** A webhook that is switched off sends nothing. */
  isActive: boolean;
  onClose(): void;
}

/** One event for one webhook: what was sent, and each attempt with its answer. */
export function DeliveryDialog({ webhookId, deliveryId, isActive, onClose }: DeliveryDialogProps) {
  const { data, error, retry } = useData('webhook', { id: webhookId, deliveryId }, () =>
    api.webhooks.deliveries.get(webhookId, deliveryId),
  );
  // The attempt is made in the background, so the dialog looks again until it is over.
  const isPending = data?.state === 'pending';
  useRefreshing(isPending ? POLL_MS : undefined, ['webhook', { id: webhookId }]);
  return (
    <Dialog
      title={t('console-webhooks.deliveryTitle', { id: String(data?.event_id ?? '') })}
      onClose={onClose}
    >
      {data ? (
        <>
          <DeliveryFacts delivery={data} />
          {isActive && (
            <Form
              action={t('console-webhooks.redeliver')}
              done={t('console-webhooks.queued')}
              submit={async (_values, options) => {
                await api.webhooks.deliveries.redeliver(webhookId, deliveryId, options);
                await refresh(['webhook', { id: webhookId }], 'webhooks');
              }}
            />
          )}
          <AttemptLog delivery={data} />
          <Source title={t('console-webhooks.request')} text={indented(data.body)} />
        </>
      ) : (
        <Pending error={error} retry={retry} lines={8} />
      )}
    </Dialog>
  );
}

function DeliveryFacts({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const { event, state, error, date_next, url } = delivery;
  return (
    <>
      <Facts
        facts={[
          { name: t('console-webhooks.event'), value: event },
          { name: t('console-webhooks.url'), value: url },
          { name: t('console-webhooks.state'), value: <DeliveryPill state={state} /> },
          date_next !== null && {
            name: t('console-webhooks.next'),
            value: formatDate(date_next, 'time'),
          },
        ]}
      />
      {error !== '' && <Notice kind={state === 'failed' ? 'bad' : 'warn'}>{error}</Notice>}
    </>
  );
}

function AttemptLog({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const { attempt_log: attempts } = delivery;
  return (
    <section class="stack">
      <h3>{t('console-webhooks.attemptLog')}</h3>
      {attempts.length === 0 && <p class="muted">{t('console-webhooks.noAttempts')}</p>}
      {attempts.map(({ number, date, code, duration_ms: ms, error, ...attempt }, position) => (
        <details key={number} class="attempt" open={position === 0}>
          <summary>
            {t('console-webhooks.attempt', { number })}
            <span class="muted figures">
              {code === null
                ? t('console-webhooks.attemptNone', { ms })
                : t('console-webhooks.attemptCode', { code: String(code), ms })}
            </span>
            <span class="muted">{formatDate(date, 'time')}</span>
          </summary>
          {error !== '' && <p>{error}</p>}
          <Source
            title={t('console-webhooks.requestHeaders')}
            text={headerLines(attempt.request_headers)}
          />
          {attempt.answer && (
            <Source
              title={t('console-webhooks.answerHeaders')}
              text={[headerLines(attempt.answer.headers), attempt.answer.body]
                .filter((part) => part !== '')
                .join('\n\n')}
            />
          )}
        </details>
      ))}
    </section>
  );
}

function Source({ title, text }: { title: string; text: string }) {
  return (
    <figure class="source">
      <figcaption class="muted">{title}</figcaption>
      <pre tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </figure>
  );
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
