import { sql, type SqlBool } from 'kysely';
import type { BatchWork, Reader, Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { claimRows } from '../../../src/db/statements/claim-rows.ts';
import { query } from '../../../src/db/statements/query.ts';
import { insertRows, updateRows } from '../../../src/db/statements/rows-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';

export type DeliveryRow = RowOf<'store_deliveries'>;

export type NewDelivery = Pick<
  DeliveryRow,
  | 'connection_id'
  | 'topic'
  | 'external_id'
  | 'dedupe_key'
  | 'headers'
  | 'body'
  | 'is_base64'
  | 'state'
  | 'reason'
  | 'due_at'
  | 'received_at'
>;

const insert = insertRows<NewDelivery>('store_deliveries', { on: ['connection_id', 'dedupe_key'] });

/** Keeps deliveries that arrive at the same moment in one transaction. One that is kept already changes nothing. */
export const keepDeliveries: BatchWork<NewDelivery, void> = async (tx, arrived) => {
  const distinct = new Map(arrived.map((row) => [`${row.connection_id} ${row.dedupe_key}`, row]));
  await tx.runMany(insert, [...distinct.values()]);
  return arrived.map(() => undefined);
};

/** Connections that are neither paused nor deleted and have due deliveries. */
const ready = query<{ now: number }, { id: number }>((db, p) =>
  db
    .selectFrom('store_connections')
    .select('id')
    .where('state', 'not in', ['paused', 'deleted'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('store_deliveries')
          .select('store_deliveries.id')
          .whereRef('store_deliveries.connection_id', '=', 'store_connections.id')
          .where('due_at', '<=', p.now),
      ),
    ),
);

const due = query<{ connection_id: number; now: number; limit: number }, DeliveryRow>((db, p) =>
  db
    .selectFrom('store_deliveries')
    .selectAll()
    .where('connection_id', '=', p.connection_id)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
);

const lease = claimRows<{ id: number }>('store_deliveries', {
  column: 'due_at',
  isFree: (p) => sql<SqlBool>`due_at <= ${p.now}`,
  returning: 'id',
});

/** `attempts` includes this one. */
export type Settled = Pick<
  DeliveryRow,
  'id' | 'state' | 'reason' | 'attempts' | 'due_at' | 'order_id'
>;

/** If two instances processed the same delivery, the first record counts. */
const settle = updateRows<Settled>('store_deliveries', {
  key: ['id'],
  raise: 'attempts',
  set: ['state', 'reason', 'due_at', 'order_id'],
  add: [],
});

const again = query<{ id: number; connection_id: number; now: number }, DeliveryRow>((db, p) =>
  db
    .updateTable('store_deliveries')
    .set({ state: 'received', reason: '', due_at: p.now })
    .where('id', '=', p.id)
    .where('connection_id', '=', p.connection_id)
    .returningAll(),
);

interface Filter {
  connection_id: number;
  state?: DeliveryRow['state'] | undefined;
}

export const deliveryList = pagedList(
  (db, p: Filter, given) =>
    db
      .selectFrom('store_deliveries')
      .where('connection_id', '=', p.connection_id)
      .$if(given('state'), (q) => q.where('state', '=', p.state!)),
  (q) => q.selectAll().orderBy('id', 'desc'),
);

export async function listReadyConnections(db: Reader, now: number): Promise<number[]> {
  return (await db.all(ready, { now })).map(({ id }) => id);
}

/** Leases due deliveries, in the order in which they came. No other instance processes them until the lease ends. */
export async function claimDeliveries(
  tx: Transaction,
  connectionId: number,
  { now, until, limit }: { now: number; until: number; limit: number },
): Promise<DeliveryRow[]> {
  const chosen = await tx.all(due, { connection_id: connectionId, now, limit });
  if (chosen.length === 0) return chosen;
  const ids = JSON.stringify(chosen.map(({ id }) => id));
  const mine = new Set((await tx.all(lease, { ids, now, until })).map(({ id }) => id));
  return chosen.filter(({ id }) => mine.has(id));
}

export async function settleDeliveries(
  tx: Transaction,
  settled: readonly Settled[],
): Promise<void> {
  await tx.runMany(settle, settled);
}

/** Makes a delivery due now, in any state; undefined if the connection has no such delivery. */
export function retryDelivery(
  tx: Transaction,
  connectionId: number,
  id: number,
  now: number,
): Promise<DeliveryRow | undefined> {
  return tx.first(again, { id, connection_id: connectionId, now });
}
