import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll, readByNumbers, readFirst } from '../../../db/statements/calls.ts';
import { groupRateColumns, type GroupRateColumns } from '../../coupons/index.ts';
import type { RateColumns } from '../../groups/index.ts';
import type { OrderRow, ReferralRow } from '../order-rows.ts';

type OrderColumns = Pick<OrderRow, 'order_id' | 'customer_hash' | 'store_id' | 'content'>;
type ReferralColumns = Pick<
  ReferralRow,
  | 'coupon_id'
  | 'user_id'
  | 'day'
  | 'placed_at'
  | 'click_id'
  | 'new_customer'
  | 'status'
  | 'via'
  | 'credited_by'
  | 'facts'
  | 'commission'
  | 'state'
  | 'release_at'
  | 'counted'
  | 'sales'
>;

/** A referral with what its order needs to be computed again. */
export type TrialRow = OrderColumns & ReferralColumns;

/** The referrals of orders that earn, or count for the affiliate. */
export const referralsToTry = readByNumbers<TrialRow>((db, isKey) =>
  db
    .selectFrom('referrals')
    .innerJoin('orders', 'orders.order_id', 'referrals.order_id')
    .select(['orders.order_id', 'orders.customer_hash', 'orders.store_id', 'orders.content'])
    .select([
      'referrals.coupon_id',
      'referrals.user_id',
      'referrals.day',
      'referrals.placed_at',
      'referrals.click_id',
      'referrals.new_customer',
      'referrals.status',
      'referrals.via',
      'referrals.credited_by',
      'referrals.facts',
      'referrals.commission',
      'referrals.state',
      'referrals.release_at',
      'referrals.counted',
      'referrals.sales',
    ])
    .where(isKey('referrals.order_id'))
    .where('referrals.dropped', '=', sql.lit(0))
    .where(sql<boolean>`(referrals.counted = 1 or referrals.state <> 'void')`),
);

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

/** Terms with a text, whose counters renewals may ask for. There are few terms. */
const termsLike = readFirst<{ like: string }, { hash: string }>((db, p) =>
  db.selectFrom('terms').select('hash').where('content', 'like', p.like).limit(sql.lit(1)),
);

/** Whether the rules of stored terms count new customers. */
export async function storedCountsCustomers(db: Reader): Promise<boolean> {
  return (await termsLike(db, { like: '%"by":"new_customers"%' })) !== undefined;
}

/** The order that paid for a running subscription last. */
export type RunningRow = OrderRow & { key: string };

/** The subscriptions that were paid last come first. */
export const runningBefore = readAll<
  Pick<RunningRow, 'key' | 'placed_at'> & { since: number; limit: number },
  RunningRow
>((db, p) =>
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
);
