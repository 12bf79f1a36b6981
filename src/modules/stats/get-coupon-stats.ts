import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import {
  bounds,
  effectiveRange,
  isRange,
  rangeParameters,
  type DateRange,
} from '../../kernel/date-range.ts';
import { generalErrors } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation.ts';
import { Id } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import { findCouponWithTwins, requireReadable, type CouponRow } from '../coupons/index.ts';
import { rangeCacheOf, toStatusCounts, type CouponFigures } from '../orders/index.ts';
import { rebuildCoupon } from './rebuild.ts';
import { sumCouponDays } from './stats-store.ts';
import { CouponStatsSchema, toFigures, toOpenBalances } from './stats-wire.ts';

export const getCouponStats = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/coupons/{id}/stats',
  summary: 'Sales and commission, all-time or by range',
  description:
    'All-time figures come from the stored snapshot, ranges from daily sums. `refresh` rebuilds both ' +
    'from order history, once a coupon and minute: within that minute `source` is `throttled`.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  query: Type.Object({
    ...rangeParameters,
    refresh: Type.Boolean({ default: false, description: 'Rebuild first; needs the write scope.' }),
  }),
  refresh: { parameter: 'refresh', scope: 'write' },
  response: CouponStatsSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, refresh, ...input }) {
    const range = effectiveRange(input, site, nowMs);
    let coupon = await requireReadable(db, site, caller, await findCouponWithTwins(db, id));
    const rebuilt = refresh ? await rebuildCoupon(site, id, nowMs) : undefined;
    if (rebuilt) coupon = (await findCouponWithTwins(db, id))!;

    const { figures, source } = await figuresFor(db, site, coupon, range);
    return {
      coupon_id: coupon.id,
      code: coupon.code,
      ...range,
      source: rebuilt === undefined ? source : rebuilt ? 'live' : 'throttled',
      code_ambiguous: Boolean(coupon.code_ambiguous),
      ...toFigures(figures, site),
      status_counts: toStatusCounts(figures),
      last_refreshed: site.calendar.toLocal(coupon.refreshed_at),
      ...toOpenBalances(coupon, site),
    };
  },
});

async function figuresFor(
  db: Reader,
  site: Site,
  coupon: CouponRow,
  range: DateRange,
): Promise<{ figures: CouponFigures; source: 'snapshot' | 'cache' | 'live' }> {
  if (!isRange(range)) return { figures: coupon, source: 'snapshot' };
  const found = await rangeCacheOf(site).find(
    [coupon],
    `${range.from}/${range.to}`,
    async () => new Map([[coupon.id, await sumCouponDays(db, coupon.id, bounds(range))]]),
  );
  return { figures: found.figures.get(coupon.id)!, source: found.cached ? 'cache' : 'live' };
}
