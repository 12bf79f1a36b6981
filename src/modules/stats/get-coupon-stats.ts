import Type from 'typebox';
import { effectiveRange, rangeParameters } from '../../kernel/call/date-range.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import {
  findCouponWithTwins,
  requireReadable,
  toFigures,
  toOpenBalances,
} from '../coupons/index.ts';
import { couponFigures } from './coupon-figures.ts';
import { toStatusCounts } from './figures.ts';
import { rebuildCoupon } from './rebuild.ts';
import { CouponStatsSchema } from './stats-wire.ts';

export const getCouponStats = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/coupons/{id}/stats',
  summary: 'Sales and commission, all-time or by range',
  description:
    'All-time figures come from the stored snapshot, ranges from daily sums. `refresh` rebuilds both ' +
    'from order history, at most once per coupon and minute: within that minute `source` is `throttled`. Admins see ' +
    'the figures of all affiliates that the coupon ever belonged to; an affiliate sees its own.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  query: Type.Object({
    ...rangeParameters,
    refresh: Type.Boolean({ default: false, description: 'Rebuild first; needs the write scope.' }),
  }),
  refresh: { parameter: 'refresh', scope: 'write' },
  long: ({ refresh }) => refresh,
  response: CouponStatsSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id, refresh, ...input }) {
    const range = effectiveRange(input, site, nowMs);
    let coupon = await requireReadable(db, site, caller, await findCouponWithTwins(db, id));
    const rebuilt = refresh ? await rebuildCoupon(site, id, nowMs) : undefined;
    if (rebuilt) coupon = (await findCouponWithTwins(db, id))!;

    const { figures, source } = await couponFigures(db, site, caller, coupon, range);
    return {
      coupon_id: coupon.id,
      code: coupon.code,
      ...range,
      source: rebuilt === undefined ? source : sourceAfter(rebuilt),
      code_ambiguous: Boolean(coupon.code_ambiguous),
      ...toFigures(figures, site),
      status_counts: toStatusCounts(figures),
      last_refreshed: site.calendar.toLocal(coupon.refreshed_at),
      ...toOpenBalances(coupon, site),
    };
  },
});

/** A rebuild is skipped within a minute of the previous one. */
const sourceAfter = (rebuilt: boolean): 'live' | 'throttled' => (rebuilt ? 'live' : 'throttled');
