import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { long } from '../../../db/statements/query.ts';
import type { SiteCalendar } from '../../../shared/dates.ts';
import type { InRange } from '../report-rows.ts';
import { addOrdersRead, isBetween, type OrderSums, type SomeOrders } from './orders-read.ts';
import type { Compared, ComparedRow } from './period-rows.ts';

/** The key of orders whose country is not known. */
export const NO_COUNTRY = '';

/** An order counts once, also with several coupons: all referrals that count have its sales. */
const sumOrders = readAll<SomeOrders, OrderSums>((db, p, _given, dialect) => {
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
}, long);

/** Orders, sales and commission of both periods by the country of the order. */
export async function compareCountries(
  db: Reader,
  calendar: SiteCalendar,
  periods: Compared<InRange>,
): Promise<ComparedRow[]> {
  const rows = new Map<string, ComparedRow>();
  await addOrdersRead(db, calendar, periods, rows, sumOrders);
  return [...rows.values()];
}
