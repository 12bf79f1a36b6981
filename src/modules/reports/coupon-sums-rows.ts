import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { readAll } from '../../db/statements/calls.ts';
import { figureColumns } from '../../db/statements/columns.ts';
import { long, query } from '../../db/statements/query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import { daysBetween } from '../../kernel/call/series.ts';
import { formerClicks, formerDays } from '../coupons/index.ts';
import { list, numbersOf, type NumberLists } from './number-lists.ts';
import { total, within, type InRange } from './report-rows.ts';
import { piecesOf, splitPeriod } from './whole-months.ts';

const orderSums = ['orders_count', 'total_sales', 'total_commission', 'upline_commission'] as const;
const clickSums = ['clicks', 'conversions'] as const;
type OrderLists = NumberLists<'coupon_id' | (typeof orderSums)[number]>;
type ClickLists = NumberLists<'coupon_id' | (typeof clickSums)[number]>;

const listsOf = <Name extends string>(names: readonly Name[]) =>
  [list('coupon_id'), ...names.map((name) => list(name))] as const;

/** One entry per coupon and day: adding them up here takes half the time of grouping them in SQLite, which sorts them. */
const ordersOfDays = query<InRange, OrderLists>(
  (db, p) =>
    db
      .selectFrom('coupon_days')
      .select(listsOf(orderSums))
      .where('day', '>=', p.first)
      .where('day', '<=', p.last),
  long,
);

const clicksOfDays = query<InRange, ClickLists>(
  (db, p) =>
    db
      .selectFrom('click_days')
      .select(listsOf(clickSums))
      .where('day', '>=', p.first)
      .where('day', '<=', p.last),
  long,
);

/** The coupons with an id above the one and up to the other. */
export interface CouponRange {
  after: number;
  upTo: number;
}

type OfCoupons = InRange & CouponRange;

/** One entry per coupon: the rows of a coupon are stored one after another, so nothing needs to be sorted. */
const ordersOfCoupons = query<OfCoupons, OrderLists>((db, p) => {
  const coupons = db
    .selectFrom('coupon_days')
    .select('coupon_id')
    .select(orderSums.map((name) => total(name)))
    .where('coupon_id', '>', p.after)
    .where('coupon_id', '<=', p.upTo)
    .where('day', '>=', p.first)
    .where('day', '<=', p.last)
    .groupBy('coupon_id');
  return db.selectFrom(coupons.as('coupon')).select(listsOf(orderSums));
}, long);

/** The same of whole months, from `2026-03` to `2026-05`. */
const clicksOfCoupons = query<OfCoupons, ClickLists>((db, p) => {
  const coupons = db
    .selectFrom('click_months')
    .select('coupon_id')
    .select(clickSums.map((name) => total(name)))
    .where('coupon_id', '>', p.after)
    .where('coupon_id', '<=', p.upTo)
    .where('month', '>=', p.first)
    .where('month', '<=', p.last)
    .groupBy('coupon_id');
  return db.selectFrom(coupons.as('coupon')).select(listsOf(clickSums));
}, long);

const lastCoupon = query<object, { id: number | null }>((db) =>
  db.selectFrom('coupons').select((eb) => eb.fn.max('id').as('id')),
);

/** Adding up what one statement finds keeps other requests waiting, so it covers only this many days or coupons. */
const DAYS_AT_ONCE = 10;
const COUPONS_AT_ONCE = 5_000;

/** A longer period is read coupon by coupon, past the days of other years, instead of day by day. */
const DAYS_MAX = 62;
/** Unless it has at most this many orders or clicks. */
const FEW_MAX = 5_000;

export async function* rangesOfCoupons(db: Reader): AsyncGenerator<CouponRange> {
  const last = (await db.first(lastCoupon, {}))!.id ?? 0;
  for (let after = 0; after < last; after += COUPONS_AT_ONCE) {
    yield { after, upTo: after + COUPONS_AT_ONCE };
  }
}

/** What a coupon has earned with some orders, in minor units. */
export interface OrderSums {
  orders: number;
  sales: number;
  commission: number;
  upline_commission: number;
}

/**
 * Adds up the orders of a period by coupon; an order with several coupons counts for each of them. A period of at most
 * a year or so may say about how many orders it has.
 */
