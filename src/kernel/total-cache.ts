import { perSite, type Site } from './site.ts';

const KEPT_MAX = 1_000;

/**
 * How many items a filter of a large collection matches. Counting a hundred thousand rows costs more
 * than everything else of a request, so a total is counted once and kept until the collection
 * changes: whoever adds, removes or changes items calls `forget` after the commit. What another
 * process changes forgets everything.
 */
class TotalCache {
  readonly #totals = new Map<string, number>();
  #changes = 0;

  constructor(site: Site) {
    site.onForgetCallers(() => this.forget());
  }

  async find(collection: string, filter: object, count: () => Promise<number>): Promise<number> {
    const key = `${collection} ${JSON.stringify(filter)}`;
    const known = this.#totals.get(key);
    if (known !== undefined) return known;
    const changes = this.#changes;
    const total = await count();
    // What was counted before a change must not be kept after it.
    if (changes === this.#changes) {
      if (this.#totals.size >= KEPT_MAX) this.#totals.clear();
      this.#totals.set(key, total);
    }
    return total;
  }

  forget(): void {
    this.#changes += 1;
    this.#totals.clear();
  }
}

export const totalsOf = perSite((site) => new TotalCache(site));
