import { perSite, type Site } from '../../kernel/site.ts';
import type { CouponFigures } from './figures.ts';

const COUPONS_MAX = 10_000;
const RANGES_MAX = 50;

/**
 * Figures of fixed ranges. What is here is exact: a coupon's ranges are forgotten with every change
 * of its orders, and all of them when another process has changed something.
 */
class RangeCache {
  readonly #coupons = new Map<number, Map<string, CouponFigures>>();
  #changes = 0;

  constructor(site: Site) {
    site.onForgetCallers(() => {
      this.#changes += 1;
      this.#coupons.clear();
    });
  }

  /** The figures of some coupons in a range, and whether all of them were here already. */
  async find(
    couponIds: readonly number[],
    range: string,
    load: () => Promise<ReadonlyMap<number, CouponFigures>>,
  ): Promise<{ figures: ReadonlyMap<number, CouponFigures>; cached: boolean }> {
    const known = new Map<number, CouponFigures>();
    for (const id of couponIds) {
      const figures = this.#coupons.get(id)?.get(range);
      if (figures) known.set(id, figures);
    }
    if (known.size === couponIds.length) return { figures: known, cached: true };
    const changes = this.#changes;
    const loaded = await load();
    // What was read before a change must not be kept after it.
    if (changes === this.#changes) {
      for (const [id, figures] of loaded) this.#keep(id, range, figures);
    }
    return { figures: loaded, cached: false };
  }

  forget(couponId: number): void {
    this.#changes += 1;
    this.#coupons.delete(couponId);
  }

  #keep(couponId: number, range: string, figures: CouponFigures): void {
    if (this.#coupons.size >= COUPONS_MAX) this.#coupons.clear();
    let ranges = this.#coupons.get(couponId);
    if (!ranges || ranges.size >= RANGES_MAX) this.#coupons.set(couponId, (ranges = new Map()));
    ranges.set(range, figures);
  }
}

export const rangeCacheOf = perSite((site) => new RangeCache(site));
