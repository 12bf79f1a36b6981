import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { readOne } from '../../db/statements/calls.ts';
import { long, query } from '../../db/statements/query.ts';
import {
  addOrders,
  NO_OWNER,
  rangesOfCoupons,
  sumFormerOrders,
  type CouponRange,
} from './coupon-sums-rows.ts';
import { Earners, type EarnerLists } from './earners.ts';
import { list } from './number-lists.ts';
import { total, type InRange } from './report-rows.ts';

export interface Balances {
  unpaid: number;
  awaiting: number;
  pending_payout: number;
}

const earnerLists = [
  list('user_id'),
  list('orders_count'),
  list('total_sales'),
  list('total_commission'),
  list('upline_commission'),
] as const;

/** Balances and earners of the coupons in a range of ids. */
const couponSums = query<CouponRange, Balances & EarnerLists>((db, p) => {
  const coupons = db
    .selectFrom('coupons')
    .select([
      sql<number>`coalesce(user_id, ${sql.lit(NO_OWNER)})`.as('user_id'),
      'orders_count',
      'total_sales',
      'total_commission',
      'upline_commission',
      'unpaid',
      'awaiting',
      'pending_payout',
    ])
    // Coupons without any amount change nothing in the report.
    .where((eb) =>
      eb.or([
        eb('orders_count', '<>', sql.lit(0)),
        eb('upline_commission', '<>', sql.lit(0)),
        eb('unpaid', '<>', sql.lit(0)),
        eb('awaiting', '<>', sql.lit(0)),
        eb('pending_payout', '<>', sql.lit(0)),
      ]),
    )
    .where('id', '>', p.after)
    .where('id', '<=', p.upTo);
  return db
    .selectFrom(coupons.as('coupon'))
    .select([total('unpaid'), total('awaiting'), total('pending_payout')])
    .select(earnerLists);
}, long);

/** Former accounts are few. */
const formerBalances = readOne<object, Balances>((db) =>
  db
    .selectFrom('former_accounts')
    .select([total('unpaid'), total('awaiting'), total('pending_payout')]),
);

/** Sums all coupons. */
export async function sumCoupons(db: Reader): Promise<{ balances: Balances; earners: Earners }> {
  const balances = { ...(await formerBalances(db)) };
  const earners = new Earners();
  await addFormer(db, earners, ALL_DAYS);
  for await (const ids of rangesOfCoupons(db)) {
    const sums = (await db.first(couponSums, ids))!;
    balances.unpaid += sums.unpaid;
    balances.awaiting += sums.awaiting;
    balances.pending_payout += sums.pending_payout;
    earners.addLists(sums);
  }
  return { balances, earners };
}

const ALL_DAYS: InRange = { first: '', last: '9' };

/** An affiliate earns on its accounts, and not what others earned on its coupons. */
async function addFormer(db: Reader, earners: Earners, range: InRange): Promise<void> {
  for (const { user_id, ...sums } of await sumFormerOrders(db, range)) earners.add(user_id, sums);
}

/** Earners of a range of days. */
export async function earnersOfRange(db: Reader, range: InRange): Promise<Earners> {
  const earners = new Earners();
  await addOrders(db, 'affiliate', range, (userId) => earners.sumsOf(userId));
  await addFormer(db, earners, range);
  return earners;
}
