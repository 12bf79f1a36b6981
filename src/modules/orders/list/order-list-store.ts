import { sql, type Compilable, type Expression, type Kysely, type RawBuilder } from 'kysely';
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

/** Keeps both databases from using an index for a condition. */
const withoutIndex = (column: string) => sql<number>`(${sql.ref(column)} + 0)`;

type Column = 'placed_at' | 'total';

/** What a statement reads: the index of its sort, or the index of the other range and sorts what it finds. */
type Driver = 'sort' | 'range';

function ranged(
  db: Kysely<Tables>,
  status: RawBuilder<OrderStatus>,
  driving: Column,
  p: Bound,
  given: Given,
) {
  const placedAt =
    driving === 'placed_at' ? sql.ref<number>('placed_at') : withoutIndex('placed_at');
  const total = driving === 'total' ? sql.ref<number>('total') : withoutIndex('total');
  return db
    .selectFrom('orders')
    .where('status', '=', status)
    .$if(given('from_ms'), (q) => q.where(placedAt, '>=', p.from_ms))
    .$if(given('to_ms'), (q) => q.where(placedAt, '<=', p.to_ms))
    .$if(given('min_total'), (q) => q.where(total, '>=', p.min_total))
    .$if(given('max_total'), (q) => q.where(total, '<=', p.max_total));
}

/**
 * All indexes begin with the status. Without a status, the first entries of each status are merged: one index serves
 * lists of one status and of all.
 */
function overStatuses(
  columns: readonly (Column | 'commission' | 'order_id')[],
  direction: Direction,
  ofStatus: (
    db: Kysely<Tables>,
    status: RawBuilder<OrderStatus>,
    p: Bound,
    given: Given,
  ) => Compilable<Found> & Expression<Found>,
): Query<Bounds, Found> {
  const order = sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(direction)}`));
  return query((db, p, given) => {
    if (given('status')) return ofStatus(db, sql<OrderStatus>`${p.status}`, p, given);
    const parts = orderStatuses.map(
      (status) => sql`select * from (${ofStatus(db, sql.lit(status), p, given)}) as part`,
    );
    const merged = sql<Found>`select order_id from (${sql.join(parts, sql` union all `)}) as every
      order by ${order} limit ${limit}`;
    return { compile: () => merged.compile(db) };
  });
}

function sortedBy(column: Column, direction: Direction, driver: Driver): Query<Bounds, Found> {
  const other = column === 'placed_at' ? 'total' : 'placed_at';
  const driving = driver === 'sort' ? column : other;
  return overStatuses([column, 'order_id'], direction, (db, status, p, given) =>
    ranged(db, status, driving, p, given)
      .select(['order_id', column])
      // An index for the order would be read instead of the narrow range.
      .orderBy(driver === 'sort' ? sql.ref(column) : withoutIndex(column), direction)
      .orderBy('order_id', direction)
      .limit(limit),
  );
}

/** Orders that are credited to a coupon, by the commission of a single referral. */
function sortedByCommission(direction: Direction, driver: Driver): Query<Bounds, Found> {
  return overStatuses(['commission', 'order_id'], direction, (db, status, p, given) => {
    if (driver === 'sort') {
      return db
        .selectFrom('referrals')
        .select(['order_id', 'commission'])
        .where('dropped', '=', sql.lit(0))
        .where('status', '=', status)
        .$if(given('from_ms'), (q) => q.where('placed_at', '>=', p.from_ms))
        .$if(given('to_ms'), (q) => q.where('placed_at', '<=', p.to_ms))
        .orderBy('commission', direction)
        .orderBy('order_id', direction)
        .limit(limit);
    }
    const found = ranged(db, status, 'placed_at', p, given).select('order_id');
    return db
      .selectFrom(found.as('found'))
      .innerJoin('referrals', 'referrals.order_id', 'found.order_id')
      .select(['referrals.order_id', 'referrals.commission'])
      .where('referrals.dropped', '=', sql.lit(0))
      .orderBy('referrals.commission', direction)
      .orderBy('referrals.order_id', direction)
      .limit(limit);
  });
}

/** A range with fewer orders than this is read whole and sorted, instead of searched in the order of the sort. */
const NARROW_MAX = 10_000;

/** Counts the orders of a range, but never more than a narrow one may have. */
const sizeBy = (driving: Column): Query<Bounds, { size: number }> =>
  query((db, p, given) => {
    const statuses = given('status')
      ? [sql<OrderStatus>`${p.status}`]
      : orderStatuses.map((one) => sql.lit(one));
    const parts = statuses.map(
      (status) =>
        sql`select * from (${ranged(db, status, driving, p, given)
          .select('order_id')
          .limit(sql.lit(NARROW_MAX))}) as part`,
    );
    const counted = sql<{
      size: number;
    }>`select count(*) as size from (${sql.join(parts, sql` union all `)}) as every`;
    return { compile: () => counted.compile(db) };
  });

const sizes = { placed_at: sizeBy('placed_at'), total: sizeBy('total') };

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

const byDriver = (of: (driver: Driver) => Query<Bounds, Found>) => {
  return { sort: of('sort'), range: of('range') };
};

const ofAll: Record<OrderSort, Record<Driver, Query<Bounds, Found>>> = {
  '-date': byDriver((driver) => sortedBy('placed_at', 'desc', driver)),
  date: byDriver((driver) => sortedBy('placed_at', 'asc', driver)),
  '-amount': byDriver((driver) => sortedBy('total', 'desc', driver)),
  amount: byDriver((driver) => sortedBy('total', 'asc', driver)),
  '-commission': byDriver((driver) => sortedByCommission('desc', driver)),
  commission: byDriver((driver) => sortedByCommission('asc', driver)),
};

/** Reads the range first if it has few orders and is not what the list is sorted by. */
async function driverFor(db: Reader, bounds: Bounds, sort: OrderSort): Promise<Driver> {
  const isByDate = sort.endsWith('date');
  const { from_ms, to_ms, min_total, max_total, status } = bounds;
  const other: Bounds = isByDate ? { min_total, max_total } : { from_ms, to_ms };
  if (Object.values(other).every((value) => value === undefined)) return 'sort';
  const column = isByDate ? 'total' : 'placed_at';
  const { size } = (await db.first(sizes[column], { ...other, status }))!;
  return size < NARROW_MAX ? 'range' : 'sort';
}

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
      ? await db.all(ofAll[sort][await driverFor(db, bounds, sort)], bounds)
      : await db.all(ofSome[sort], { ...bounds, coupon_ids: jsonList([...couponIds]) });
  // An order with several coupons is found once per coupon.
  return [...new Set(found.map(({ order_id }) => order_id))];
}
