import type { Reader } from '../../db/database.ts';
import { bounds, isRange, type DateRange } from '../../kernel/call/date-range.ts';
import { isAdmin, type Caller } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { ownFigures, type CouponRow } from '../coupons/index.ts';
import type { CouponFigures } from './figures.ts';
import { rangeCacheOf } from './range-cache.ts';
import { sumCouponDays } from './stats-rows.ts';

/**
 * The figures of a coupon that was just read: all-time figures from its row, those of a range from the cache. Admins see
 * those of all affiliates that it ever belonged to, others those of the present one.
 */
export async function couponFigures(
  db: Reader,
  site: Site,
  caller: Caller,
  coupon: CouponRow,
  range: DateRange,
): Promise<{ figures: CouponFigures; source: 'snapshot' | 'cache' | 'live' }> {
  const seen = <F extends CouponFigures>(figures: F, days?: ReturnType<typeof bounds>) =>
    isAdmin(caller) ? figures : ownFigures(db, coupon, figures, days);
  if (!isRange(range)) return { figures: await seen(coupon), source: 'snapshot' };
  const key = `${range.from}/${range.to}`;
  const found = await rangeCacheOf(site).find(
    [coupon],
    isAdmin(caller) || coupon.owned_since === null ? key : `${key} own`,
    async () => {
      const days = bounds(range);
      const figures = await sumCouponDays(db, { coupon_id: coupon.id, ...days });
      return new Map([[coupon.id, await seen(figures, days)]]);
    },
  );
  return { figures: found.figures.get(coupon.id)!, source: found.cached ? 'cache' : 'live' };
}
