import type { Transaction } from '../../../db/database.ts';
import { readAll, readByNumbers, write } from '../../../db/statements/calls.ts';
import { collectRows } from '../../../db/statements/collect-rows.ts';
import { jsonList } from '../../../db/statements/rows-query.ts';
import type { RowOf } from '../../../db/tables.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { PreparedOrder } from '../order-input.ts';
import type { OrderRow } from '../order-rows.ts';

export type WaitingOrder = RowOf<'waiting_orders'>;

const saveWaiting = collectRows<WaitingOrder>('waiting_orders', {
  after: 'orders',
  on: ['order_id'],
  keep: [],
});

/** What deciding needs of a customer, and an order does not keep. */
const customerFields = [
  'customerId',
  'hasAddress',
  'mailboxHash',
  'mailDomain',
  'linkedMailboxHash',
  'customerName',
] as const;
type CustomerOfOrder = Pick<PreparedOrder, (typeof customerFields)[number]>;

const placeOf = (row: number) => ({ table: 'waiting_orders', column: 'customer', row });

/** Has an order of a history wait until all of it is stored. */
export function waitForDecision(
  tx: Transaction,
  site: Site,
  order: PreparedOrder,
  nowMs: number,
): void {
  const customer = JSON.stringify(order, [...customerFields]);
  saveWaiting(tx, {
    order_id: order.orderId,
    store_id: order.storeId ?? 0,
    placed_at: order.placedAtMs,
    stored_at: nowMs,
    customer: site.keyring.encrypt(placeOf(order.orderId), customer),
  });
}

/** What an order of a history came in with. */
export function customerOf(site: Site, { order_id, customer }: WaitingOrder) {
  if (customer === null) return undefined;
  // Only customers are stored there.
  return JSON.parse(site.keyring.decrypt(placeOf(order_id), customer)) as CustomerOfOrder;
}

type Uncredited = Pick<OrderRow, 'order_id' | 'store_id' | 'placed_at'>;

/** Has a renewal wait whose first payment was credited after it. */
export function waitForRenewal(
  tx: Transaction,
  { order_id, store_id, placed_at }: Uncredited,
  nowMs: number,
): void {
  saveWaiting(tx, {
    order_id,
    store_id: store_id ?? 0,
    placed_at,
    stored_at: nowMs,
    customer: null,
  });
}

/** Of these orders, the decided ones that were never credited, as they were placed. */
export const listUncredited = readByNumbers<Uncredited>((db, isKey) =>
  db
    .selectFrom('orders')
    .select(['order_id', 'store_id', 'placed_at'])
    .where(isKey('order_id'))
    .where('decided_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('referrals')
            .select('referrals.order_id')
            .whereRef('referrals.order_id', '=', 'orders.order_id'),
        ),
      ),
    )
    .orderBy('placed_at')
    .orderBy('order_id'),
);

export const listWaiting = readAll<{ store_id: number; limit: number }, WaitingOrder>((db, p) =>
  db
    .selectFrom('waiting_orders')
    .selectAll()
    .where('store_id', '=', p.store_id)
    .orderBy('placed_at')
    .orderBy('order_id')
    .limit(p.limit),
);

/** The stores whose orders wait, and when the last one came in. There are a few stores. */
export const listWaitingStores = readAll<object, { store_id: number; stored_at: number }>((db) =>
  db
    .selectFrom('waiting_orders')
    .select((eb) => ['store_id', eb.fn.max('stored_at').as('stored_at')])
    .groupBy('store_id'),
);

const deleteRows = write<{ ids: string }>((db, p, _given, dialect) =>
  db.deleteFrom('waiting_orders').where(dialect.inJsonArray('order_id', p.ids, 'number')),
);

export async function deleteWaiting(tx: Transaction, orders: readonly WaitingOrder[]) {
  await deleteRows(tx, { ids: jsonList(orders.map(({ order_id }) => order_id)) });
}
