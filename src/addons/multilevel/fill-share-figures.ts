import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';

/** Adds existing shares to the figures, for the migration `0002-share-figures`. */

const placeShares = query((db) =>
  db.updateTable('mla_shares').set((eb) => {
    const referral = eb
      .selectFrom('referrals')
      .whereRef('referrals.order_id', '=', 'mla_shares.order_id')
      .whereRef('referrals.coupon_id', '=', 'mla_shares.coupon_id');
    return {
      day: referral.select('referrals.day'),
      counted: referral.select('referrals.counted'),
    };
  }),
);

const amount = sql`sum(mla_shares.counted * (mla_shares.awaiting + mla_shares.granted))`;

const addToCoupons = query((db) => {
  const statement = sql<never>`update coupons set upline_commission = of_coupon.amount
    from (select upline_coupon_id, ${amount} as amount from mla_shares group by upline_coupon_id)
      as of_coupon
    where coupons.id = of_coupon.upline_coupon_id`;
  return { compile: () => statement.compile(db) };
});

/** Adds rows where a coupon had no order on that day. Without `where true` "on conflict" would read as a join. */
const addToCouponDays = query((db) => {
  const statement = sql<never>`insert into coupon_days (coupon_id, day, upline_commission)
    select upline_coupon_id, day, ${amount} from mla_shares where true
    group by upline_coupon_id, day
    on conflict (coupon_id, day) do update set upline_commission = excluded.upline_commission`;
  return { compile: () => statement.compile(db) };
});

const addToStoreDays = query((db) => {
  const statement = sql<never>`insert into store_days (day, upline_commission)
    select day, ${amount} from mla_shares where true group by day
    on conflict (day) do update set upline_commission = excluded.upline_commission`;
  return { compile: () => statement.compile(db) };
});

export async function fillShareFigures(tx: Transaction): Promise<void> {
  for (const statement of [placeShares, addToCoupons, addToCouponDays, addToStoreDays]) {
    await tx.run(statement, {});
  }
}
