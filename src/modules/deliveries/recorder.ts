import { setTimeout } from 'node:timers/promises';
import type { Transaction } from '../../db/database.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { Coalescer, type PendingCall } from '../../shared/coalesce.ts';
import { causeOf } from '../../shared/limited-log.ts';
import type { Attempt, DeliveryStatements } from './delivery-statements.ts';
import {
  lockReceiver,
  type DeliveryUse,
  type DueDelivery,
  type FinishedAttempt,
} from './delivery-use.ts';
import type { Receiver } from './delivery-columns.ts';
import type { DeliveryResult } from './exchange.ts';
import { afterAttempt, GONE } from './health.ts';
import { retryDelayMs } from './retry-schedule.ts';

/** How long a batch collects results: a commit costs more than the rows in it. */
const BATCH_MS = 40;

/**
 * Records the results of attempts in batches, so that thousands a second need no more commits than
 * a few.
 */
export class Recorder<R extends Receiver, D extends DueDelivery, T> {
  readonly #site: Site;
  readonly #use: DeliveryUse<R, D, T>;
  readonly #statements: DeliveryStatements<D>;
  readonly #results = new Coalescer<FinishedAttempt<D>, void>({
    gather: () => setTimeout(BATCH_MS),
    run: (batch) => this.#write(batch),
  });

  constructor(site: Site, use: DeliveryUse<R, D, T>, statements: DeliveryStatements<D>) {
    this.#site = site;
    this.#use = use;
    this.#statements = statements;
  }

  /** Resolves when this result and all earlier ones are committed. */
  record(delivery: D, result: DeliveryResult): Promise<void> {
    return this.#results.add({ delivery, result });
  }

  async #write(batch: readonly PendingCall<FinishedAttempt<D>, void>[]): Promise<void> {
    const attempts = new Map<number, FinishedAttempt<D>>();
    for (const { item } of batch) {
      // A delivery whose lease ended early may have been sent twice: the first result counts.
      if (!attempts.has(item.delivery.id)) attempts.set(item.delivery.id, item);
    }
    try {
      await this.#site.database.transaction((tx) => this.#recordAll(tx, [...attempts.values()]));
    } catch (error) {
      // The deliveries are sent again when their leases end.
      const { name, log } = this.#use;
      const key = `${name} results ${causeOf(error)}`;
      log.unrecorded(limitedLogOf(this.#site), key, { err: error });
    }
    for (const { resolve } of batch) resolve();
  }

  async #recordAll(tx: Transaction, batch: FinishedAttempt<D>[]): Promise<void> {
    const [site, use] = [this.#site, this.#use];
    const byReceiver = Map.groupBy(batch, ({ delivery }) => delivery.receiver);
    // Locks receivers in the order of their ids, so that concurrent transactions cannot deadlock.
    for (const id of [...byReceiver.keys()].sort((a, b) => a - b)) {
      await lockReceiver(tx, use, id);
      const all = byReceiver.get(id)!;
      const counts = await this.#statements.record(tx, all.map(toAttempt));
      const counted = all.filter((_, i) => counts[i]);
      const receiver = await use.find(tx, id);
      if (receiver) await this.#recordHealth(tx, receiver, counted);
      await use.recorded(tx, site, receiver, counted);
      const good = counted.filter(({ result }) => result.error === '').length;
      tx.afterCommit(() => {
        use.attemptsTotal.increment(site, { outcome: 'delivered' }, good);
        use.attemptsTotal.increment(site, { outcome: 'failed' }, counted.length - good);
      });
    }
  }

  async #recordHealth(
    tx: Transaction,
    receiver: R,
    attempts: readonly FinishedAttempt<D>[],
  ): Promise<void> {
    if (attempts.length === 0) return;
    const [site, use] = [this.#site, this.#use];
    const results = attempts.map(({ result }) => result).sort((a, b) => a.atMs - b.atMs);
    let state = receiver;
    for (const result of results) state = afterAttempt(state, result, use.disableRule);
    await use.save(tx, state);
    tx.afterCommit(() => logHealth(site, use, state));
    if (receiver.status === 'active' && state.status === 'disabled') {
      await use.disabled(tx, site, state);
      const { failures, last_error: reason } = state;
      const about = { ...use.about(state), failures, reason };
      tx.afterCommit(() => use.log.disabled(site.log, about));
    }
  }
}

function toAttempt({ delivery, result }: FinishedAttempt<DueDelivery>): Attempt {
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

function logHealth<R extends Receiver, D extends DueDelivery, T>(
  site: Site,
  { name, about, log }: DeliveryUse<R, D, T>,
  receiver: R,
): void {
  const { id, failures, last_error: reason } = receiver;
  const [limited, key] = [limitedLogOf(site), `${name} ${id}`];
  if (failures === 0) log.recovered(limited, key, about(receiver));
  else log.failing(limited, key, { ...about(receiver), failures, reason });
}
