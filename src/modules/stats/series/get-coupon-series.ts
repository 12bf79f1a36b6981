import Type from 'typebox';
import { checkSeries, seriesOf, seriesParameters } from '../../../kernel/call/series.ts';
import { isAdmin } from '../../../kernel/declare/caller.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { listClickDays } from '../../clicks/index.ts';
import { requireReadableCoupon } from '../../coupons/index.ts';
import { listCouponDays, listFormerDays } from './series-rows.ts';
import { SeriesSchema, toSeries } from './series-wire.ts';

export const getCouponSeries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/coupons/{id}/stats/series',
  summary: 'The figures of a coupon by day, week or month',
  description: 'The sums of the points are those of `GET /coupons/{id}/stats` for the same range.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  query: Type.Object({ ...seriesParameters }),
  response: SeriesSchema,
  errors: [generalErrors.notFound],
  check: checkSeries,
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    const coupon = await requireReadableCoupon(db, site, caller, id);
    const isWhole = isAdmin(caller) || coupon.owned_since === null;
    const series = seriesOf(input, site, nowMs);
    const { from, to } = series;
    const [days, former, clickDays] = await Promise.all([
      listCouponDays(db, { coupon_id: id, ...series }),
      isWhole ? [] : listFormerDays(db, { coupon_id: id, ...series }),
      listClickDays(db, { coupon_id: id, ...(!isWhole && { user_id: coupon.user_id! }), from, to }),
    ]);
    return toSeries(series, [...days, ...former], clickDays, site);
  },
});
