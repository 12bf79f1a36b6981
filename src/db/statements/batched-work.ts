import { Coalescer, type PendingCall } from '../../shared/coalesce.ts';
import type { BatchWork, Transaction } from '../database.ts';
import { DatabaseUnavailable, UnknownOutcome } from '../unavailable.ts';

/** In a larger batch each call would wait much longer than for a transaction that it has alone. */
const BATCH_MAX = 100;

type InTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
type AnyWork = BatchWork<unknown, unknown>;

/**
 * Runs the same work for many items in one transaction. The first item runs alone and immediately; the items
 * that arrive while it runs form the next batch, which takes hardly more round trips than one item.
 */
export class BatchedWork {
  readonly #inTransaction: InTransaction;
  readonly #byWork = new WeakMap<AnyWork, Coalescer<unknown, unknown>>();

  constructor(inTransaction: InTransaction) {
    this.#inTransaction = inTransaction;
  }

  run<T, R>(work: BatchWork<T, R>, item: T): Promise<R> {
    // The batches of a work have its types, which the type of a map cannot express.
    return this.#batchesOf(work as AnyWork).add(item) as Promise<R>;
  }

  #batchesOf(work: AnyWork): Coalescer<unknown, unknown> {
    let batches = this.#byWork.get(work);
    if (!batches) {
      batches = new Coalescer({ max: BATCH_MAX, run: (batch) => this.#run(work, batch) });
      this.#byWork.set(work, batches);
    }
    return batches;
  }

  async #run(work: AnyWork, batch: readonly PendingCall<unknown, unknown>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await this.#inTransaction((tx) => work(tx, items));
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]);
    } catch (error) {
      if (batch.length === 1 || concernsAll(error)) throw error;
      // Each runs alone, so that each is refused for its own reasons only.
      for (const one of batch) await this.#run(work, [one]).catch(one.reject);
    }
  }
}

/** Alone, each item would wait for the same server; and what may be stored must not be reported as refused. */
function concernsAll(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || error instanceof UnknownOutcome;
}
