import type { Site } from '../../../src/kernel/declare/site.ts';
import {
  correctWaits,
  dispatchers,
  type DeliveryUse,
  type FinishedAttempt,
} from '../../../src/modules/deliveries/index.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { countOf } from '../../../src/shared/count-of.ts';
import { messageBody, messageId, signedHeaders } from '../../../src/shared/standard-webhooks.ts';
import { webhookTables } from '../tables.ts';
import { decryptSecret } from '../webhook/secret.ts';
import { webhookDisabled } from '../webhook/webhook-events.ts';
import { mailAdministrators } from '../webhook/webhook-mails.ts';
import { attemptsTotal } from '../webhook/webhook-metrics.ts';
import type { WebhookRow } from '../webhook/webhook-rows.ts';
import { insertAttempts, type AttemptRow } from './attempt-rows.ts';
import { webhookClient } from './client.ts';
import { addToDays, type WebhookDay } from './day-rows.ts';
import { due, type DueEvent } from './delivery-rows.ts';

/** The URL of a webhook, and the secret to sign with. */
interface Target {
  readonly url: URL;
  readonly secret: string;
}

const webhookDeliveries: DeliveryUse<WebhookRow, DueEvent, Target> = {
  name: 'webhook',
  tables: webhookTables,
  client: webhookClient,
  disableRule: { failures: 25, forMs: 24 * 60 * 60_000 },
  attemptsTotal,
  due,
  targetOf: (site, webhook) => ({
    url: new URL(webhook.url),
    secret: decryptSecret(site, webhook),
  }),
  requestOf(site, { url, secret }, delivery) {
    const id = messageId(delivery.event_id);
    const body = messageBody({
      type: delivery.event,
      id: delivery.event_id,
      occurredAtMs: delivery.occurred_at,
      data: delivery.data,
    });
    const headers = signedHeaders(secret, { id, body, nowMs: site.clock() });
    return { method: 'POST', url, headers, body };
  },
  async recorded(tx, site, attempts) {
    await addToDays(tx, daysOf(attempts, site));
    await insertAttempts(tx, attempts.filter(needsRow).map(toAttemptRow));
  },
  async disabled(tx, site, webhook) {
    const { id, failures, last_error } = webhook;
    const nowMs = site.clock();
    emit(tx, webhookDisabled, {
      objectId: id,
      userId: 0,
      info: `Webhook ${id} was disabled after ${countOf(failures, 'failed attempt')}.`,
      data: { webhook_id: id, failures, last_error },
      nowMs,
    });
    await mailAdministrators(tx, site, webhook, nowMs);
  },
  about: ({ id, name, url }) => ({ webhook: id, name, host: new URL(url).host }),
  log: {
    failing: (log, key, facts) =>
      log.warn(key, facts, 'webhook deliveries fail and will be retried'),
    recovered: (log, key, facts) => log.recovered(key, facts, 'webhook deliveries succeed again'),
    disabled: (log, facts) => log.warn(facts, 'webhook disabled'),
    interrupted: (log, key, facts) => log.error(key, facts, 'webhook deliveries were interrupted'),
    unrecorded: (log, key, facts) =>
      log.error(key, facts, 'results of webhook deliveries could not be recorded'),
  },
};

export const dispatcherOf = dispatchers(webhookDeliveries);
export const correctWebhookWaits = correctWaits(webhookDeliveries);

/** A first attempt that succeeds is fully described by its delivery. */
function needsRow({ delivery, result }: FinishedAttempt<DueEvent>): boolean {
  return result.error !== '' || delivery.attempts > 0;
}

function toAttemptRow({ delivery, result }: FinishedAttempt<DueEvent>): AttemptRow {
  const { atMs, durationMs, code, error, answer } = result;
  return {
    delivery_id: delivery.id,
    number: delivery.attempts + 1,
    attempted_at: atMs,
    duration_ms: durationMs,
    code,
    error,
    answer_headers: answer?.headers ?? '',
    answer: answer?.body ?? '',
  };
}

/** The results as figures of their days. */
function daysOf(attempts: readonly FinishedAttempt<DueEvent>[], { calendar }: Site): WebhookDay[] {
  const byDay = Map.groupBy(
    attempts,
    ({ delivery, result }) => `${delivery.receiver} ${calendar.dayOf(result.atMs)}`,
  );
  return [...byDay.values()].map((all) => {
    const [{ delivery, result }] = all as [FinishedAttempt<DueEvent>];
    const failed = all.map((one) => one.result).filter(({ error }) => error !== '');
    const last = failed.toSorted((a, b) => a.atMs - b.atMs).at(-1);
    return {
      webhook_id: delivery.receiver,
      day: calendar.dayOf(result.atMs),
      delivered: all.length - failed.length,
      failed: failed.length,
      last_error: last?.error ?? '',
      last_error_at: last?.atMs ?? null,
    };
  });
}
