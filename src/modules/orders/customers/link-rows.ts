import { sql } from 'kysely';
import { readFirst, write } from '../../../db/statements/calls.ts';
import { collectRows } from '../../../db/statements/collect-rows.ts';
import { byNumber, byText } from '../../../db/statements/keyed-query.ts';
import { keyedIn } from '../../../db/statements/plain-calls.ts';
import type { RowOf } from '../../../db/tables.ts';
import type { OrderRow } from '../order-rows.ts';
import { customerKey } from './hash-customer.ts';

export type CustomerLink = RowOf<'customer_links'>;

export const linksOf = keyedIn('customer_links', 'key');

export const anyLink = readFirst<object, { key: string }>((db) =>
  db.selectFrom('customer_links').select('key').limit(sql.lit(1)),
);

export const saveLink = collectRows<CustomerLink>('customer_links', {
  after: 'referrals',
  on: ['key'],
  set: ['customer_hash', 'mailbox_hash'],
});

type StoredVersion = Pick<OrderRow, 'order_id' | 'modified_at' | 'decided_at' | 'content'>;

export const storedVersions = byNumber<StoredVersion>((db, isKey) =>
  db
    .selectFrom('orders')
    .select(['order_id', 'modified_at', 'decided_at', 'content'])
    .where(isKey('order_id')),
);

/** Customers who have ordered, by customer key. */
export const haveOrdered = byText<{ customer_hash: string }>((db, isKey) =>
  db
    .selectFrom('orders')
    .select('customer_hash')
    .distinct()
    .where(isKey(customerKey('orders')))
    .where('customer_hash', 'is not', null)
    // The index has only customers that are known.
    .$narrowType<{ customer_hash: string }>(),
);

/** Orders that named a customer by the store's id alone, and now belong to the one with an address. */
interface Move {
  from: string;
  /** The customer key of `from`. */
  key: string;
  to: string;
  /** 0 for orders that the store sends itself. */
  store_id: number;
}

const ordersOf = (p: Pick<Move, 'from' | 'key' | 'store_id'>) =>
  sql<boolean>`${customerKey('orders')} = ${p.key} and orders.customer_hash = ${p.from} and coalesce(orders.store_id, 0) = ${p.store_id}`;

/** Before `moveOrders`: it finds the rows by the orders. */
export const moveLimited = write<Move & { subject: string; next: string }>((db, p) =>
  db
    .updateTable('limited_rewards')
    .set({ subject: p.next })
    .where('order_id', 'in', (eb) => eb.selectFrom('orders').select('order_id').where(ordersOf(p)))
    .where('subject', '=', p.subject),
);

export const moveOrders = write<Move>((db, p) =>
  db.updateTable('orders').set({ customer_hash: p.to }).where(ordersOf(p)),
);
