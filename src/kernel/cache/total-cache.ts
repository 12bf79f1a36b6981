import { BoundedMap } from '../../shared/bounded-map.ts';
import { perSite, type Site } from '../declare/site.ts';

const TOTALS_MAX = 1_000;

interface CachedTotal {
  readonly value: Promise<unknown>;
  readonly untilMs: number;
}

/**
 * Caches how many items of a large collection match a filter. Counting 100,000 rows costs more than
 * everything else in a request, so a total is counted once and cached until the collection changes: an
 * operation that adds, removes or changes items calls `forget` after the commit. A change by another
 * process empties the cache a fraction of a second later. Collections that change all the time do
 * not notify other instances; their totals are cached for `maxAgeMs`.
 *
 * A cached total may therefore miss changes by another process. Use `current` for decisions that must
 * include them.
 */
class TotalCache {
  readonly #database: Site['database'];
  readonly #monotonic: () => number;
  readonly #collections = new Map<string, Map<string, CachedTotal>>();

  constructor(site: Site) {
    this.#database = site.database;
    this.#monotonic = site.monotonic;
    site.onInvalidateCaches(() => this.forget());
  }

  /** Concurrent requests share one count, unless the cache was cleared in the meantime. */
  find<T>(
    collection: string,
    filter: object,
    count: () => Promise<T>,
    { maxAgeMs = Infinity } = {},
  ): Promise<T> {
    const totals = this.#of(collection);
    const key = JSON.stringify(filter);
    const nowMs = this.#monotonic();
    const known = totals.get(key);
    // A collection is counted by one function only, so its totals have one type.
    if (known && known.untilMs > nowMs) return known.value as Promise<T>;
    const value = count();
    const counted = { value, untilMs: nowMs + maxAgeMs };
    totals.set(key, counted);
    value.catch(() => {
      if (totals.get(key) === counted) totals.delete(key);
    });
    return value;
  }

  /** Like `find`, but includes everything that other processes have committed so far. */
  current<T>(
    collection: string,
    filter: object,
    count: () => Promise<T>,
    options: { maxAgeMs?: number } = {},
  ): Promise<T> {
    if (!this.#database.noticeForeignChange()) {
      this.#of(collection).delete(JSON.stringify(filter));
    }
    return this.find(collection, filter, count, options);
  }

  /** Removes the totals of one collection, or of all. */
  forget(collection?: string): void {
    if (collection !== undefined) this.#of(collection).clear();
    else this.#collections.clear();
  }

  #of(collection: string): Map<string, CachedTotal> {
    let totals = this.#collections.get(collection);
    if (!totals)
      this.#collections.set(collection, (totals = new BoundedMap<string, CachedTotal>(TOTALS_MAX)));
    return totals;
  }
}

export const totalsOf = perSite((site) => new TotalCache(site));
