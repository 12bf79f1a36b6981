import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { jsonList } from '../../db/statements/rows-query.ts';
import { list, numbersOf, type NumberLists } from './number-lists.ts';
import type { InRange } from './report-store.ts';
import { eachMonth, piecesOf, splitPeriod } from './whole-months.ts';

const orderColumns = [
  'coupon_id',
  'orders_count',
  'total_sales',
  'total_commission',
  'upline_commission',
] as const;

/** One entry per coupon and day: adding them up here takes half the time of grouping them in SQLite, which sorts them. */
const ordersOfDays = query<InRange, NumberLists<(typeof orderColumns)[number]>>((db, p) =>
  db
    .selectFrom('coupon_days')
    .select(orderColumns.map((name) => list(name)))
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);

const clickColumns = ['coupon_id', 'clicks', 'conversions'] as const;
type ClickLists = NumberLists<(typeof clickColumns)[number]>;

const clicksOfDays = query<InRange, ClickLists>((db, p) =>
  db
    .selectFrom('click_days')
    .select(clickColumns.map((name) => list(name)))
    .where('day', '>=', p.first)
    .where('day', '<=', p.last),
);

const clicksOfMonth = query<{ month: string }, ClickLists>((db, p) =>
  db
    .selectFrom('click_months')
    .select(clickColumns.map((name) => list(name)))
    .where('month', '=', p.month),
);

/** SQLite blocks the event loop during a statement, so one statement covers only this many days. */
const DAYS_AT_ONCE = 10;

/** What a coupon has earned with some orders, in minor units. */
export interface OrderSums {
  orders: number;
  sales: number;
  commission: number;
  upline_commission: number;
}

/** Adds up the orders of a period by coupon; an order with several coupons counts for each of them. */
export async function addOrders(
  db: Reader,
  period: InRange,
  sumsOf: (couponId: number) => OrderSums,
): Promise<void> {
  for (const range of piecesOf(period, DAYS_AT_ONCE)) {
    const lists = (await db.first(ordersOfDays, range))!;
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
    await nextTurn();
  }
}

interface ClickSums {
  clicks: number;
  conversions: number;
}

/** Adds up the clicks of a period by coupon: whole months from their own sums, the other days one by one. */
export async function addClicks(
  db: Reader,
  period: InRange,
  sumsOf: (couponId: number) => ClickSums,
): Promise<void> {
  const add = async (lists: ClickLists) => {
    const coupons = numbersOf(lists.coupon_id);
    const clicks = numbersOf(lists.clicks);
    const conversions = numbersOf(lists.conversions);
    for (let i = 0; i < coupons.length; i++) {
      const sums = sumsOf(coupons[i]!);
      sums.clicks += clicks[i]!;
      sums.conversions += conversions[i]!;
    }
    await nextTurn();
  };
  const { months, days } = splitPeriod(period);
  for (const month of months ? eachMonth(months) : []) {
    await add((await db.first(clicksOfMonth, { month }))!);
  }
  for (const range of days.flatMap((some) => [...piecesOf(some, DAYS_AT_ONCE)])) {
    await add((await db.first(clicksOfDays, range))!);
  }
}

/** The owner of coupons without an affiliate. */
export const NO_OWNER = 0;
const COUPONS_AT_ONCE = 2_000;

const owners = query<{ ids: string }, NumberLists<'id' | 'user_id'>>((db, p, _given, dialect) => {
  const coupons = db
    .selectFrom('coupons')
    .select(['id', sql<number>`coalesce(user_id, ${sql.lit(NO_OWNER)})`.as('user_id')])
    .where(dialect.inJsonArray('id', p.ids, 'number'));
  return db.selectFrom(coupons.as('coupon')).select([list('id'), list('user_id')]);
});

/** Calls back with each of these coupons and its affiliate. */
export async function eachOwner(
  db: Reader,
  couponIds: readonly number[],
  found: (couponId: number, userId: number) => void,
): Promise<void> {
  for (let i = 0; i < couponIds.length; i += COUPONS_AT_ONCE) {
    const ids = jsonList(couponIds.slice(i, i + COUPONS_AT_ONCE));
    const lists = (await db.first(owners, { ids }))!;
    const userIds = numbersOf(lists.user_id);
    for (const [place, id] of numbersOf(lists.id).entries()) found(id, userIds[place]!);
    await nextTurn();
  }
}
