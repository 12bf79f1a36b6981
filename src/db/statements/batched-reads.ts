import { setImmediate as tick } from 'node:timers/promises';
import { Coalescer, type PendingCall } from '../../shared/coalesce.ts';
import type { Reader } from '../database.ts';
import type { SharedKeyedQuery } from './keyed-query.ts';

/** A longer list would delay the other statements of its connection. */
const KEYS_MAX = 100;

/**
 * Reads by key that arrive in one tick of the event loop share one statement: a round trip costs more than
 * the row it fetches.
 */
export class BatchedReads {
  readonly #reader: Pick<Reader, 'allByKeys'>;
  readonly #byQuery = new Map<object, unknown>();

  constructor(reader: Pick<Reader, 'allByKeys'>) {
    this.#reader = reader;
  }

  /** Reads of the same key get the same rows, so no caller may change them. */
  all<K extends string | number, R>(query: SharedKeyedQuery<K, R>, key: K): Promise<R[]> {
    return this.#readsOf(query).add(key);
  }

  #readsOf<K extends string | number, R>(query: SharedKeyedQuery<K, R>): Coalescer<K, R[]> {
    // The reads of a query have its types, which the type of a map cannot express.
    const known = this.#byQuery.get(query) as Coalescer<K, R[]> | undefined;
    if (known) return known;
    const reads = new Coalescer<K, R[]>({
      gather: tick,
      max: KEYS_MAX,
      overlap: true,
      run: (batch) => this.#run(query, batch),
    });
    this.#byQuery.set(query, reads);
    return reads;
  }

  async #run<K extends string | number, R>(
    query: SharedKeyedQuery<K, R>,
    batch: readonly PendingCall<K, R[]>[],
  ): Promise<void> {
    const keys = [...new Set(batch.map(({ item }) => item))];
    const rows = await this.#reader.allByKeys(query, keys);
    const byKey = Map.groupBy(rows, (row): unknown => row[query.key]);
    for (const { item, resolve } of batch) resolve(byKey.get(item) ?? []);
  }
}
