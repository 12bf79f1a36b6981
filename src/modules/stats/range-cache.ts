import { perSite } from '../../kernel/declare/site.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import type { CouponFigures } from './figures.ts';

const COUPONS_MAX = 10_000;
const RANGES_MAX = 50;

interface CachedCoupon {
  readonly version: number;
  readonly ranges: Map<string, CouponFigures>;
}

/** A coupon row that was just read. */
interface Versioned {
  readonly id: number;
  readonly figures_version: number;
}

/**
 * Figures of fixed ranges. They are exact, whichever process changes orders: an entry is valid only for the
 * version of the coupon's figures it was read for, and the version comes with the coupon's row. Figures are
 * read after the row and can be newer than its version; the next read of the row corrects that.
 */
class RangeCache {
  readonly #coupons = new BoundedMap<number, CachedCoupon>(COUPONS_MAX);

  /** The figures of some coupons in a range, and whether all of them were cached. */
  async find(
    coupons: readonly Versioned[],
    range: string,
    load: () => Promise<ReadonlyMap<number, CouponFigures>>,
  ): Promise<{ figures: ReadonlyMap<number, CouponFigures>; cached: boolean }> {
    const known = new Map<number, CouponFigures>();
    for (const { id, figures_version } of coupons) {
      const kept = this.#coupons.get(id);
      const figures = kept?.version === figures_version ? kept.ranges.get(range) : undefined;
      if (figures) known.set(id, figures);
    }
    if (known.size === coupons.length) return { figures: known, cached: true };
    const loaded = await load();
    for (const coupon of coupons) this.#keep(coupon, range, loaded.get(coupon.id));
    return { figures: loaded, cached: false };
  }

  #keep({ id, figures_version }: Versioned, range: string, figures?: CouponFigures): void {
    if (!figures) return;
    let kept = this.#coupons.get(id);
    // A request that read a later version of the row may have finished first.
    if (kept && kept.version > figures_version) return;
    if (kept?.version !== figures_version) {
      kept = { version: figures_version, ranges: new BoundedMap(RANGES_MAX) };
      this.#coupons.set(id, kept);
    }
    kept.ranges.set(range, figures);
  }
}

export const rangeCacheOf = perSite(() => new RangeCache());
