import { sql, type Compilable, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { query, type Query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import { orderStatuses, type OrderStatus } from '../settings.ts';

export const orderSorts = [
  '-date',
  'date',
  '-amount',
  'amount',
  '-commission',
  'commission',
] as const;
type OrderSort = (typeof orderSorts)[number];

/** How far a list reaches: further pages are found by a narrower filter. See docs/decisions/0030. */
export const LISTED_MAX = 2_000;

/** A range with fewer orders than this is read completely and sorted, instead of searched in the order of the sort. */
const NARROW_MAX = 10_000;

/** Times and amounts in minor units are included. */
interface Bounds {
  status?: OrderStatus | undefined;
  from_ms?: number | undefined;
  to_ms?: number | undefined;
  min_total?: number | undefined;
  max_total?: number | undefined;
}

/** Of coupons that others have had as well, only orders of this affiliate, or of one of these codes and affiliates. */
interface Accounts {
  user_id?: number | undefined;
  /** JSON arrays. */
  codes?: string | undefined;
  users?: string | undefined;
}

export interface OrderFilter extends Bounds, Accounts {
  /** Only orders that are credited to one of these coupons. */
  couponIds?: readonly number[] | undefined;
}

/** `coupon_ids`: a JSON array. */
export type ListParams = Bounds & Accounts & { coupon_ids?: string | undefined };

export interface FoundNumber {
  order_id: number;
}

type Building = Parameters<Parameters<typeof query<ListParams, FoundNumber>>[0]>;
type Column = 'placed_at' | 'total';
type Direction = 'asc' | 'desc';

/** What a statement reads: the index of its sort, or the index of the other range and sorts what it finds. */
type Driver = 'sort' | 'range';

export const listLimit = sql.lit(LISTED_MAX + 1);

/** Keeps both databases from using an index for a condition. */
const withoutIndex = (column: string) => sql<number>`(${sql.ref(column)} + 0)`;

/** `driving`: the column whose index is used; undefined for none. */
export function ranged(building: Building, driving?: Column) {
  const [db, p, given] = building;
  const column = (name: Column) => (name === driving ? sql.ref<number>(name) : withoutIndex(name));
  return db
    .selectFrom('orders')
    .$if(given('from_ms'), (q) => q.where(column('placed_at'), '>=', p.from_ms))
    .$if(given('to_ms'), (q) => q.where(column('placed_at'), '<=', p.to_ms))
    .$if(given('min_total'), (q) => q.where(column('total'), '>=', p.min_total))
    .$if(given('max_total'), (q) => q.where(column('total'), '<=', p.max_total))
    .$if(given('coupon_ids'), (q) => q.where(isCredited('orders', building)));
}

/**
 * Looks each order up by its number: for coupons with so many orders that a page is soon full. Without the offset
 * PostgreSQL joins all referrals of the coupons first (a million orders: 15 s instead of 0.1).
 */
function isCredited(table: 'orders' | 'referrals', building: Building) {
  const isOne = building[3].inJsonArray('own.coupon_id', building[1].coupon_ids, 'number');
  const isSame = table === 'orders' ? sql`` : sql`and own.coupon_id = referrals.coupon_id`;
  return sql<SqlBool>`exists (select 1 from referrals as own where own.dropped = 0
    and own.order_id = ${sql.ref(`${table}.order_id`)} ${isSame} and ${isOne} and ${isOwn('own', building)} limit 1 offset 0)`;
}

/** The condition that a referral belongs to one of the accounts. */
function isOwn(table: 'own' | 'referrals', [, p, given, dialect]: Building) {
  const userId = sql.ref<number>(`${table}.user_id`);
  const isOne = given('user_id') ? sql<SqlBool>`${userId} = ${p.user_id}` : sql<SqlBool>`1 = 1`;
  if (!given('codes')) return isOne;
  return sql<SqlBool>`${isOne} and (${dialect.inJsonArray(`${table}.coupon_id`, p.codes, 'number')}
    or ${dialect.inJsonArray(userId, p.users, 'number')})`;
}

/** The rows of all parts. */
function union(parts: readonly Expression<unknown>[]) {
  const rows = parts.map((part) => sql`select * from (${part}) as part`);
  return sql`(${sql.join(rows, sql` union all `)}) as every`;
}

/**
 * All indexes begin with the status. Without a status, the first entries of each status are merged: one index serves
 * lists of one status and of all.
 */
function overStatuses(
  column: Column | 'commission',
  direction: Direction,
  ofStatus: (
    status: RawBuilder<OrderStatus>,
    building: Building,
  ) => Compilable<FoundNumber> & Expression<FoundNumber>,
): Query<ListParams, FoundNumber> {
  return query((...building) => {
    const [db, p, given] = building;
    if (given('status')) return ofStatus(sql`${p.status}`, building);
    const parts = orderStatuses.map((status) => ofStatus(sql.lit(status), building));
    const order = sql.raw(direction);
    const merged = sql<FoundNumber>`select order_id from ${union(parts)}
      order by ${sql.ref(column)} ${order}, order_id ${order} limit ${listLimit}`;
    return { compile: () => merged.compile(db) };
  });
}

function sortedBy(
  column: Column,
  direction: Direction,
  driver: Driver,
): Query<ListParams, FoundNumber> {
  const other = column === 'placed_at' ? 'total' : 'placed_at';
  const driving = driver === 'sort' ? column : other;
  return overStatuses(column, direction, (status, building) =>
    ranged(building, driving)
      .where('status', '=', status)
      .select(['order_id', column])
      // An index for the order would be read instead of the narrow range.
      .orderBy(driver === 'sort' ? sql.ref(column) : withoutIndex(column), direction)
      .orderBy('order_id', direction)
      .limit(listLimit),
  );
}

/** Orders that are credited to a coupon, by the commission of a single referral. */
function sortedByCommission(direction: Direction, driver: Driver): Query<ListParams, FoundNumber> {
  return overStatuses('commission', direction, (status, building) => {
    const [db, p, given] = building;
    if (driver === 'sort') {
      return db
        .selectFrom('referrals')
        .select(['order_id', 'commission'])
        .where('dropped', '=', sql.lit(0))
        .where('status', '=', status)
        .$if(given('from_ms'), (q) => q.where('placed_at', '>=', p.from_ms))
        .$if(given('to_ms'), (q) => q.where('placed_at', '<=', p.to_ms))
        .$if(given('coupon_ids'), (q) => q.where(isCredited('referrals', building)))
        .orderBy('commission', direction)
        .orderBy('order_id', direction)
        .limit(listLimit);
    }
    const found = ranged(building, 'placed_at').where('status', '=', status).select('order_id');
    return db
      .selectFrom(found.as('found'))
      .innerJoin('referrals', 'referrals.order_id', 'found.order_id')
      .select(['referrals.order_id', 'referrals.commission'])
      .where('referrals.dropped', '=', sql.lit(0))
      .$if(given('coupon_ids'), (q) => q.where(isCredited('referrals', building)))
      .orderBy('referrals.commission', direction)
      .orderBy('referrals.order_id', direction)
      .limit(listLimit);
  });
}

/** The orders of coupons that have few. It reads the index of the coupons; the orders themselves only for their amounts. */
function ofCoupons(
  column: Column | 'commission',
  direction: Direction,
): Query<ListParams & { coupon_ids: string }, FoundNumber> {
  return query((db, p, given, dialect) => {
    const needsOrders = column === 'total' || given('min_total') || given('max_total');
    const referred = db
      .selectFrom('referrals')
      .where('referrals.dropped', '=', sql.lit(0))
      .where(dialect.inJsonArray('referrals.coupon_id', p.coupon_ids, 'number'))
      .where(isOwn('referrals', [db, p, given, dialect]))
      .$if(given('status'), (q) => q.where('referrals.status', '=', p.status))
      .$if(given('from_ms'), (q) => q.where('referrals.placed_at', '>=', p.from_ms))
      .$if(given('to_ms'), (q) => q.where('referrals.placed_at', '<=', p.to_ms))
      .select('referrals.order_id')
      .orderBy(sql.ref(column === 'total' ? 'orders.total' : `referrals.${column}`), direction)
      .orderBy('referrals.order_id', direction)
      .limit(listLimit);
    if (!needsOrders) return referred;
    return referred
      .innerJoin('orders', 'orders.order_id', 'referrals.order_id')
      .$if(given('min_total'), (q) => q.where('orders.total', '>=', p.min_total))
      .$if(given('max_total'), (q) => q.where('orders.total', '<=', p.max_total));
  });
}

const columns = { date: 'placed_at', amount: 'total', commission: 'commission' } as const;

function bySort<T>(make: (column: Column | 'commission', direction: Direction) => T) {
  const each = orderSorts.map((sort) => {
    // What is left of a sort without the minus sign is the name of a column.
    const column = columns[sort.replace('-', '') as keyof typeof columns];
    return [sort, make(column, sort.startsWith('-') ? 'desc' : 'asc')] as const;
  });
  return new Map(each);
}

const ofAll = bySort((column, direction) => {
  const by = (driver: Driver) =>
    column === 'commission'
      ? sortedByCommission(direction, driver)
      : sortedBy(column, direction, driver);
  return { sort: by('sort'), range: by('range') };
});
const ofSome = bySort(ofCoupons);

/** Counts the orders of a range, but never more than a narrow one may have. */
const sizeBy = (driving: Column): Query<ListParams, { size: number }> =>
  query((...building) => {
    const [db, p, given] = building;
    const statuses = given('status')
      ? [sql<OrderStatus>`${p.status}`]
      : orderStatuses.map((one) => sql.lit(one));
    const parts = statuses.map((status) =>
      ranged(building, driving)
        .where('status', '=', status)
        .select('order_id')
        .limit(sql.lit(NARROW_MAX)),
    );
    const counted = sql<{ size: number }>`select count(*) as size from ${union(parts)}`;
    return { compile: () => counted.compile(db) };
  });

const sizes = { placed_at: sizeBy('placed_at'), total: sizeBy('total') };

/** Counts the referrals of coupons, up to the same number. */
const sizeOfCoupons = query<{ coupon_ids: string }, { size: number }>((db, p, _given, dialect) =>
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

/** Reads the range first if it has few orders and is not what the list is sorted by. */
async function driverFor(db: Reader, bounds: Bounds, sort: OrderSort): Promise<Driver> {
  const isByDate = sort.endsWith('date');
  const { from_ms, to_ms, min_total, max_total, status } = bounds;
  const other: Bounds = isByDate ? { min_total, max_total } : { from_ms, to_ms };
  if (Object.values(other).every((value) => value === undefined)) return 'sort';
  const column = isByDate ? 'total' : 'placed_at';
  const range: ListParams = { ...other, status };
  const { size } = (await db.first(sizes[column], range))!;
  return size < NARROW_MAX ? 'range' : 'sort';
}

/**
 * The numbers of the first orders of a list, at most one more than `LISTED_MAX`. Those of coupons that have few are
 * sorted, those of busy ones are searched along the index of the sort.
 *
 * @param narrowMax Coupons with fewer referrals are narrow.
 */
export async function findOrderNumbers(
  db: Reader,
  { couponIds, ...bounds }: OrderFilter,
  sort: OrderSort,
  narrowMax = NARROW_MAX,
): Promise<number[]> {
  const coupon_ids = couponIds && jsonList([...couponIds]);
  const isNarrow =
    coupon_ids !== undefined && (await db.first(sizeOfCoupons, { coupon_ids }))!.size < narrowMax;
  const found = isNarrow
    ? await db.all(ofSome.get(sort)!, { ...bounds, coupon_ids })
    : await db.all(ofAll.get(sort)![await driverFor(db, bounds, sort)], { ...bounds, coupon_ids });
  // An order with several coupons is found once per coupon.
  return [...new Set(found.map(({ order_id }) => order_id))];
}
