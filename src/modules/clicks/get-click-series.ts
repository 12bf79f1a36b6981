import Type from 'typebox';
import {
  checkSeries,
  PointDate,
  seriesOf,
  seriesParameters,
  seriesSchemas,
  toPoints,
} from '../../kernel/call/series.ts';
import { actorId, isAdmin } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, Nullable } from '../../kernel/declare/schemas.ts';
import { requireOwnCoupon } from '../coupons/index.ts';
import { listClickDays } from './click-days-rows.ts';
import { CAMPAIGN_LENGTH_MAX } from './click.ts';
import { conversionRate } from './conversion-rate.ts';
import { couponRequired } from './get-click-stats.ts';

export const getClickSeries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/clicks/stats/series',
  summary: 'Clicks and conversions by day, week or month',
  description:
    'Admins can get the figures of all coupons or of one, other users those of one of their own coupons. A ' +
    'conversion counts on the day of its click. Days without clicks are points with zeros.',
  access: 'owner',
  scope: 'read',
  query: Type.Object({
    coupon_id: Type.Optional(Id('The coupon. Only admins may omit it.')),
    campaign: Type.Optional(
      Type.String({
        maxLength: CAMPAIGN_LENGTH_MAX,
        description: 'Only clicks of this campaign; empty for clicks without one.',
      }),
    ),
    ...seriesParameters,
  }),
  response: Type.Object(
    {
      coupon_id: Nullable(Type.Integer({ description: 'The requested coupon; null for all.' })),
      campaign: Nullable(Type.String({ description: 'The requested campaign; null for all.' })),
      ...seriesSchemas,
      points: Type.Array(
        Type.Object({
          date: PointDate,
          clicks: Type.Integer({ description: 'Number of clicks.' }),
          conversions: Type.Integer({ description: 'Number of clicks that led to a referral.' }),
          conversion_rate: Type.Number({ description: 'Percentage, with two decimals.' }),
        }),
      ),
    },
    {
      $id: 'ClickSeries',
      examples: [
        {
          coupon_id: 12,
          campaign: null,
          interval: 'day',
          from: '2026-01-01',
          to: '2026-01-01',
          points: [{ date: '2026-01-01', clicks: 40, conversions: 2, conversion_rate: 5 }],
        },
      ],
    },
  ),
  errors: [couponRequired, generalErrors.notFound],
  check: checkSeries,
  async handle({ db, site, caller, nowMs }, { coupon_id, campaign, ...input }) {
    if (coupon_id !== undefined) await requireOwnCoupon(db, caller, coupon_id);
    else if (!isAdmin(caller)) throw new ApiError(couponRequired);
    const series = seriesOf(input, site, nowMs);
    const { from, to } = series;
    const user_id = isAdmin(caller) ? undefined : actorId(caller);
    const days = await listClickDays(db, { coupon_id, user_id, campaign, from, to });
    return {
      coupon_id: coupon_id ?? null,
      campaign: campaign ?? null,
      ...series,
      points: toPoints(series, ['clicks', 'conversions'], days).map((point) => ({
        ...point,
        conversion_rate: conversionRate(point),
      })),
    };
  },
});
