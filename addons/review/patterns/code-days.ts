import { sql } from 'kysely';
import type { Reader } from '../../../src/db/database.ts';
import { readAll } from '../../../src/db/statements/calls.ts';
import { long } from '../../../src/db/statements/query.ts';
import { clicksOfAccounts, daysOfAccounts } from '../../../src/modules/coupons/index.ts';
import type { CodeDay } from './code-leaked.ts';
import { daysOf, type AccountDay, type Range } from './day-rows.ts';

/** A coupon and its affiliate of a time. */
type Account = Pick<AccountDay, 'coupon_id' | 'user_id'>;

/** So many orders of a day tell its share of orders without a click. */
const ORDERS_SAMPLED = 200;

/** The first orders of each day tell the share of those without a click: along an index, whatever their number. */
const codeDays = readAll<Account & Range, { day: string; orders: number; share: number | null }>(
  (db, p) => {
    const days = daysOfAccounts(
      ['orders_count'],
      sql`coupon_days.day >= ${p.first} and coupon_days.day <= ${p.last}`,
      (userId, couponId) => sql`${userId} = ${p.user_id} and ${couponId} = ${p.coupon_id}`,
    );
    const statement = sql<{ day: string; orders: number; share: number | null }>`
      select day, orders, (select avg(unlinked) from (
          select case when click_id is null and credited_by = 'coupon_codes' then 1.0 else 0.0 end as unlinked
          from referrals
          where referrals.coupon_id = ${p.coupon_id} and referrals.day = account_days.day
            and referrals.user_id = ${p.user_id} and dropped = 0
          order by placed_at
          limit ${sql.lit(ORDERS_SAMPLED)}) as sampled) as share
      from (
        select day, sum(orders_count) as orders from ${days} as days
        where day >= ${p.first} and day <= ${p.last} group by day
      ) as account_days`;
    return { compile: () => statement.compile(db) };
  },
  long,
);

const clickDaysOfCode = readAll<Account & Range, { day: string; clicks: number }>((db, p) => ({
  compile: () =>
    sql<{ day: string; clicks: number }>`select day, sum(clicks) as clicks
      from ${clicksOfAccounts('campaign', p)} as clicks
      where coupon_id = ${p.coupon_id} group by day`.compile(db),
}));

/** The days of a code, as its affiliate has them. */
export async function readCodeDays(
  db: Reader,
  account: Account,
  range: Range,
): Promise<(CodeDay & { readonly day: string })[]> {
  const { coupon_id, user_id } = account;
  const params = { coupon_id, user_id, ...range };
  const [orders, clicks] = await Promise.all([codeDays(db, params), clickDaysOfCode(db, params)]);
  const clicksOf = new Map(clicks.map((row) => [row.day, row.clicks]));
  const rows = new Map(orders.map((row) => [row.day, row]));
  return daysOf(range).map((day) => {
    const { orders: count = 0, share = 0 } = rows.get(day) ?? {};
    const unlinked = Math.round(count * Number(share ?? 0));
    return { day, orders: count, unlinked, clicks: clicksOf.get(day) ?? 0 };
  });
}
