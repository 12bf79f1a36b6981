import {
  sql,
  type Compilable,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { Dialect } from '../../../db/dialect.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import type { Tables } from '../../../db/tables.ts';
import { orderStatuses, type OrderStatus } from '../settings.ts';
import { ofSome, sizeOfCoupons } from './credited-list-rows.ts';
import {
  limit,
  NARROW_MAX,
  type Bound,
  type Bounds,
  type Direction,
  type Found,
  type Given,
  type OrderSort,
} from './order-list-bounds.ts';

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

interface Building {
  readonly p: Bound;
  readonly given: Given;
  readonly dialect: Dialect;
}

/** Keeps both databases from using an index for a condition. */
const withoutIndex = (column: string) => sql<number>`(${sql.ref(column)} + 0)`;

type Column = 'placed_at' | 'total';

/** What a statement reads: the index of its sort, or the index of the other range and sorts what it finds. */
type Driver = 'sort' | 'range';

function ranged(
  db: Kysely<Tables>,
  status: RawBuilder<OrderStatus>,
  driving: Column,
  { p, given, dialect }: Building,
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
    .$if(given('max_total'), (q) => q.where(total, '<=', p.max_total))
    .$if(given('coupon_ids'), (q) => q.where(isCredited('orders', p, dialect)));
}

/**
 * Looks each order up by its number: for coupons with so many orders that a page is soon full. Without the offset
 * PostgreSQL joins all referrals of the coupons first (a million orders: 15 s instead of 0.1).
 */
function isCredited(table: 'orders' | 'referrals', p: Bound, dialect: Dialect) {
  const isOne = dialect.inJsonArray('own.coupon_id', p.coupon_ids, 'number');
  const isSame = table === 'orders' ? sql`` : sql`and own.coupon_id = referrals.coupon_id`;
  return sql<SqlBool>`exists (select 1 from referrals as own where own.dropped = 0
    and own.order_id = ${sql.ref(`${table}.order_id`)} ${isSame} and ${isOne} limit 1 offset 0)`;
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
    building: Building,
  ) => Compilable<Found> & Expression<Found>,
): Query<Bounds, Found> {
  const order = sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(direction)}`));
  return query((db, p, given, dialect) => {
    const building = { p, given, dialect };
    if (given('status')) return ofStatus(db, sql<OrderStatus>`${p.status}`, building);
    const parts = orderStatuses.map(
      (status) => sql`select * from (${ofStatus(db, sql.lit(status), building)}) as part`,
    );
    const merged = sql<Found>`select order_id from (${sql.join(parts, sql` union all `)}) as every
      order by ${order} limit ${limit}`;
    return { compile: () => merged.compile(db) };
  });
}

function sortedBy(column: Column, direction: Direction, driver: Driver): Query<Bounds, Found> {
  const other = column === 'placed_at' ? 'total' : 'placed_at';
  const driving = driver === 'sort' ? column : other;
  return overStatuses([column, 'order_id'], direction, (db, status, building) =>
    ranged(db, status, driving, building)
      .select(['order_id', column])
      // An index for the order would be read instead of the narrow range.
      .orderBy(driver === 'sort' ? sql.ref(column) : withoutIndex(column), direction)
      .orderBy('order_id', direction)
      .limit(limit),
  );
}

/** Orders that are credited to a coupon, by the commission of a single referral. */
function sortedByCommission(direction: Direction, driver: Driver): Query<Bounds, Found> {
  return overStatuses(['commission', 'order_id'], direction, (db, status, building) => {
    const { p, given, dialect } = building;
    if (driver === 'sort') {
      return db
        .selectFrom('referrals')
        .select(['order_id', 'commission'])
        .where('dropped', '=', sql.lit(0))
        .where('status', '=', status)
        .$if(given('from_ms'), (q) => q.where('placed_at', '>=', p.from_ms))
        .$if(given('to_ms'), (q) => q.where('placed_at', '<=', p.to_ms))
        .$if(given('coupon_ids'), (q) => q.where(isCredited('referrals', p, dialect)))
        .orderBy('commission', direction)
        .orderBy('order_id', direction)
        .limit(limit);
    }
    const found = ranged(db, status, 'placed_at', building).select('order_id');
    return db
      .selectFrom(found.as('found'))
      .innerJoin('referrals', 'referrals.order_id', 'found.order_id')
      .select(['referrals.order_id', 'referrals.commission'])
      .where('referrals.dropped', '=', sql.lit(0))
      .$if(given('coupon_ids'), (q) => q.where(isCredited('referrals', p, dialect)))
      .orderBy('referrals.commission', direction)
      .orderBy('referrals.order_id', direction)
      .limit(limit);
  });
}

/** Counts the orders of a range, but never more than a narrow one may have. */
const sizeBy = (driving: Column): Query<Bounds, { size: number }> =>
  query((db, p, given, dialect) => {
    const statuses = given('status')
      ? [sql<OrderStatus>`${p.status}`]
      : orderStatuses.map((one) => sql.lit(one));
    const parts = statuses.map(
      (status) =>
        sql`select * from (${ranged(db, status, driving, { p, given, dialect })
          .select('order_id')
          .limit(sql.lit(NARROW_MAX))}) as part`,
    );
    const counted = sql<{
      size: number;
    }>`select count(*) as size from (${sql.join(parts, sql` union all `)}) as every`;
    return { compile: () => counted.compile(db) };
  });

const sizes = { placed_at: sizeBy('placed_at'), total: sizeBy('total') };

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

/**
 * The numbers of the first orders of a list, at most one more than `LISTED_MAX`.
 *
 * @param narrowMax Coupons with fewer referrals are narrow.
 */
export async function findOrderNumbers(
  db: Reader,
  { couponIds, ...filter }: OrderFilter,
  sort: OrderSort,
  narrowMax = NARROW_MAX,
): Promise<number[]> {
  const bounds: Bounds = {
    status: filter.status,
    from_ms: filter.fromMs,
    to_ms: filter.toMs,
    min_total: filter.minTotal,
    max_total: filter.maxTotal,
  };
  const found =
    couponIds === undefined
      ? await db.all(ofAll[sort][await driverFor(db, bounds, sort)], bounds)
      : await findCredited(
          db,
          { ...bounds, coupon_ids: jsonList([...couponIds]) },
          sort,
          narrowMax,
        );
  // An order with several coupons is found once per coupon.
  return [...new Set(found.map(({ order_id }) => order_id))];
}

/** Sorts the orders of coupons that have few, and looks for those of busy ones along the index of the sort. */
async function findCredited(
  db: Reader,
  bounds: Bounds & { coupon_ids: string },
  sort: OrderSort,
  narrowMax: number,
): Promise<Found[]> {
  const { coupon_ids } = bounds;
  const { size } = (await db.first(sizeOfCoupons, { coupon_ids }))!;
  if (size < narrowMax) return db.all(ofSome[sort], bounds);
  return db.all(ofAll[sort][await driverFor(db, bounds, sort)], bounds);
}
