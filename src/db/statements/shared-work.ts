import type { Transaction, BatchWork } from '../database.ts';

/** So many are done together at most: nobody waits for a set much longer than for itself. */
const TOGETHER_MAX = 100;

type InTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

interface Waiting {
  readonly item: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Does work for all that wait for it in one transaction: whoever comes first is served alone and at
 * once, and those who come meanwhile are the next set. A set costs few more trips to the server than one.
 */
export class SharedWork {
  readonly #inTransaction: InTransaction;
  readonly #queues = new Map<BatchWork<never, unknown>, Waiting[]>();

  constructor(inTransaction: InTransaction) {
    this.#inTransaction = inTransaction;
  }

  run<T, R>(work: BatchWork<T, R>, item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const queue = this.#queues.get(work);
      if (queue) queue.push(waiting);
      else void this.#drain(work as BatchWork<unknown, unknown>, [waiting]);
    });
  }

  async #drain(work: BatchWork<unknown, unknown>, queue: Waiting[]): Promise<void> {
    this.#queues.set(work, queue);
    while (queue.length > 0) await this.#serve(work, queue.splice(0, TOGETHER_MAX));
    this.#queues.delete(work);
  }

  async #serve(work: BatchWork<unknown, unknown>, some: readonly Waiting[]): Promise<void> {
    try {
      const items = some.map(({ item }) => item);
      const results = await this.#inTransaction((tx) => work(tx, items));
      for (const [i, { resolve }] of some.entries()) resolve(results[i]);
    } catch (error) {
      if (some.length === 1) return some[0]!.reject(error);
      // Each by itself, so that it is refused for reasons of its own alone.
      for (const one of some) await this.#serve(work, [one]);
    }
  }
}
