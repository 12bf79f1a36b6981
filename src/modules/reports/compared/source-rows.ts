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

/** Clicks of two periods, the second right before the first. */
interface ClicksOfBoth {
  key: string;
  clicks: number;
  conversions: number;
  clicks_before: number;
  conversions_before: number;
}

/** Both periods, from the first day of the one before; the later one begins with `since`. */
interface BothPeriods extends InRange {
  since: string;
}

/** The sub-ids with most clicks by name, all others in one row: there may be very many. */
const clicksBySub = readAll<BothPeriods, ClicksOfBoth>((db, p) => {
  const sumOf = (column: string, isIn: RawBuilder<boolean>) =>
    sql<number>`cast(sum(case when ${isIn} then ${sql.ref(column)} else 0 end) as bigint)`;
  const isNow = sql<boolean>`day >= ${p.since}`;
  const isBefore = sql<boolean>`day < ${p.since}`;
  const addedUp = ['clicks', 'conversions', 'clicks_before', 'conversions_before'].map(
    (name) => sql`cast(sum(${sql.ref(name)}) as bigint) as ${sql.ref(name)}`,
  );
  const statement = sql<ClicksOfBoth>`select
      case when place <= ${sql.lit(SUB_ROWS_MAX)} then key else ${sql.lit(OTHER_SUBS_KEY)} end as key,
      ${sql.join(addedUp)}
    from (
      select sums.*, row_number() over (order by clicks desc, clicks_before desc, key) as place
      from (
        select ${subKey('user_id', 'name')} as key,
          ${sumOf('clicks', isNow)} as clicks, ${sumOf('conversions', isNow)} as conversions,
          ${sumOf('clicks', isBefore)} as clicks_before,
          ${sumOf('conversions', isBefore)} as conversions_before
        from (
          select coupons.user_id, day, name, clicks, conversions
          from source_days join coupons on coupons.id = source_days.coupon_id where kind = 'sub1'
          union all
          select user_id, day, name, clicks, conversions
          from ${formerClicks('sub1', () => within('former_clicks', p))} as former
        ) as counted
        where day >= ${p.first} and day <= ${p.last}
        group by coalesce(user_id, ${sql.lit(NO_KEY)}), name
      ) as sums
      where clicks <> 0 or conversions <> 0 or clicks_before <> 0 or conversions_before <> 0
    ) as placed
    group by 1`;
  return { compile: () => statement.compile(db) };
}, long);

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

const orders = {
  creative: ordersBy(
    sql<string>`cast(order_sources.creative_id as text)`,
    sql<boolean>`order_sources.creative_id is not null`,
  ),
  sub1: ordersBy(
    subKey('referrals.user_id', 'order_sources.sub1'),
    sql<boolean>`order_sources.sub1 <> ''`,
  ),
};

type Rows = Map<string, ComparedRow>;

const clicks = {
  async creative(db: Reader, rows: Rows, periods: Compared<InRange>) {
    for (const which of ['now', 'before'] as const) {
      for (const { key, ...sums } of await clicksByCreative(db, periods[which])) {
        Object.assign(rowOf(rows, key)[which], sums);
      }
    }
  },
  async sub1(db: Reader, rows: Rows, { now, before }: Compared<InRange>) {
    const both = { first: before.first, since: now.first, last: now.last };
    for (const { key, ...sums } of await clicksBySub(db, both)) {
      const row = rowOf(rows, key);
      Object.assign(row.now, { clicks: sums.clicks, conversions: sums.conversions });
      Object.assign(row.before, {
        clicks: sums.clicks_before,
        conversions: sums.conversions_before,
      });
    }
  },
};

/** The clicks and orders of both periods by what their links name. */
export async function compareSources(
  db: Reader,
  calendar: SiteCalendar,
  kind: SourceKind,
  periods: Compared<InRange>,
): Promise<ComparedRow[]> {
  const rows: Rows = new Map();
  await clicks[kind](db, rows, periods);
  const shown = <T extends { key: string }>(sums: T): T =>
    kind === 'creative' || rows.size < SUB_ROWS_MAX || rows.has(sums.key)
      ? sums
      : { ...sums, key: OTHER_SUBS_KEY };
  await addOrdersRead(db, calendar, periods, rows, async (reader, some) =>
    (await orders[kind](reader, some)).map(shown),
  );
  return [...rows.values()];
}
