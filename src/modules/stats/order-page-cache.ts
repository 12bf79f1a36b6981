import { perSite } from '../../kernel/declare/site.ts';
import type { ReferredOrderRow } from '../orders/index.ts';

/** About 20 MB, whatever the number of coupons and pages. */
const ROWS_MAX = 50_000;
/** An empty page uses memory too. */
const ROWS_PER_PAGE_MIN = 5;

/** A coupon row that was just read. */
interface Versioned {
  readonly id: number;
  readonly figures_version: number;
}

interface CachedCoupon {
  readonly version: number;
  readonly pages: Map<string, readonly ReferredOrderRow[]>;
  rows: number;
}

/**
 * Pages of a coupon's orders in fixed ranges. They are exact, whichever process changes orders: a page is
 * valid only for the version of the coupon's figures it was read for, every change of an order raises that
 * version, and the version comes with the coupon's row. The least recently used coupon is evicted first.
 */
class OrderPageCache {
  readonly #coupons = new Map<number, CachedCoupon>();
  #rows = 0;

  async find(
    coupon: Versioned,
    page: string,
    load: () => Promise<readonly ReferredOrderRow[]>,
  ): Promise<readonly ReferredOrderRow[]> {
    const cached = this.#coupons.get(coupon.id);
    if (cached?.version === coupon.figures_version) {
      const rows = cached.pages.get(page);
      if (rows) {
        this.#coupons.delete(coupon.id);
        this.#coupons.set(coupon.id, cached);
        return rows;
      }
    }
    const rows = await load();
    this.#add(coupon, page, rows);
    return rows;
  }

  #add({ id, figures_version }: Versioned, page: string, rows: readonly ReferredOrderRow[]): void {
    let cached = this.#coupons.get(id);
    // A request that read a later version of the coupon may have finished first.
    if (cached && cached.version > figures_version) return;
    if (cached?.version !== figures_version) {
      this.#remove(id);
      this.#coupons.set(id, (cached = { version: figures_version, pages: new Map(), rows: 0 }));
    }
    if (cached.pages.has(page)) return;
    const size = Math.max(rows.length, ROWS_PER_PAGE_MIN);
    cached.pages.set(page, rows);
    cached.rows += size;
    this.#rows += size;
    // One coupon may have more pages than fit: then it is evicted as a whole, too.
    for (const oldest of this.#coupons.keys()) {
      if (this.#rows <= ROWS_MAX) return;
      this.#remove(oldest);
    }
  }

  #remove(id: number): void {
    this.#rows -= this.#coupons.get(id)?.rows ?? 0;
    this.#coupons.delete(id);
  }
}

export const orderPagesOf = perSite(() => new OrderPageCache());
