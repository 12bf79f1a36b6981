import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import {
  listLimit,
  ranged,
  type FoundNumber,
  type ListParams,
  type OrderFilter,
} from './order-list-rows.ts';

const ofNumber = query<ListParams & { order_id: number }, FoundNumber>((db, p, given, dialect) =>
  ranged([db, p, given, dialect])
    .select('order_id')
    .where('order_id', '=', p.order_id)
    .$if(given('status'), (q) => q.where('status', '=', p.status)),
);

/** `numbers`: a JSON array. */
const ofShownNumber = query<ListParams & { numbers: string }, FoundNumber>(
  (db, p, given, dialect) =>
    ranged([db, p, given, dialect])
      .select('order_id')
      .where('number', 'is not', null)
      .where(dialect.inJsonArray('number', p.numbers, 'text'))
      .$if(given('status'), (q) => q.where('status', '=', p.status))
      .orderBy('order_id', 'desc')
      .limit(listLimit),
);

/** The orders with a number, ours or the one that their stores show, which meet a filter. */
export async function findNumbered(
  db: Reader,
  number: string,
  { couponIds, ...bounds }: OrderFilter,
): Promise<number[]> {
  const filter = { ...bounds, coupon_ids: couponIds && jsonList([...couponIds]) };
  const numbers = jsonList([number, number.toUpperCase(), number.toLowerCase()]);
  const found = await db.all(ofShownNumber, { ...filter, numbers });
  if (/^\d{1,15}$/.test(number)) {
    found.unshift(...(await db.all(ofNumber, { ...filter, order_id: Number(number) })));
  }
  return [...new Set(found.map(({ order_id }) => order_id))];
}
