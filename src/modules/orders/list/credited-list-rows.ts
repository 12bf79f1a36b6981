import { sql } from 'kysely';
import { query, type Query } from '../../../db/statements/query.ts';
import type { OrderStatus } from '../settings.ts';
import {
  limit,
  NARROW_MAX,
  type Bounds,
  type Direction,
  type Found,
  type OrderSort,
} from './order-list-bounds.ts';

/** Counts the referrals of coupons, up to the same number. */
export const sizeOfCoupons = query<{ coupon_ids: string }, { size: number }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom(
        db
          .selectFrom('referrals')
          .select('order_id')
          .where('dropped', '=', sql.lit(0))
          .where(dialect.inJsonArray('coupon_id', p.coupon_ids, 'number'))
          .limit(sql.lit(NARROW_MAX))
          .as('found'),
      )
      .select((eb) => eb.fn.countAll<number>().as('size')),
);

/** Reads the index of the coupons; the orders themselves only for their amounts. */
function ofCoupons(
  column: 'referrals.placed_at' | 'orders.total' | 'referrals.commission',
  direction: Direction,
): Query<Bounds & { coupon_ids: string }, Found> {
  return query((db, p, given, dialect) => {
    const needsOrders = column === 'orders.total' || given('min_total') || given('max_total');
    const referred = db
      .selectFrom('referrals')
      .where('referrals.dropped', '=', sql.lit(0))
      .where(dialect.inJsonArray('referrals.coupon_id', p.coupon_ids, 'number'))
      .$if(given('status'), (q) => q.where('referrals.status', '=', sql<OrderStatus>`${p.status}`))
      .$if(given('from_ms'), (q) => q.where('referrals.placed_at', '>=', p.from_ms))
      .$if(given('to_ms'), (q) => q.where('referrals.placed_at', '<=', p.to_ms))
      .select('referrals.order_id')
      .orderBy(sql.ref(column), direction)
      .orderBy('referrals.order_id', direction)
      .limit(limit);
    if (!needsOrders) return referred;
    return referred
      .innerJoin('orders', 'orders.order_id', 'referrals.order_id')
      .$if(given('min_total'), (q) => q.where('orders.total', '>=', p.min_total))
      .$if(given('max_total'), (q) => q.where('orders.total', '<=', p.max_total));
  });
}

/** Finds the orders of coupons that have few, and sorts them. */
export const ofSome: Record<OrderSort, Query<Bounds & { coupon_ids: string }, Found>> = {
  '-date': ofCoupons('referrals.placed_at', 'desc'),
  date: ofCoupons('referrals.placed_at', 'asc'),
  '-amount': ofCoupons('orders.total', 'desc'),
  amount: ofCoupons('orders.total', 'asc'),
  '-commission': ofCoupons('referrals.commission', 'desc'),
  commission: ofCoupons('referrals.commission', 'asc'),
};
