import { sql } from 'kysely';
import type { Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { query } from '../../../src/db/statements/query.ts';
import { insertRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import type { DueDelivery } from '../../../src/modules/deliveries/index.ts';

export type DeliveryRow = RowOf<'postback_deliveries'>;

/** A delivery with what its request is made of. */
export type DueOrder = DueDelivery &
  Pick<DeliveryRow, 'order_id' | 'event_id' | 'event' | 'data' | 'occurred_at'>;

export const due = query<{ receiver: number; now: number; limit: number }, DueOrder>((db, p) =>
  db
    .selectFrom('postback_deliveries')
    .select(['id', 'postback_id as receiver', 'attempts', 'attempts_before'])
    .select(['order_id', 'event_id', 'event', 'data', 'occurred_at'])
    .where('postback_id', '=', p.receiver)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Newest first. */
export const deliveryList = pagedList(
  (db, p: { postback_id: number }) =>
    db.selectFrom('postback_deliveries').where('postback_id', '=', p.postback_id),
  (q) => q.selectAll().orderBy('id', 'desc'),
);

export type NewDelivery = Pick<
  DeliveryRow,
  | 'postback_id'
  | 'order_id'
  | 'event_id'
  | 'event'
  | 'data'
  | 'occurred_at'
  | 'state'
  | 'due_at'
  | 'queued_at'
>;

const insert = insertRows<NewDelivery>('postback_deliveries');

/**
 * Makes the first pending delivery of each order due, unless it is already. The later ones wait without a time, so
 * that neither a claim nor the search for due ones meets them.
 */
const startFirst = query<{ postback_id: number; orders: string; now: number }>(
  (db, p, _given, dialect) =>
    db
      .updateTable('postback_deliveries')
      .set({ due_at: p.now })
      .where('postback_id', '=', p.postback_id)
      .where(dialect.inJsonArray('order_id', p.orders, 'number'))
      .where('state', '=', sql.lit('pending'))
      .where('due_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('postback_deliveries as earlier')
              .select('earlier.id')
              .whereRef('earlier.postback_id', '=', 'postback_deliveries.postback_id')
              .whereRef('earlier.order_id', '=', 'postback_deliveries.order_id')
              .where('earlier.state', '=', sql.lit('pending'))
              .whereRef('earlier.id', '<', 'postback_deliveries.id'),
          ),
        ),
      ),
);

/** Lets the orders of a postback go on. The postback is locked, so that no delivery is added or ends at the same time. */
export async function startNext(
  tx: Transaction,
  postbackId: number,
  orderIds: readonly number[],
  now: number,
): Promise<void> {
  if (orderIds.length === 0) return;
  const orders = JSON.stringify([...new Set(orderIds)]);
  await tx.run(startFirst, { postback_id: postbackId, orders, now });
}

/** Adds deliveries of one postback behind those that it has. The postback is locked. */
export async function addDeliveries(
  tx: Transaction,
  postbackId: number,
  rows: readonly Omit<NewDelivery, 'postback_id' | 'state' | 'due_at' | 'queued_at'>[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return;
  const queued = {
    postback_id: postbackId,
    state: 'pending',
    due_at: null,
    queued_at: now,
  } as const;
  await tx.runMany(
    insert,
    rows.map((row) => ({ ...row, ...queued })),
  );
  await startNext(
    tx,
    postbackId,
    rows.map(({ order_id }) => order_id),
    now,
  );
}
