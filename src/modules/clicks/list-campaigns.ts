import Type from 'typebox';
import { bounds, effectiveRange, rangeParameters } from '../../kernel/call/date-range.ts';
import { actorId, isAdmin } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { requireOwnCoupon } from '../coupons/index.ts';
import { listCampaignClicks } from './click-days-rows.ts';
import { conversionRate } from './conversion-rate.ts';

const CAMPAIGNS_MAX = 50;

export const listCampaigns = operation({
  method: 'GET',
  namespace: 'store',
  path: '/coupons/{id}/campaigns',
  summary: 'The campaigns of a coupon, with clicks and conversions',
  description:
    'For admins and the affiliate of the coupon. The 50 campaigns with most clicks; clicks without a campaign have ' +
    'an empty name. A conversion counts on the day of its click.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  query: Type.Object(rangeParameters),
  response: Type.Array(
    Type.Object(
      {
        campaign: Type.String({ description: 'Its name; empty for clicks without one.' }),
        clicks: Type.Integer({ description: 'Number of clicks.' }),
        conversions: Type.Integer({ description: 'Number of clicks that led to a referral.' }),
        conversion_rate: Type.Number({
          description: 'Percentage of clicks that led to a referral, with two decimals.',
        }),
      },
      {
        $id: 'CampaignClicks',
        examples: [{ campaign: 'newsletter', clicks: 120, conversions: 6, conversion_rate: 5 }],
      },
    ),
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, input) {
    await requireOwnCoupon(db, caller, input.id);
    const range = bounds(effectiveRange(input, site, nowMs));
    const rows = await listCampaignClicks(db, {
      coupon_id: input.id,
      ...(!isAdmin(caller) && { user_id: actorId(caller) }),
      ...range,
      limit: CAMPAIGNS_MAX,
    });
    return rows.map(({ campaign, clicks, conversions }) => ({
      campaign,
      clicks,
      conversions,
      conversion_rate: conversionRate({ clicks, conversions }),
    }));
  },
});
