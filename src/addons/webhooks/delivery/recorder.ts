import { setTimeout } from 'node:timers/promises';
import type { Transaction } from '../../../db/database.ts';
import { limitedLogOf } from '../../../kernel/declare/limited-log.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { emit } from '../../../modules/events/index.ts';
import { countOf } from '../../../shared/count-of.ts';
import { causeOf } from '../../../shared/limited-log.ts';
import { recordAttempts, type Attempt, type DueDelivery } from './delivery-store.ts';
import { afterAttempt, GONE } from './health.ts';
import { retryDelayMs } from './retry-schedule.ts';
import type { Outcome } from './post-delivery.ts';
import { webhookDisabled } from '../webhook-events.ts';
import { mailAdministrators } from '../webhook-mails.ts';
import { attemptsTotal } from '../webhook-metrics.ts';
import { findWebhook, lockWebhook, saveWebhook, type WebhookRow } from '../webhook-store.ts';

/** How long outcomes wait for others to be written with: a commit costs more than what is in it. */
const GATHER_MS = 40;

interface Made {
  delivery: DueDelivery;
  outcome: Outcome;
}

interface Batch {
  /** By delivery: where one was sent twice, what was told first counts. */
  readonly made: Map<number, Made>;
  readonly written: Promise<void>;
}

/**
 * Writes down what came of attempts. Those that end within a moment are written
 * together: thousands a second cost no more commits than a few.
 */
export class Recorder {
  readonly #site: Site;
  #gathering: Batch | undefined;
  #before: Promise<void> = Promise.resolve();

  constructor(site: Site) {
    this.#site = site;
  }

  /** Resolves when it is committed, and everything before it. */
  record(delivery: DueDelivery, outcome: Outcome): Promise<void> {
    this.#gathering ??= this.#begin();
    const { made } = this.#gathering;
    if (!made.has(delivery.id)) made.set(delivery.id, { delivery, outcome });
    return this.#gathering.written;
  }

  #begin(): Batch {
    const made = new Map<number, Made>();
    const written = this.#before.then(() => this.#write(made));
    this.#before = written;
    return { made, written };
  }

  async #write(made: ReadonlyMap<number, Made>): Promise<void> {
    try {
      await setTimeout(GATHER_MS);
      await this.#site.database.transaction((tx) => {
        this.#gathering = undefined;
        return recordAll(tx, this.#site, [...made.values()]);
      });
    } catch (error) {
      this.#gathering = undefined;
      // They are sent once more when their leases are over.
      limitedLogOf(this.#site).error(
        `webhook outcomes ${causeOf(error)}`,
        { err: error },
        'outcomes of webhook deliveries could not be recorded',
      );
    }
  }
}

async function recordAll(tx: Transaction, site: Site, batch: Made[]): Promise<void> {
  const byWebhook = Map.groupBy(batch, ({ delivery }) => delivery.webhook_id);
  // In one sequence, whoever records: nobody waits for somebody who waits for them.
  for (const webhookId of [...byWebhook.keys()].sort((a, b) => a - b)) {
    await lockWebhook(tx, webhookId);
    const all = byWebhook.get(webhookId)!;
    const counts = await recordAttempts(tx, all.map(toAttempt));
    const counted = all.filter((_, i) => counts[i]);
    const webhook = await findWebhook(tx, webhookId);
    if (webhook) await recordHealth(tx, site, webhook, counted);
    const good = counted.filter(({ outcome }) => outcome.error === '').length;
    tx.afterCommit(() => {
      attemptsTotal.increment(site, { outcome: 'delivered' }, good);
      attemptsTotal.increment(site, { outcome: 'failed' }, counted.length - good);
    });
  }
}

function toAttempt({ delivery, outcome }: Made): Attempt {
  const { atMs, code, error, durationMs } = outcome;
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
  const wait = Math.max(delay, outcome.retryAfterMs ?? 0);
  return { ...attempt, state: 'pending', due_at: atMs + wait };
}

async function recordHealth(
  tx: Transaction,
  site: Site,
  webhook: WebhookRow,
  made: Made[],
): Promise<void> {
  if (made.length === 0) return;
  const signs = made.map(({ outcome }) => outcome).sort((a, b) => a.atMs - b.atMs);
  let state: WebhookRow = webhook;
  for (const sign of signs) state = afterAttempt(state, sign);
  await saveWebhook(tx, state);
  tx.afterCommit(() => logHealth(site, state));
  if (webhook.status === 'active' && state.status === 'disabled')
    await tellDisabled(tx, site, state);
}

/** Without the path of the address, which often holds a token of the receiver. */
function logHealth(site: Site, { id, name, url, failures, last_error }: WebhookRow): void {
  const about = { webhook: id, name, host: new URL(url).host };
  const log = limitedLogOf(site);
  if (failures === 0) {
    log.recovered(`webhook ${id}`, about, 'deliveries to a webhook arrive again');
  } else {
    log.warn(
      `webhook ${id}`,
      { ...about, failures, reason: last_error },
      'deliveries to a webhook fail; they are tried again',
    );
  }
}

async function tellDisabled(tx: Transaction, site: Site, webhook: WebhookRow): Promise<void> {
  const { id, name, url, failures, last_error } = webhook;
  const about = { webhook: id, name, host: new URL(url).host, failures, reason: last_error };
  const nowMs = site.clock();
  await emit(tx, webhookDisabled, {
    objectId: id,
    userId: 0,
    info: `Webhook ${id} was disabled after ${countOf(failures, 'failed attempt')}.`,
    data: { webhook_id: id, failures, last_error },
    nowMs,
  });
  await mailAdministrators(tx, site, webhook, nowMs);
  tx.afterCommit(() => site.log.warn(about, 'a webhook was disabled'));
}
