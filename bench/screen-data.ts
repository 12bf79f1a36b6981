import type { Engine } from './engine.ts';
import { scale } from './scale.ts';

/** As many as coupons, so that each has one. */
const AFFILIATES = scale.coupons;
const FIRST_OF_OWN_COUPON = scale.affiliates + 1;
const { applications: APPLICATIONS, clickDays: CLICK_DAYS, busyCoupons: BUSY_COUPONS } = scale;
const DAYS = 365;
const DAY_MS = 24 * 60 * 60_000;
const COUPONS_WITH_CLICKS = scale.couponsWithClicks;
const PAYOUT_DAYS = 2_000;

/**
 * What the screens list besides orders: as many affiliates as coupons, half of them in a group and half named `StoreApi`,
 * a year of clicks (half of them on a thousand busy coupons), a payout of each coupon, and applications.
 */
export function screenData({ dayAfter }: Engine): string[] {
  const nowMs = Date.now();
  const today = Math.floor((nowMs - Date.UTC(2020, 0, 1)) / DAY_MS);
  const numbers = (first: number, last: number) =>
    `with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})`;
  const clickDay = (day: string) => dayAfter(`${today - DAYS + 1} + ${day}`);
  const campaign = `case i % 3 when 0 then '' when 1 then 'spring' else 'campaign' || (i % 50) end`;
  const addClicks = (first: number, last: number, coupon: string, day: string) =>
    `insert into click_days (coupon_id, campaign, day, clicks, conversions)
      ${numbers(first, last)} select ${coupon}, ${campaign}, ${clickDay(day)}, 1 + i % 40, i % 2
      from n where true on conflict do nothing`;
  return [
    `insert into users
      (login, login_folded, email, email_folded, display_name, display_name_folded, role, created_at)
      ${numbers(FIRST_OF_OWN_COUPON, AFFILIATES)} select 'user' || i, 'user' || i,
      'user' || i || '@bench.example', 'user' || i || '@bench.example',
      case i % 2 when 0 then 'Shop ' else 'User ' end || i,
      case i % 2 when 0 then 'shop ' else 'user ' end || i, 'affiliate',
      ${nowMs} - cast(i as bigint) * 300000 from n`,
    `update coupons set user_id = (select users.id from users where login_folded = 'user' || coupons.id)
      where id >= ${FIRST_OF_OWN_COUPON}`,
    `insert into groups (name, name_folded, created_at) values ('Big', 'big', 0)`,
    `insert into affiliate_groups (user_id, group_id) select users.id, groups.id from users, groups
      where role = 'affiliate' and users.id % 4 < 2`,
    addClicks(1, CLICK_DAYS / 2, `1 + i % ${BUSY_COUPONS}`, `i / ${BUSY_COUPONS} % ${DAYS}`),
    addClicks(
      CLICK_DAYS / 2,
      CLICK_DAYS,
      `1 + cast(i as bigint) * 7919 % ${COUPONS_WITH_CLICKS}`,
      `i / 7 % ${DAYS}`,
    ),
    `insert into click_months (coupon_id, month, clicks, conversions)
      select coupon_id, substr(day, 1, 7), sum(clicks), sum(conversions) from click_days
      group by coupon_id, substr(day, 1, 7)`,
    `insert into campaign_days (day, campaign, clicks, conversions)
      select day, campaign, sum(clicks), sum(conversions) from click_days group by day, campaign`,
    `insert into payouts (coupon_id, user_id, amount, method_type, method, status, transaction_id,
      invoice_id, requested_at, requested_day, changed_at, nonce, asks, pay_attempts, leased_until)
      select id, user_id, 100 + id % 9000, 'banktransfer', 'Bank transfer',
      case id % 3 when 0 then 'paid' when 1 then 'cancel' else 'pending' end, '', 0,
      ${nowMs} - cast(id as bigint) * 60000, ${dayAfter(`${today - PAYOUT_DAYS} + id % ${PAYOUT_DAYS}`)},
      ${nowMs} - cast(id as bigint) * 60000, '', 0, 1, 0 from coupons`,
    `insert into payout_days (basis, day, status, payouts, amount)
      select 'requested', requested_day, status, count(*), sum(amount) from payouts
      group by requested_day, status`,
    `insert into registrations (user_id, coupon_code, status, type, promote, referrer, website,
      custom_fields, created_at)
      select id, 'CODE' || id, case id % 20 when 0 then 'pending' when 1 then 'declined' else 'accepted' end,
      'normal', 'On my blog', '', 'https://shop' || id || '.example', '{}', created_at
      from users where role = 'affiliate' and id <= ${APPLICATIONS}`,
  ];
}
