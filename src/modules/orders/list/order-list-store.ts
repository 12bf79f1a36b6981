import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import type { Tables } from '../../../db/tables.ts';
import { orderStatuses, type OrderStatus } from '../settings.ts';

export const orderSorts = [
  '-date',
  'date',
  '-amount',
  'amount',
  '-commission',
  'commission',
] as const;
export type OrderSort = (typeof orderSorts)[number];

export interface OrderFilter {
  status?: OrderStatus | undefined;
  /** Only orders that are credited to one of these coupons. */
  couponIds?: readonly number[] | undefined;
  /** The first and the last instant, included. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** In minor units, included. */
  minTotal?: number | undefined;
  maxTotal?: number | undefined;
}

/** How far a list reaches: further pages are found by a narrower filter. See docs/decisions/0030. */
export const LISTED_MAX = 2_000;

interface Bounds {
  status?: string | undefined;
  from_ms?: number | undefined;
  to_ms?: number | undefined;
  min_total?: number | undefined;
  max_total?: number | undefined;
}

interface Found {
  order_id: number;
}

type Direction = 'asc' | 'desc';
type Given = (name: keyof Bounds) => boolean;
type Bound = { [K in keyof Bounds]-?: Exclude<Bounds[K], undefined> };

const limit = sql.lit(LISTED_MAX + 1);

/** The first orders of one status, read from one index. */
function ofStatus(
  db: Kysely<Tables>,
  status: RawBuilder<OrderStatus>,
  column: 'placed_at' | 'total',
  direction: Direction,
  p: Bound,
  given: Given,
) {
  return db
    .selectFrom('orders')
    .select(['order_id', column])
    .where('status', '=', status)
    .$if(given('from_ms'), (q) => q.where('placed_at', '>=', p.from_ms))
    .$if(given('to_ms'), (q) => q.where('placed_at', '<=', p.to_ms))
    .$if(given('min_total'), (q) => q.where('total', '>=', p.min_total))
    .$if(given('max_total'), (q) => q.where('total', '<=', p.max_total))
    .orderBy(column, direction)
    .orderBy('order_id', direction)
    .limit(limit);
}

/**
 * Both indexes begin with the status. Without a status, the first orders of each status are merged: one index serves
 * lists of one status and of all.
 */
function sortedBy(column: 'placed_at' | 'total', direction: Direction): Query<Bounds, Found> {
  return query((db, p, given) => {
    if (given('status')) {
      return ofStatus(db, sql<OrderStatus>`${p.status}`, column, direction, p, given);
    }
    const parts = orderStatuses.map((status) => {
      const part = ofStatus(db, sql.lit(status), column, direction, p, given);
      return db.selectFrom(part.as('part')).select(['order_id', column]);
    });
    const [first, ...others] = parts;
    const all = others.reduce((union, part) => union.unionAll(part), first!);
    return db
      .selectFrom(all.as('every'))
      .select(['order_id', column])
      .orderBy(column, direction)
      .orderBy('order_id', direction)
      .limit(limit);
  });
}

/** Orders that are credited to a coupon, by the commission of a single referral. */
function sortedByCommission(direction: Direction): Query<Bounds, Found> {
  return query((db, p, given) =>
    db
      .selectFrom('referrals')
      .select('order_id')
      .where('dropped', '=', sql.lit(0))
      .$if(given('status'), (q) => q.where('status', '=', sql<OrderStatus>`${p.status}`))
      .$if(given('from_ms'), (q) => q.where('placed_at', '>=', p.from_ms))
      .$if(given('to_ms'), (q) => q.where('placed_at', '<=', p.to_ms))
      .orderBy('commission', direction)
      .orderBy('placed_at', direction)
      .orderBy('order_id', direction)
      .limit(limit),
  );
}

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

const ofAll: Record<OrderSort, Query<Bounds, Found>> = {
  '-date': sortedBy('placed_at', 'desc'),
  date: sortedBy('placed_at', 'asc'),
  '-amount': sortedBy('total', 'desc'),
  amount: sortedBy('total', 'asc'),
  '-commission': sortedByCommission('desc'),
  commission: sortedByCommission('asc'),
};

const ofSome: Record<OrderSort, Query<Bounds & { coupon_ids: string }, Found>> = {
  '-date': ofCoupons('referrals.placed_at', 'desc'),
  date: ofCoupons('referrals.placed_at', 'asc'),
  '-amount': ofCoupons('orders.total', 'desc'),
  amount: ofCoupons('orders.total', 'asc'),
  '-commission': ofCoupons('referrals.commission', 'desc'),
  commission: ofCoupons('referrals.commission', 'asc'),
};

/** The numbers of the first orders of a list, at most one more than `LISTED_MAX`. */
export async function findOrderNumbers(
  db: Reader,
  { couponIds, ...filter }: OrderFilter,
  sort: OrderSort,
): Promise<number[]> {
  const bounds = {
    status: filter.status,
    from_ms: filter.fromMs,
    to_ms: filter.toMs,
    min_total: filter.minTotal,
    max_total: filter.maxTotal,
  };
  const found =
    couponIds === undefined
      ? await db.all(ofAll[sort], bounds)
      : await db.all(ofSome[sort], { ...bounds, coupon_ids: jsonList([...couponIds]) });
  // An order with several coupons is found once per coupon.
  return [...new Set(found.map(({ order_id }) => order_id))];
}
