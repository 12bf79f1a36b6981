import Type from 'typebox';
import { bounds, effectiveRange, rangeParameters } from '../../kernel/call/date-range.ts';
import { actorId, isAdmin } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Day, Id, Nullable } from '../../kernel/declare/schemas.ts';
import { requireOwnCoupon } from '../coupons/index.ts';
import { sumClicks, sumOwnClicks } from './click-rows.ts';
import { CAMPAIGN_LENGTH_MAX } from './click.ts';
import { conversionRate } from './conversion-rate.ts';

export const couponRequired = defineError(
  'svc_api_coupon_required',
  400,
  'Choose one of your coupons with coupon_id.',
);

export const getClickStats = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/clicks/stats',
  summary: 'Get clicks, conversions and the conversion rate',
  description:
    'Admins can get the figures of all coupons or of one, other users those of one of their own ' +
    'coupons. A conversion counts on the day of its click.',
  access: 'owner',
  scope: 'read',
  query: Type.Object({
    coupon_id: Type.Optional(Id('The coupon. Only admins may omit it.')),
    campaign: Type.Optional(
      Type.String({
        maxLength: CAMPAIGN_LENGTH_MAX,
        description:
          'Only clicks of this campaign; empty for clicks without one, `(other)` for clicks of ' +
          'campaigns beyond the first 200 of a coupon and day.',
      }),
    ),
    ...rangeParameters,
  }),
  response: Type.Object(
    {
      coupon_id: Nullable(Type.Integer({ description: 'The requested coupon; null for all.' })),
      campaign: Nullable(Type.String({ description: 'The requested campaign; null for all.' })),
      from: Nullable(Day('The first day.')),
      to: Nullable(Day('The last day.')),
      clicks: Type.Integer({ description: 'Number of clicks.' }),
      conversions: Type.Integer({ description: 'Number of clicks that led to a referral.' }),
      conversion_rate: Type.Number({
        description: 'Percentage of clicks that led to a referral, with two decimals.',
      }),
    },
    {
      $id: 'ClickStats',
      examples: [
        {
          coupon_id: 12,
          campaign: null,
          from: '2026-01-01',
          to: '2026-01-31',
          clicks: 480,
          conversions: 24,
          conversion_rate: 5,
        },
      ],
    },
  ),
  errors: [couponRequired, generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, input) {
    const { coupon_id, campaign } = input;
    const range = effectiveRange(input, site, nowMs);
    if (coupon_id !== undefined) await requireOwnCoupon(db, caller, coupon_id);
    else if (!isAdmin(caller)) throw new ApiError(couponRequired);

    const filter = { coupon_id, campaign, ...bounds(range) };
    const { clicks, conversions } = isAdmin(caller)
      ? await sumClicks(db, filter)
      : await sumOwnClicks(db, { ...filter, user_id: actorId(caller) });
    return {
      coupon_id: coupon_id ?? null,
      campaign: campaign ?? null,
      ...range,
      clicks,
      conversions,
      conversion_rate: conversionRate({ clicks, conversions }),
    };
  },
});
