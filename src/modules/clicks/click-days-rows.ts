import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';

export interface ClickDay {
  day: string;
  clicks: number;
  conversions: number;
}

interface Span {
  campaign?: string | undefined;
  from: string;
  to: string;
}

interface ClickDaysFilter extends Span {
  /** One coupon; all of them without it and without `user_id`. */
  coupon_id?: number | undefined;
  /** The coupons of this affiliate. */
  user_id?: number | undefined;
}

const byDay = query<Span & { coupon_id?: number | undefined }, ClickDay>((db, p, given) =>
  db
    .selectFrom(given('coupon_id') ? 'click_days' : 'campaign_days')
    .select((eb) => [
      'day',
      eb.fn.sum<number>('clicks').as('clicks'),
      eb.fn.sum<number>('conversions').as('conversions'),
    ])
    .where('day', '>=', p.from)
    .where('day', '<=', p.to)
    .$if(given('coupon_id'), (q) => q.where('coupon_id', '=', p.coupon_id))
    .$if(given('campaign'), (q) => q.where('campaign', '=', p.campaign))
    .groupBy('day'),
);

/** Coupon by coupon, which a `cross join` makes SQLite do: along the index of days it would read those of all. */
const byDayOfUser = query<Span & { user_id: number }, ClickDay>((db, p, given) =>
  db
    .selectFrom('coupons')
    .crossJoin('click_days')
    .select((eb) => [
      'click_days.day',
      eb.fn.sum<number>('click_days.clicks').as('clicks'),
      eb.fn.sum<number>('click_days.conversions').as('conversions'),
    ])
    .where('coupons.user_id', '=', p.user_id)
    .whereRef('click_days.coupon_id', '=', 'coupons.id')
    .where('click_days.day', '>=', p.from)
    .where('click_days.day', '<=', p.to)
    .$if(given('campaign'), (q) => q.where('click_days.campaign', '=', p.campaign))
    .groupBy('click_days.day'),
);

/** Clicks and conversions by day; days without clicks are left out. */
export function listClickDays(db: Reader, filter: ClickDaysFilter): Promise<ClickDay[]> {
  const { user_id, ...rest } = filter;
  return user_id === undefined ? db.all(byDay, rest) : db.all(byDayOfUser, { ...rest, user_id });
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

/** The campaigns of a coupon with most clicks. */
export const listCampaignClicks = readAll<CampaignFilter, CampaignClicks>((db, p) =>
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
