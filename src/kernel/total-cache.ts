import { perSite, type Site } from './site.ts';

const KEPT_MAX = 1_000;

interface Kept {
  readonly value: unknown;
  readonly untilMs: number;
}

/** What is kept of one collection. */
class Collection {
  readonly kept = new Map<string, Kept>();
  changes = 0;

  forget(): void {
    this.changes += 1;
    this.kept.clear();
  }
}

/**
 * How many items a filter of a large collection matches. Counting a hundred thousand rows costs more
 * than everything else of a request, so a total is counted once and kept until the collection
 * changes: whoever adds, removes or changes items calls `forget` after the commit. What another
 * process changes forgets everything. Where that is not told, since it happens all the time, `keptMs`
 * is how long one may go without it.
 */
class TotalCache {
  readonly #collections = new Map<string, Collection>();

  constructor(site: Site) {
    site.onForgetCallers(() => this.forget());
  }

  async find<T>(
    name: string,
    filter: object,
    count: () => Promise<T>,
    { keptMs = Infinity } = {},
  ): Promise<T> {
    const collection = this.#of(name);
    const key = JSON.stringify(filter);
    const known = collection.kept.get(key);
    const nowMs = performance.now();
    if (known && known.untilMs > nowMs) return known.value as T;
    const { changes } = collection;
    const value = await count();
    // What was counted before a change must not be kept after it.
    if (changes === collection.changes) {
      if (collection.kept.size >= KEPT_MAX) collection.kept.clear();
      collection.kept.set(key, { value, untilMs: nowMs + keptMs });
    }
    return value;
  }

  /** One collection, or all of them. */
  forget(name?: string): void {
    if (name !== undefined) return this.#of(name).forget();
    for (const collection of this.#collections.values()) collection.forget();
  }

  #of(name: string): Collection {
    let collection = this.#collections.get(name);
    if (!collection) this.#collections.set(name, (collection = new Collection()));
    return collection;
  }
}

export const totalsOf = perSite((site) => new TotalCache(site));
