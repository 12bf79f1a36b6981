import { sql } from 'kysely';
import { readAll, readByNumbers } from '../../../db/statements/calls.ts';
import { listIn } from '../../../db/statements/plain-calls.ts';
import { long } from '../../../db/statements/query.ts';
import { groupRateColumns, type GroupRateColumns } from '../../coupons/index.ts';
import type { RateColumns } from '../../groups/index.ts';
import type { OrderRow, ReferralRow } from '../order-rows.ts';

/** The referrals of orders that earn, or count for the affiliate. */
export const referralsToTry = readByNumbers<ReferralRow>((db, isKey) =>
  db
    .selectFrom('referrals')
    .selectAll()
    .where(isKey('order_id'))
    .where('dropped', '=', sql.lit(0))
    .where(sql<boolean>`(counted = 1 or state <> 'void')`),
);

export const ordersToTry = listIn('orders', 'order_id');

type CouponRow = { id: number } & RateColumns & GroupRateColumns;

/** The rates of coupons, and those of the groups of the affiliates who have them now. */
export const ratesOfCoupons = readByNumbers<CouponRow>((db, isKey) =>
  db
    .selectFrom('coupons')
    .select(['id', 'percent', 'fixed_per_order', 'fixed_per_product'])
    .select(groupRateColumns)
    .where(isKey('id'))
    // The columns of groups have the types that they are declared with.
    .$castTo<CouponRow>(),
);

/** The order that paid for a running subscription last. */
export type RunningRow = OrderRow & { key: string };

/** The subscriptions that were paid last come first. */
export const runningBefore = readAll<
  Pick<RunningRow, 'key' | 'placed_at'> & { since: number; limit: number },
  RunningRow
>(
  (db, p) =>
    db
      .selectFrom('subscription_payments as last')
      .innerJoin('orders', 'orders.order_id', 'last.order_id')
      .selectAll('orders')
      .select('last.key')
      .where(sql<boolean>`(last.placed_at, last.key) < (${p.placed_at}, ${p.key})`)
      .where('last.placed_at', '>=', p.since)
      .where(
        sql<boolean>`not exists (select 1 from subscription_payments as later
        where later.key = last.key
          and (later.placed_at, later.order_id) > (last.placed_at, last.order_id))`,
      )
      .orderBy('last.placed_at', 'desc')
      .orderBy('last.key', 'desc')
      .limit(p.limit),
  long,
);
