import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import { clicksOfAccounts } from '../coupons/index.ts';

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
  /** Those of the accounts of this affiliate. */
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

/** As the sums of accounts, where what is of others is taken off. */
const byDayOfUser = query<Span & { user_id: number; coupon_id?: number | undefined }, ClickDay>(
  (db, p, given) => {
    const clicks = clicksOfAccounts('campaign', {
      user_id: p.user_id,
      first: p.from,
      last: p.to,
    });
    const statement = sql<ClickDay>`select day, cast(sum(clicks) as bigint) as clicks,
        cast(sum(conversions) as bigint) as conversions
      from ${clicks} as counted
      where 1 = 1
        ${given('coupon_id') ? sql`and coupon_id = ${p.coupon_id}` : sql``}
        ${given('campaign') ? sql`and name = ${p.campaign}` : sql``}
      group by day`;
    return { compile: () => statement.compile(db) };
  },
);

/** Clicks and conversions by day; days without clicks are left out. */
export function listClickDays(db: Reader, filter: ClickDaysFilter): Promise<ClickDay[]> {
  const { user_id, ...rest } = filter;
  return user_id === undefined ? db.all(byDay, rest) : db.all(byDayOfUser, { ...rest, user_id });
}

interface CampaignFilter {
  coupon_id: number;
  /** Those of this affiliate only. */
  user_id?: number | undefined;
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
export const listCampaignClicks = readAll<CampaignFilter, CampaignClicks>((db, p, given) => {
  const counted = given('user_id')
    ? clicksOfAccounts('campaign', { user_id: p.user_id, first: p.first, last: p.last })
    : sql`(select coupon_id, campaign as name, clicks, conversions from click_days
        where day >= ${p.first} and day <= ${p.last})`;
  const statement = sql<CampaignClicks>`select name as campaign, cast(sum(clicks) as bigint) as clicks,
      cast(sum(conversions) as bigint) as conversions
    from ${counted} as counted
    where coupon_id = ${p.coupon_id}
    group by name
    having sum(clicks) > 0
    order by sum(clicks) desc, name
    limit ${p.limit}`;
  return { compile: () => statement.compile(db) };
});
