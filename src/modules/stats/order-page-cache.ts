import { perSite } from '../../kernel/declare/site.ts';
import type { ReferredOrderRow } from '../orders/index.ts';

/** About 20 MB, whatever the number of coupons and pages. */
const ROWS_MAX = 50_000;
/** An empty page takes room too. */
const ROWS_PER_PAGE_MIN = 5;

/** A coupon as it was just read. */
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
 * Pages of a coupon's orders in fixed ranges. They are exact, whichever process changes orders: a page
 * counts only for the version of the coupon's figures it was read for, every change of an order raises
 * that version, and it comes with the coupon's row. The coupon used longest ago leaves first.
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
    // Another request that read the coupon later may have been quicker.
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
    // One coupon alone may be asked for more pages than there is room for: it goes as a whole, too.
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
