import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll, readFirst } from '../../../db/statements/calls.ts';
import type { SiteCalendar } from '../../../shared/dates.ts';
import { orderStatuses, type OrderStatus } from '../../orders/index.ts';
import type { InRange } from '../report-rows.ts';
import { noFigures, type Compared, type ComparedRow } from './period-rows.ts';

/** The key of orders whose country is not known. */
export const NO_COUNTRY = '';

/** 6 µs each on SQLite with a million orders, so that no other request waits longer than 12 ms for a statement. */
const ORDERS_AT_ONCE = 1_000;
/** A stored day may belong to another time zone than the current one. */
const ZONES_MS = 2 * 24 * 60 * 60_000;

interface Place {
  status: OrderStatus;
  /** The orders after this one, up to the last one. */
  placed_at: number;
  order_id: number;
  last_placed_at: number;
  last_order_id: number;
}

const isBetween = (p: Omit<Place, 'status'>) =>
  sql<boolean>`(orders.placed_at, orders.order_id) > (${p.placed_at}, ${p.order_id})
    and (orders.placed_at, orders.order_id) <= (${p.last_placed_at}, ${p.last_order_id})`;

/** The last of the next orders; none if there are fewer. */
const findLast = readFirst<Place, { placed_at: number; order_id: number }>((db, p) =>
  db
    .selectFrom('orders')
    .select(['placed_at', 'order_id'])
    .where('status', '=', p.status)
    .where(isBetween(p))
    .orderBy('placed_at')
    .orderBy('order_id')
    .limit(sql.lit(1))
    .offset(sql.lit(ORDERS_AT_ONCE - 1)),
);

interface CountrySums {
  key: string;
  orders: number;
  sales: number;
  commission: number;
}

/** An order counts once, also with several coupons: all referrals that count have its sales. */
const sumOrders = readAll<Place & InRange, CountrySums>((db, p, _given, dialect) => {
  const orders = db
    .selectFrom('orders')
    .innerJoin('referrals', 'referrals.order_id', 'orders.order_id')
    .select(dialect.jsonText('orders.content', 'country').as('country'))
    .select((eb) => [
      eb.fn.max('referrals.sales').as('sales'),
      eb.fn.sum<number>('referrals.commission').as('commission'),
    ])
    .where('orders.status', '=', p.status)
    .where(isBetween(p))
    .where('referrals.counted', '=', sql.lit(1))
    .where('referrals.day', '>=', p.first)
    .where('referrals.day', '<=', p.last)
    .groupBy('orders.order_id');
  return db
    .selectFrom(orders.as('counted'))
    .select([
      sql<string>`coalesce(country, ${sql.lit(NO_COUNTRY)})`.as('key'),
      sql<number>`count(*)`.as('orders'),
      sql<number>`sum(sales)`.as('sales'),
      sql<number>`sum(commission)`.as('commission'),
    ])
    .groupBy('country');
});

/**
 * Orders, sales and commission of both periods by the country of the order. No figures are stored by country, so that
 * orders cost nothing more when they arrive: the orders of the period are read, a thousand at a time.
 */
export async function compareCountries(
  db: Reader,
  calendar: SiteCalendar,
  periods: Compared<InRange>,
): Promise<ComparedRow[]> {
  const rows = new Map<string, ComparedRow>();
  for (const which of ['now', 'before'] as const) {
    for await (const { key, orders, sales, commission } of sums(db, calendar, periods[which])) {
      let row = rows.get(key);
      if (!row) rows.set(key, (row = { key, now: noFigures(), before: noFigures() }));
      row[which].orders += orders;
      row[which].sales += sales;
      row[which].commission += commission;
    }
  }
  return [...rows.values()];
}

async function* sums(
  db: Reader,
  calendar: SiteCalendar,
  period: InRange,
): AsyncGenerator<CountrySums> {
  const end = {
    last_placed_at: calendar.endOfDay(period.last) + ZONES_MS,
    last_order_id: Number.MAX_SAFE_INTEGER,
  };
  const start = { placed_at: calendar.startOfDay(period.first) - ZONES_MS, order_id: 0 };
  for (const status of orderStatuses) {
    let place: Place | undefined = { status, ...start, ...end };
    while (place) {
      const last = await findLast(db, place);
      const part: Place = last
        ? { ...place, last_placed_at: last.placed_at, last_order_id: last.order_id }
        : place;
      yield* await sumOrders(db, { ...part, ...period });
      place = last && { ...place, ...last };
      await nextTurn();
    }
  }
}
