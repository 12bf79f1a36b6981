import { setTimeout } from 'node:timers/promises';
import type { Transaction } from '../../../db/database.ts';
import { limitedLogOf } from '../../../kernel/declare/limited-log.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { emit } from '../../../modules/events/index.ts';
import { Coalescer, type PendingCall } from '../../../shared/coalesce.ts';
import { countOf } from '../../../shared/count-of.ts';
import { causeOf } from '../../../shared/limited-log.ts';
import { insertAttempts, type AttemptRow } from './attempt-rows.ts';
import { addToDays, type WebhookDay } from './day-rows.ts';
import { recordAttempts, type Attempt, type DueDelivery } from './delivery-rows.ts';
import { afterAttempt, GONE } from './health.ts';
import { retryDelayMs } from './retry-schedule.ts';
import type { DeliveryResult } from './post-delivery.ts';
import { webhookDisabled } from '../webhook/webhook-events.ts';
import { mailAdministrators } from '../webhook/webhook-mails.ts';
import { attemptsTotal } from '../webhook/webhook-metrics.ts';
import { findWebhook, lockWebhook, saveWebhook, type WebhookRow } from '../webhook/webhook-rows.ts';

/** How long a batch collects results: a commit costs more than the rows in it. */
const BATCH_MS = 40;

interface FinishedAttempt {
  delivery: DueDelivery;
  result: DeliveryResult;
}

/**
 * Records the results of attempts in batches, so that thousands a second need no more commits than
 * a few.
 */
export class Recorder {
  readonly #site: Site;
  readonly #results = new Coalescer<FinishedAttempt, void>({
    gather: () => setTimeout(BATCH_MS),
    run: (batch) => this.#write(batch),
  });

  constructor(site: Site) {
    this.#site = site;
  }

  /** Resolves when this result and all earlier ones are committed. */
  record(delivery: DueDelivery, result: DeliveryResult): Promise<void> {
    return this.#results.add({ delivery, result });
  }

  async #write(batch: readonly PendingCall<FinishedAttempt, void>[]): Promise<void> {
    const attempts = new Map<number, FinishedAttempt>();
    for (const { item } of batch) {
      // A delivery whose lease ended early may have been sent twice: the first result counts.
      if (!attempts.has(item.delivery.id)) attempts.set(item.delivery.id, item);
    }
    try {
      await this.#site.database.transaction((tx) =>
        recordAll(tx, this.#site, [...attempts.values()]),
      );
    } catch (error) {
      // The deliveries are sent again when their leases end.
      limitedLogOf(this.#site).error(
        `webhook results ${causeOf(error)}`,
        { err: error },
        'results of webhook deliveries could not be recorded',
      );
    }
    for (const { resolve } of batch) resolve();
  }
}

async function recordAll(tx: Transaction, site: Site, batch: FinishedAttempt[]): Promise<void> {
  const byWebhook = Map.groupBy(batch, ({ delivery }) => delivery.webhook_id);
  // Locks webhooks in the order of their ids, so that concurrent transactions cannot deadlock.
  for (const webhookId of [...byWebhook.keys()].sort((a, b) => a - b)) {
    await lockWebhook(tx, webhookId);
    const all = byWebhook.get(webhookId)!;
    const counts = await recordAttempts(tx, all.map(toAttempt));
    const counted = all.filter((_, i) => counts[i]);
    const webhook = await findWebhook(tx, webhookId);
    if (webhook) await recordHealth(tx, site, webhook, counted);
    if (webhook) await addToDays(tx, daysOf(webhookId, counted, site));
    await insertAttempts(tx, counted.filter(needsRow).map(toAttemptRow));
    const good = counted.filter(({ result }) => result.error === '').length;
    tx.afterCommit(() => {
      attemptsTotal.increment(site, { outcome: 'delivered' }, good);
      attemptsTotal.increment(site, { outcome: 'failed' }, counted.length - good);
    });
  }
}

function toAttempt({ delivery, result }: FinishedAttempt): Attempt {
  const { atMs, code, error, durationMs } = result;
  const attempt = {
    id: delivery.id,
    attempts: delivery.attempts + 1,
    code,
    error,
    attempted_at: atMs,
    duration_ms: durationMs,
  };
  if (error === '') return { ...attempt, state: 'delivered', due_at: null };
  const delay = retryDelayMs(attempt.attempts - delivery.attempts_before);
  if (delay === undefined || code === GONE) return { ...attempt, state: 'failed', due_at: null };
  const wait = Math.max(delay, result.retryAfterMs ?? 0);
  return { ...attempt, state: 'pending', due_at: atMs + wait };
}

/** A first attempt that succeeds is fully described by its delivery. */
function needsRow({ delivery, result }: FinishedAttempt): boolean {
  return result.error !== '' || delivery.attempts > 0;
}

function toAttemptRow({ delivery, result }: FinishedAttempt): AttemptRow {
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

/** The results as figures of their days, usually of one day. */
function daysOf(webhookId: number, attempts: FinishedAttempt[], { calendar }: Site): WebhookDay[] {
  const byDay = Map.groupBy(attempts, ({ result }) => calendar.dayOf(result.atMs));
  return [...byDay].map(([day, all]) => {
    const failed = all.map(({ result }) => result).filter(({ error }) => error !== '');
    const last = failed.toSorted((a, b) => a.atMs - b.atMs).at(-1);
    return {
      webhook_id: webhookId,
      day,
      delivered: all.length - failed.length,
      failed: failed.length,
      last_error: last?.error ?? '',
      last_error_at: last?.atMs ?? null,
    };
  });
}

async function recordHealth(
  tx: Transaction,
  site: Site,
  webhook: WebhookRow,
  attempts: FinishedAttempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  const results = attempts.map(({ result }) => result).sort((a, b) => a.atMs - b.atMs);
  let state: WebhookRow = webhook;
  for (const result of results) state = afterAttempt(state, result);
  await saveWebhook(tx, state);
  tx.afterCommit(() => logHealth(site, state));
  if (webhook.status === 'active' && state.status === 'disabled')
    await reportDisabled(tx, site, state);
}

/** Logs the host only: the path often contains a token of the receiver. */
function logHealth(site: Site, { id, name, url, failures, last_error }: WebhookRow): void {
  const about = { webhook: id, name, host: new URL(url).host };
  const log = limitedLogOf(site);
  if (failures === 0) {
    log.recovered(`webhook ${id}`, about, 'webhook deliveries succeed again');
  } else {
    log.warn(
      `webhook ${id}`,
      { ...about, failures, reason: last_error },
      'webhook deliveries fail and will be retried',
    );
  }
}

async function reportDisabled(tx: Transaction, site: Site, webhook: WebhookRow): Promise<void> {
  const { id, name, url, failures, last_error } = webhook;
  const about = { webhook: id, name, host: new URL(url).host, failures, reason: last_error };
  const nowMs = site.clock();
  emit(tx, webhookDisabled, {
    objectId: id,
    userId: 0,
    info: `Webhook ${id} was disabled after ${countOf(failures, 'failed attempt')}.`,
    data: { webhook_id: id, failures, last_error },
    nowMs,
  });
  await mailAdministrators(tx, site, webhook, nowMs);
  tx.afterCommit(() => site.log.warn(about, 'webhook disabled'));
}
