import type { Reader } from '../../db/database.ts';
import { bounds, isRange, type DateRange } from '../../kernel/call/date-range.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { CouponRow } from '../coupons/index.ts';
import type { CouponFigures } from './figures.ts';
import { rangeCacheOf } from './range-cache.ts';
import { sumCouponDays } from './stats-rows.ts';

/**
 * The figures of a coupon that was just read: all-time figures from its row, those of a range from the cache.
 */
export async function couponFigures(
  db: Reader,
  site: Site,
  coupon: CouponRow,
  range: DateRange,
): Promise<{ figures: CouponFigures; source: 'snapshot' | 'cache' | 'live' }> {
  if (!isRange(range)) return { figures: coupon, source: 'snapshot' };
  const found = await rangeCacheOf(site).find(
    [coupon],
    `${range.from}/${range.to}`,
    async () =>
      new Map([[coupon.id, await sumCouponDays(db, { coupon_id: coupon.id, ...bounds(range) })]]),
  );
  return { figures: found.figures.get(coupon.id)!, source: found.cached ? 'cache' : 'live' };
}
