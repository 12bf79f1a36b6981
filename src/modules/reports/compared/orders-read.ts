import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readFirst } from '../../../db/statements/calls.ts';
import type { SiteCalendar } from '../../../shared/dates.ts';
import { orderStatuses, type OrderStatus } from '../../orders/index.ts';
import type { InRange } from '../report-rows.ts';
import { noFigures, type Compared, type ComparedRow } from './period-rows.ts';

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

/** Some orders, and the days of the referrals among them that count. */
export type SomeOrders = Place & InRange;

export const isBetween = (p: Omit<Place, 'status'>): RawBuilder<boolean> =>
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

export interface OrderSums {
  key: string;
  orders: number;
  sales: number;
  commission: number;
}

type Rows = Map<string, ComparedRow>;

/**
 * Adds orders, sales and commission of both periods to the rows, by a key for which no figures are stored, so that
 * orders cost nothing more when they arrive: the orders of the periods are read, a thousand at a time.
 */
export async function addOrdersRead(
  db: Reader,
  calendar: SiteCalendar,
  periods: Compared<InRange>,
  rows: Rows,
  sumOrders: (db: Reader, some: SomeOrders) => Promise<OrderSums[]>,
): Promise<void> {
  for (const which of ['now', 'before'] as const) {
    for await (const some of ordersOf(db, calendar, periods[which])) {
      for (const { key, orders, sales, commission } of await sumOrders(db, some)) {
        const sum = rowOf(rows, key)[which];
        sum.orders += orders;
        sum.sales += sales;
        sum.commission += commission;
      }
      await nextTurn();
    }
  }
}

export function rowOf(rows: Rows, key: string): ComparedRow {
  let row = rows.get(key);
  if (!row) rows.set(key, (row = { key, now: noFigures(), before: noFigures() }));
  return row;
}

async function* ordersOf(
  db: Reader,
  calendar: SiteCalendar,
  period: InRange,
): AsyncGenerator<SomeOrders> {
  const end = {
    last_placed_at: calendar.endOfDay(period.last) + ZONES_MS,
    last_order_id: Number.MAX_SAFE_INTEGER,
  };
  const start = { placed_at: calendar.startOfDay(period.first) - ZONES_MS, order_id: 0 };
  for (const status of orderStatuses) {
    let place: Place | undefined = { status, ...start, ...end };
    while (place) {
      const last = await findLast(db, place);
      yield last
        ? { ...place, last_placed_at: last.placed_at, last_order_id: last.order_id, ...period }
        : { ...place, ...period };
      place = last && { ...place, ...last };
    }
  }
}
