import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';

export interface ClickDay {
  day: string;
  clicks: number;
  conversions: number;
}

interface ClickDaysFilter {
  /** One coupon; all of them without it and without `user_id`. */
  coupon_id?: number | undefined;
  /** The coupons of this affiliate. */
  user_id?: number | undefined;
  campaign?: string | undefined;
  from: string;
  to: string;
}

const byDay = query<ClickDaysFilter, ClickDay>((db, p, given) =>
  db
    .selectFrom(given('coupon_id') || given('user_id') ? 'click_days' : 'campaign_days')
    .select((eb) => [
      'day',
      eb.fn.sum<number>('clicks').as('clicks'),
      eb.fn.sum<number>('conversions').as('conversions'),
    ])
    .where('day', '>=', p.from)
    .where('day', '<=', p.to)
    .$if(given('coupon_id'), (q) => q.where('coupon_id', '=', p.coupon_id))
    .$if(given('user_id'), (q) =>
      q.where('coupon_id', 'in', (eb) =>
        eb.selectFrom('coupons').select('coupons.id').where('coupons.user_id', '=', p.user_id),
      ),
    )
    .$if(given('campaign'), (q) => q.where('campaign', '=', p.campaign))
    .groupBy('day'),
);

/** Clicks and conversions by day; days without clicks are left out. */
export function listClickDays(db: Reader, filter: ClickDaysFilter): Promise<ClickDay[]> {
  return db.all(byDay, filter);
}

interface CampaignFilter {
  coupon_id: number;
  first: string;
  last: string;
  limit: number;
}

interface CampaignClicks {
  campaign: string;
  clicks: number;
  conversions: number;
}

const byCampaign = query<CampaignFilter, CampaignClicks>((db, p) =>
  db
    .selectFrom('click_days')
    .select((eb) => [
      'campaign',
      eb.fn.sum<number>('clicks').as('clicks'),
      eb.fn.sum<number>('conversions').as('conversions'),
    ])
    .where('coupon_id', '=', p.coupon_id)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('campaign')
    .orderBy((eb) => eb.fn.sum('clicks'), 'desc')
    .orderBy('campaign')
    .limit(p.limit),
);

/** The campaigns of a coupon with most clicks. */
export function listCampaignClicks(db: Reader, filter: CampaignFilter): Promise<CampaignClicks[]> {
  return db.all(byCampaign, filter);
}
