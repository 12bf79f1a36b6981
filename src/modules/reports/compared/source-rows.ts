import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { long } from '../../../db/statements/query.ts';
import type { SiteCalendar } from '../../../shared/dates.ts';
import { OTHER_SUBS } from '../../clicks/index.ts';
import { formerClicks } from '../../coupons/index.ts';
import { total, within, type InRange } from '../report-rows.ts';
import { addOrdersRead, isBetween, rowOf, type OrderSums, type SomeOrders } from './orders-read.ts';
import { NO_KEY, type Compared, type ComparedRow } from './period-rows.ts';

/** What a report knows about links: the creative, or the first sub-id of an affiliate. */
export type SourceKind = 'creative' | 'sub1';

/**
 * The rows of a report by sub-id; what others have is in one row.
 *
 * @public For tests.
 */
export const SUB_ROWS_MAX = 10_000;
const OTHER_SUBS_KEY = `${NO_KEY} ${OTHER_SUBS}`;

interface ClickSums {
  key: string;
  clicks: number;
  conversions: number;
}

const clicksByCreative = readAll<InRange, ClickSums>(
  (db, p) =>
    db
      .selectFrom('creative_days')
      .select(sql<string>`cast(creative_id as text)`.as('key'))
      .select([total('clicks'), total('conversions')])
      .where('day', '>=', p.first)
      .where('day', '<=', p.last)
      .groupBy('creative_id'),
  long,
);

/** Two affiliates may use the same sub-id, so its key begins with the number of the affiliate. */
const subKey = (userId: string, sub: string) =>
  sql<string>`cast(coalesce(${sql.ref(userId)}, ${sql.lit(NO_KEY)}) as text) || ' ' || ${sql.ref(sub)}`;

/** The affiliate and the sub-id of a row. */
export function readSubKey(key: string): { userId: number; sub1: string } {
  const space = key.indexOf(' ');
  return { userId: Number(key.slice(0, space)), sub1: key.slice(space + 1) };
}

const clicksBySub = readAll<InRange, ClickSums>(
  (db, p) => ({
    compile: () =>
      sql<ClickSums>`select ${subKey('user_id', 'name')} as key,
        cast(sum(clicks) as bigint) as clicks, cast(sum(conversions) as bigint) as conversions
      from (
        select coupons.user_id, day, name, clicks, conversions
        from source_days join coupons on coupons.id = source_days.coupon_id where kind = 'sub1'
        union all
        select user_id, day, name, clicks, conversions
        from ${formerClicks('sub1', () => within('former_clicks', p))} as former
      ) as counted
      where day >= ${p.first} and day <= ${p.last}
      group by coalesce(user_id, ${sql.lit(NO_KEY)}), name
      having sum(clicks) <> 0 or sum(conversions) <> 0`.compile(db),
  }),
  long,
);

const ordersBy = (key: RawBuilder<string>, isGiven: RawBuilder<boolean>) =>
  readAll<SomeOrders, OrderSums>(
    (db, p) =>
      db
        .selectFrom('orders')
        .innerJoin('referrals', 'referrals.order_id', 'orders.order_id')
        .innerJoin('order_sources', (join) =>
          join
            .onRef('order_sources.order_id', '=', 'referrals.order_id')
            .onRef('order_sources.coupon_id', '=', 'referrals.coupon_id'),
        )
        .select(key.as('key'))
        .select([
          sql<number>`count(*)`.as('orders'),
          sql<number>`sum(referrals.sales)`.as('sales'),
          sql<number>`sum(referrals.commission)`.as('commission'),
        ])
        .where('orders.status', '=', p.status)
        .where(isBetween(p))
        .where('referrals.counted', '=', sql.lit(1))
        .where('referrals.day', '>=', p.first)
        .where('referrals.day', '<=', p.last)
        .where(isGiven)
        .groupBy('key'),
    long,
  );

const statements = {
  creative: {
    clicks: clicksByCreative,
    orders: ordersBy(
      sql<string>`cast(order_sources.creative_id as text)`,
      sql<boolean>`order_sources.creative_id is not null`,
    ),
  },
  sub1: {
    clicks: clicksBySub,
    orders: ordersBy(
      subKey('referrals.user_id', 'order_sources.sub1'),
      sql<boolean>`order_sources.sub1 <> ''`,
    ),
  },
};

/** The clicks and orders of both periods by what their links name. */
export async function compareSources(
  db: Reader,
  calendar: SiteCalendar,
  kind: SourceKind,
  periods: Compared<InRange>,
): Promise<ComparedRow[]> {
  const rows = new Map<string, ComparedRow>();
  const shown = <T extends { key: string }>(sums: T): T =>
    kind === 'creative' || rows.size < SUB_ROWS_MAX || rows.has(sums.key)
      ? sums
      : { ...sums, key: OTHER_SUBS_KEY };
  for (const which of ['now', 'before'] as const) {
    for (const sums of await statements[kind].clicks(db, periods[which])) {
      const { key, clicks, conversions } = shown(sums);
      const sum = rowOf(rows, key)[which];
      sum.clicks += clicks;
      sum.conversions += conversions;
    }
  }
  await addOrdersRead(db, calendar, periods, rows, async (reader, some) =>
    (await statements[kind].orders(reader, some)).map(shown),
  );
  return [...rows.values()];
}
