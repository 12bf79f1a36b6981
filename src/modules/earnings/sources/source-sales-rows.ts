import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import { ordersByDay } from '../orders/affiliate-orders-rows.ts';

interface Days {
  user_id: number;
  coupon_ids: string;
  first: string;
  last: string;
}

/** Amounts are minor units. */
interface SourceSales {
  orders: number;
  sales: number;
  commission: number;
}

type NamedSales = SourceSales & { name: string };

/** From the referrals of the coupons, along their index, to the source of each. */
const salesBy = (column: 'sub1' | 'creative_id', isGiven: RawBuilder<boolean>) =>
  query<Days, NamedSales>((db, p, _given, dialect) =>
    db
      .selectFrom('referrals')
      .crossJoin('order_sources')
      .select([
        sql<string>`cast(${sql.ref(column)} as text)`.as('name'),
        sql<number>`sum(counted)`.as('orders'),
        sql<number>`sum(counted * sales)`.as('sales'),
        sql<number>`sum(counted * commission)`.as('commission'),
      ])
      .where(dialect.inJsonArray('referrals.coupon_id', p.coupon_ids, 'number'))
      .where('referrals.user_id', '=', p.user_id)
      .where('referrals.dropped', '=', sql.lit(0))
      .where('referrals.day', '>=', p.first)
      .where('referrals.day', '<=', p.last)
      .whereRef('order_sources.order_id', '=', 'referrals.order_id')
      .whereRef('order_sources.coupon_id', '=', 'referrals.coupon_id')
      .where(isGiven)
      .groupBy(column),
  );

const statements = {
  sub1: salesBy('sub1', sql`sub1 <> ''`),
  creative: salesBy('creative_id', sql`creative_id is not null`),
};

/** SQLite runs in the process: one statement reads about as many orders, so that it takes a few milliseconds. */
const ORDERS_AT_ONCE = 2_000;

/** The figures of orders by the source of their links, counted as in the statistics. */
export async function sumSourceSales(
  db: Reader,
  by: keyof typeof statements,
  {
    userId,
    couponIds,
    first,
    last,
  }: { userId: number; couponIds: readonly number[]; first: string; last: string },
): Promise<Map<string, SourceSales>> {
  const coupon_ids = jsonList([...couponIds]);
  const sums = new Map<string, SourceSales>();
  const days = await ordersByDay(db, { coupon_ids, first, last });
  for (let from = days.length - 1; from >= 0;) {
    let to = from;
    for (let orders = 0; to >= 0 && orders < ORDERS_AT_ONCE; to -= 1) orders += days[to]!.orders;
    const period = { user_id: userId, coupon_ids, first: days[from]!.day, last: days[to + 1]!.day };
    for (const { name, ...more } of await db.all(statements[by], period)) {
      const sum = sums.get(name) ?? { orders: 0, sales: 0, commission: 0 };
      sum.orders += more.orders;
      sum.sales += more.sales;
      sum.commission += more.commission;
      sums.set(name, sum);
    }
    from = to;
  }
  return sums;
}
