import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { long, query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';

interface Wanted {
  user_id: number;
  coupon_ids: string;
  first: string;
  last: string;
  names: string;
  limit: number;
}

/** Amounts are minor units. */
interface SourceSales {
  orders: number;
  sales: number;
  commission: number;
}

type NamedSales = SourceSales & { name: string };

/** From the referrals of the coupons, along their index, to the source of each. */
const salesBy = (column: 'sub1' | 'creative_id', isGiven: RawBuilder<boolean>) => {
  const name = sql<string>`cast(${sql.ref(column)} as text)`;
  return query<Wanted, NamedSales>(
    (db, p, _given, dialect) =>
      db
        .selectFrom('referrals')
        .crossJoin('order_sources')
        .select([
          name.as('name'),
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
        .groupBy(column)
        .orderBy(sql`case when ${dialect.inJsonArray(name, p.names, 'text')} then 0 else 1 end`)
        .orderBy(sql`sum(counted)`, 'desc')
        .orderBy(column)
        .limit(p.limit),
    long,
  );
};

const statements = {
  sub1: salesBy('sub1', sql`sub1 <> ''`),
  creative: salesBy('creative_id', sql`creative_id is not null`),
};

/**
 * The figures of orders by the source of their links, counted as in the statistics: of the sources with these names, and
 * up to the limit of those with most orders.
 */
export async function sumSourceSales(
  db: Reader,
  by: keyof typeof statements,
  {
    userId,
    couponIds,
    names,
    ...wanted
  }: {
    userId: number;
    couponIds: readonly number[];
    first: string;
    last: string;
    names: readonly string[];
    limit: number;
  },
): Promise<Map<string, SourceSales>> {
  const rows = await db.all(statements[by], {
    ...wanted,
    user_id: userId,
    coupon_ids: jsonList([...couponIds]),
    names: jsonList([...names]),
  });
  return new Map(rows.map(({ name, ...sums }) => [name, sums]));
}
