import { setTimeout } from 'node:timers/promises';
import type { Transaction } from '../../db/database.ts';
import { limitedLogOf } from '../../kernel/declare/limited-log.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { Coalescer, type PendingCall } from '../../shared/coalesce.ts';
import { causeOf } from '../../shared/limited-log.ts';
import type { Receiver } from './delivery-columns.ts';
import type { Attempt, DeliveryStatements } from './delivery-statements.ts';
import {
  lockReceiver,
  type DeliveryUse,
  type DueDelivery,
  type FinishedAttempt,
} from './delivery-use.ts';
import type { DeliveryResult } from './exchange.ts';
import { afterAttempt, GONE } from './health.ts';
import type { ReceiverStatements } from './receiver-statements.ts';
import { retryDelayMs } from './retry-schedule.ts';

/** How long a batch collects results: a commit costs more than the rows in it. */
const BATCH_MS = 40;
/** Results recorded in one transaction, which blocks other writers for a few milliseconds. */
const RESULTS_MAX = 128;

export interface RecorderContext<R extends Receiver, D extends DueDelivery, T> {
  readonly site: Site;
  readonly use: DeliveryUse<R, D, T>;
  readonly statements: DeliveryStatements<D>;
  readonly receivers: ReceiverStatements<R>;
}

/**
 * Records the results of attempts in batches, so that thousands a second need no more commits than
 * a few.
 */
export class Recorder<R extends Receiver, D extends DueDelivery, T> {
  readonly #site: Site;
  readonly #use: DeliveryUse<R, D, T>;
  readonly #statements: DeliveryStatements<D>;
  readonly #receivers: ReceiverStatements<R>;
  readonly #results: Coalescer<FinishedAttempt<D>, void> = new Coalescer({
    gather: () => setTimeout(this.#results.waiting.length < RESULTS_MAX ? BATCH_MS : 0),
    max: RESULTS_MAX,
    run: (batch) => this.#write(batch),
  });

  constructor({ site, use, statements, receivers }: RecorderContext<R, D, T>) {
    this.#site = site;
    this.#use = use;
    this.#statements = statements;
    this.#receivers = receivers;
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
      await this.#site.database.transaction((tx) => this.#recordAll(tx, [...attempts.values()]), {
        background: true,
      });
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
    const ids = [...new Set(batch.map(({ delivery }) => delivery.receiver))].sort((a, b) => a - b);
    // Locks receivers in the order of their ids, so that concurrent transactions cannot deadlock.
    await Promise.all(ids.map((id) => lockReceiver(tx, use, id)));
    const isCounted = await this.#statements.record(tx, batch.map(toAttempt));
    const counted = batch.filter((_, i) => isCounted[i]);
    const good = counted.filter(({ result }) => result.error === '').length;
    tx.afterCommit(() => {
      use.attemptsTotal.increment(site, { outcome: 'delivered' }, good);
      use.attemptsTotal.increment(site, { outcome: 'failed' }, counted.length - good);
    });
    const receivers = await this.#receivers.list(tx, ids);
    const known = new Set(receivers.map(({ id }) => id));
    await this.#recordHealth(tx, receivers, counted);
    const ofKnown = counted.filter(({ delivery }) => known.has(delivery.receiver));
    await use.recorded(tx, site, ofKnown);
  }

  async #recordHealth(
    tx: Transaction,
    receivers: readonly R[],
    attempts: readonly FinishedAttempt<D>[],
  ): Promise<void> {
    const [site, use] = [this.#site, this.#use];
    const byReceiver = Map.groupBy(attempts, ({ delivery }) => delivery.receiver);
    const attempted = receivers.filter(({ id }) => byReceiver.has(id));
    const states = attempted.map((receiver) =>
      byReceiver
        .get(receiver.id)!
        .map(({ result }) => result)
        .sort((a, b) => a.atMs - b.atMs)
        .reduce((state, result) => afterAttempt(state, result, use.disableRule), receiver),
    );
    await this.#receivers.save(tx, states);
    for (const [i, state] of states.entries()) {
      tx.afterCommit(() => logHealth(site, use, state));
      if (attempted[i]!.status !== 'active' || state.status !== 'disabled') continue;
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