export async function addOrders(
  db: Reader,
  period: InRange,
  sumsOf: (couponId: number) => OrderSums,
  count = Number.POSITIVE_INFINITY,
): Promise<void> {
  const add = (lists: OrderLists) => {
    const coupons = numbersOf(lists.coupon_id);
    const orders = numbersOf(lists.orders_count);
    const sales = numbersOf(lists.total_sales);
    const commissions = numbersOf(lists.total_commission);
    const shares = numbersOf(lists.upline_commission);
    for (let i = 0; i < coupons.length; i++) {
      const sums = sumsOf(coupons[i]!);
      sums.orders += orders[i]!;
      sums.sales += sales[i]!;
      sums.commission += commissions[i]!;
      sums.upline_commission += shares[i]!;
    }
  };
  if (daysBetween(period.first, period.last) < DAYS_MAX || count <= FEW_MAX) {
    for (const days of piecesOf(period, DAYS_AT_ONCE)) {
      add((await db.first(ordersOfDays, days))!);
    }
    return;
  }
  for await (const ids of rangesOfCoupons(db)) {
    add((await db.first(ordersOfCoupons, { ...period, ...ids }))!);
  }
}

interface ClickSums {
  clicks: number;
  conversions: number;
}

/**
 * Adds up the clicks of a period by coupon: whole months from their own sums, the other days one by one. `count` is
 * about how many clicks the period has.
 */
export async function addClicks(
  db: Reader,
  period: InRange,
  sumsOf: (couponId: number) => ClickSums,
  count: number,
): Promise<void> {
  const add = (lists: ClickLists) => {
    const coupons = numbersOf(lists.coupon_id);
    const clicks = numbersOf(lists.clicks);
    const conversions = numbersOf(lists.conversions);
    for (let i = 0; i < coupons.length; i++) {
      const sums = sumsOf(coupons[i]!);
      sums.clicks += clicks[i]!;
      sums.conversions += conversions[i]!;
    }
  };
  const { months, days } =
    count <= FEW_MAX ? { months: undefined, days: [period] } : splitPeriod(period);
  if (months) {
    for await (const ids of rangesOfCoupons(db)) {
      add((await db.first(clicksOfCoupons, { ...months, ...ids }))!);
    }
  }
  for (const range of days.flatMap((some) => [...piecesOf(some, DAYS_AT_ONCE)])) {
    add((await db.first(clicksOfDays, range))!);
  }
}

/** The owner of coupons without an affiliate. */
export const NO_OWNER = 0;
/** A list of more ids takes longer to read. */
const OWNERS_AT_ONCE = 2_000;

const owners = query<{ ids: string }, NumberLists<'id' | 'user_id'>>((db, p, _given, dialect) => {
  const coupons = db
    .selectFrom('coupons')
    .select(['id', sql<number>`coalesce(user_id, ${sql.lit(NO_OWNER)})`.as('user_id')])
    .where(dialect.inJsonArray('id', p.ids, 'number'));
  return db.selectFrom(coupons.as('coupon')).select([list('id'), list('user_id')]);
}, long);

/** Calls back with each of these coupons and its affiliate. */
export async function eachOwner(
  db: Reader,
  couponIds: readonly number[],
  found: (couponId: number, userId: number) => void,
): Promise<void> {
  for (let i = 0; i < couponIds.length; i += OWNERS_AT_ONCE) {
    const ids = jsonList(couponIds.slice(i, i + OWNERS_AT_ONCE));
    const lists = (await db.first(owners, { ids }))!;
    const userIds = numbersOf(lists.user_id);
    for (const [place, id] of numbersOf(lists.id).entries()) found(id, userIds[place]!);
  }
}

interface AccountSums extends OrderSums {
  readonly user_id: number;
}

/** By affiliate, what its accounts have besides the orders of its coupons in a period, or less than they. */
export const sumFormerOrders = readAll<InRange, AccountSums>(
  (db, p) => ({
    compile: () =>
      sql<AccountSums>`select coalesce(user_id, ${sql.lit(NO_OWNER)}) as user_id, sum(orders_count) as orders, sum(total_sales) as sales,
        sum(total_commission) as commission, sum(upline_commission) as upline_commission
      from ${formerDays(figureColumns, () => within('former_days', p))} as days
      group by coalesce(user_id, ${sql.lit(NO_OWNER)})`.compile(db),
  }),
  long,
);

/** The same of clicks. */
export const sumFormerClicks = readAll<InRange, ClickSums & { readonly user_id: number }>(
  (db, p) => ({
    compile: () =>
      sql<
        ClickSums & { readonly user_id: number }
      >`select coalesce(user_id, ${sql.lit(NO_OWNER)}) as user_id,
          cast(sum(clicks) as bigint) as clicks, cast(sum(conversions) as bigint) as conversions
        from ${formerClicks('campaign', () => within('former_clicks', p))} as days
        group by coalesce(user_id, ${sql.lit(NO_OWNER)})`.compile(db),
  }),
  long,
);
