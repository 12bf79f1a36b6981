import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import type { SiteCalendar } from '../../../shared/dates.ts';
import { orderStatuses, type OrderStatus } from '../../orders/index.ts';
import type { InRange } from '../report-rows.ts';
import { noFigures, type Compared, type ComparedRow } from './period-rows.ts';

/** A stored day may belong to another time zone than the current one. */
const ZONES_MS = 2 * 24 * 60 * 60_000;

/** The orders of one status between two moments, and the days of the referrals among them that count. */
export interface SomeOrders extends InRange {
  status: OrderStatus;
  from: number;
  to: number;
}

export const isBetween = (p: Pick<SomeOrders, 'from' | 'to'>): RawBuilder<boolean> =>
  sql<boolean>`orders.placed_at >= ${p.from} and orders.placed_at <= ${p.to}`;

export interface OrderSums {
  key: string;
  orders: number;
  sales: number;
  commission: number;
}

type Rows = Map<string, ComparedRow>;

/**
 * Adds orders, sales and commission of both periods to the rows, by a key for which no figures are stored, so that
 * orders cost nothing more when they arrive: the orders of the periods are read.
 */
export async function addOrdersRead(
  db: Reader,
  calendar: SiteCalendar,
  periods: Compared<InRange>,
  rows: Rows,
  sumOrders: (db: Reader, some: SomeOrders) => Promise<OrderSums[]>,
): Promise<void> {
  for (const which of ['now', 'before'] as const) {
    const period = periods[which];
    const from = calendar.startOfDay(period.first) - ZONES_MS;
    const to = calendar.endOfDay(period.last) + ZONES_MS;
    for (const status of orderStatuses) {
      for (const sums of await sumOrders(db, { status, from, to, ...period })) {
        const sum = rowOf(rows, sums.key)[which];
        sum.orders += sums.orders;
        sum.sales += sums.sales;
        sum.commission += sums.commission;
      }
    }
  }
}

export function rowOf(rows: Rows, key: string): ComparedRow {
  let row = rows.get(key);
  if (!row) rows.set(key, (row = { key, now: noFigures(), before: noFigures() }));
  return row;
}
