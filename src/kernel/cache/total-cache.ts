import { BoundedMap } from '../../shared/bounded-map.ts';
import { perSite, type Site } from '../declare/site.ts';

const KEPT_MAX = 1_000;

interface Kept {
  readonly value: Promise<unknown>;
  readonly untilMs: number;
}

/**
 * How many items a filter of a large collection matches. Counting a hundred thousand rows costs more
 * than everything else of a request, so a total is counted once and cached until the collection
 * changes: an operation that adds, removes or changes items calls `forget` after the commit. A change by
 * another process empties the whole cache, a fraction of a second later. Collections that change all the
 * time do not notify other instances: `keptMs` is how long their totals are cached.
 *
 * So a cached total may be outdated where another process writes. `current` is for decisions that must
 * not rest on that.
 */
class TotalCache {
  readonly #database: Site['database'];
  readonly #monotonic: () => number;
  readonly #collections = new Map<string, Map<string, Kept>>();

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
    { keptMs = Infinity } = {},
  ): Promise<T> {
    const kept = this.#of(collection);
    const key = JSON.stringify(filter);
    const nowMs = this.#monotonic();
    const known = kept.get(key);
    if (known && known.untilMs > nowMs) return known.value as Promise<T>;
    const value = count();
    const counted = { value, untilMs: nowMs + keptMs };
    kept.set(key, counted);
    value.catch(() => {
      if (kept.get(key) === counted) kept.delete(key);
    });
    return value;
  }

  /** The same, and nothing that another process has committed by now is missing. */
  current<T>(
    collection: string,
    filter: object,
    count: () => Promise<T>,
    options: { keptMs?: number } = {},
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

  #of(collection: string): Map<string, Kept> {
    let kept = this.#collections.get(collection);
    if (!kept) this.#collections.set(collection, (kept = new BoundedMap<string, Kept>(KEPT_MAX)));
    return kept;
  }
}

export const totalsOf = perSite((site) => new TotalCache(site));
