import { perSite, type Site } from './site.ts';

const KEPT_MAX = 1_000;

interface Kept {
  readonly value: Promise<unknown>;
  readonly untilMs: number;
}

/**
 * How many items a filter of a large collection matches. Counting a hundred thousand rows costs more
 * than everything else of a request, so a total is counted once and kept until the collection
 * changes: whoever adds, removes or changes items calls `forget` after the commit. What another
 * process changes forgets everything. Where that is not told, since it happens all the time, `keptMs`
 * is how long one may go without it.
 */
class TotalCache {
  readonly #collections = new Map<string, Map<string, Kept>>();

  constructor(site: Site) {
    site.onForgetCallers(() => this.forget());
  }

  /** Those who ask while it is being counted wait for the same count, unless it was forgotten meanwhile. */
  find<T>(
    collection: string,
    filter: object,
    count: () => Promise<T>,
    { keptMs = Infinity } = {},
  ): Promise<T> {
    const kept = this.#of(collection);
    const key = JSON.stringify(filter);
    const nowMs = performance.now();
    const known = kept.get(key);
    if (known && known.untilMs > nowMs) return known.value as Promise<T>;
    const value = count();
    const counted = { value, untilMs: nowMs + keptMs };
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, counted);
    value.catch(() => {
      if (kept.get(key) === counted) kept.delete(key);
    });
    return value;
  }

  /** One collection, or all of them. */
  forget(collection?: string): void {
    if (collection !== undefined) this.#of(collection).clear();
    else this.#collections.clear();
  }

  #of(collection: string): Map<string, Kept> {
    let kept = this.#collections.get(collection);
    if (!kept) this.#collections.set(collection, (kept = new Map()));
    return kept;
  }
}

export const totalsOf = perSite((site) => new TotalCache(site));
