import type { Reader } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { PreparedOrder } from '../../../src/modules/orders/index.ts';
import { SECOND_MS } from '../../../src/shared/durations.ts';

/** Orders that `PUT /orders` or a file brought, and no store has. */
interface SentOrder {
  order_id: number;
  external_id: string | null;
  placed_at: number;
  currency: string;
  /** Minor units of the currency of the program. */
  total: number;
}

const sentAmong = query<{ numbers: string }, SentOrder>((db, p, _given, dialect) =>
  db
    .selectFrom('orders')
    .select(['order_id', 'external_id', 'placed_at', 'currency', 'total'])
    .where('store_id', 'is', null)
    .where(dialect.inJsonArray('order_id', p.numbers, 'number'))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('store_orders')
            .select('store_orders.order_id')
            .whereRef('store_orders.order_id', '=', 'orders.order_id'),
        ),
      ),
    ),
);

/** A date without a time, or without the zone of the store, is off by less than a day. */
const NEAR_MS = 24 * 60 * 60_000;

/** Of these numbers, the orders that came from no store, by number. */
export async function findSentOrders(
  db: Reader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, SentOrder>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.all(sentAmong, { numbers: JSON.stringify(numbers) });
  return new Map(rows.map((row) => [row.order_id, row]));
}

/** Whether two instants are those of one order: it never changes the second that it was placed in. */
export function isSameSecond(a: number, b: number): boolean {
  return Math.abs(a - b) < SECOND_MS;
}

export type Comparison =
  /** The order was sent before the store was connected; it belongs to the store from now on. */
  | { readonly result: 'same' }
  /** An order of another store with the same number. */
  | { readonly result: 'other' }
  | { readonly result: 'unclear'; readonly reason: string };

/**
 * Compares an order of a store with the one that has its number and came from no store. They are the same if they
 * were placed at the same second, or on the same day with the same total. Two stores have the same number on the same
 * day too rarely to count such an order twice: the owner decides.
 */
export function compareSent(sent: SentOrder, order: PreparedOrder): Comparison {
  const apartMs = Math.abs(sent.placed_at - order.placedAtMs);
  if (apartMs >= NEAR_MS) return { result: 'other' };
  const isSameCurrency = sent.currency === order.currency;
  if (
    isSameCurrency &&
    (isSameSecond(sent.placed_at, order.placedAtMs) || sent.total === order.total)
  ) {
    return { result: 'same' };
  }
  if (sent.external_id !== null && sent.external_id !== order.externalId) {
    return { result: 'other' };
  }
  const difference = isSameCurrency ? 'total' : 'currency';
  return {
    result: 'unclear',
    reason:
      `Order ${sent.order_id}, which did not come from a store, has the same number and the same day, but another ${difference}. ` +
      'If it is the same order, send it once more by PUT /orders with the date, currency and total of the store; ' +
      'if it is a different order, send it with an external_id of its own. Then retry.',
  };
}
