import { BoundedMap } from '../../shared/bounded-map.ts';
import { perSite, type Site } from '../declare/site.ts';

const TOTALS_MAX = 1_000;

interface CachedTotal {
  readonly value: Promise<unknown>;
  readonly untilMs: number;
}

/**
 * How many items a filter of a large collection matches. Counting a hundred thousand rows costs more
 * than everything else of a request, so a total is counted once and cached until the collection
 * changes: an operation that adds, removes or changes items calls `forget` after the commit. A change by
 * another process empties the whole cache, a fraction of a second later. Collections that change all the
 * time do not notify other instances: `maxAgeMs` is how long their totals are cached.
 *
 * So a cached total may be outdated where another process writes. `current` is for decisions that must
 * not rest on that.
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
    if (known && known.untilMs > nowMs) return known.value as Promise<T>;
    const value = count();
    const counted = { value, untilMs: nowMs + maxAgeMs };
    totals.set(key, counted);
    value.catch(() => {
      if (totals.get(key) === counted) totals.delete(key);
    });
    return value;
  }

  /** The same, and nothing that another process has committed by now is missing. */
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

  /** One collection, or all of them. */
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
