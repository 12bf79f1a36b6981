import type { Reader, Transaction } from '../../../src/db/database.ts';
import { pagedList } from '../../../src/db/lists/paged-list.ts';
import { insertOne, readAll, write } from '../../../src/db/statements/calls.ts';
import { saveIn } from '../../../src/db/statements/plain-calls.ts';
import { query } from '../../../src/db/statements/query.ts';
import { only } from '../../../src/db/statements/row-query.ts';
import type { RowOf } from '../../../src/db/tables.ts';
import type { NameStores } from '../../../src/modules/rewards/index.ts';

export type ConnectionRow = RowOf<'store_connections'>;

type NewConnection = Pick<
  ConnectionRow,
  'kind' | 'name' | 'url' | 'host' | 'account' | 'state' | 'created_at'
>;

/** What tells a store apart from others of its kind. */
export type StoreIdentity = Pick<ConnectionRow, 'host' | 'account'>;

export const insertConnection = insertOne<NewConnection, ConnectionRow>((db, row) =>
  db
    .insertInto('store_connections')
    .values({ ...row, secret: '' })
    .returningAll(),
);

const byId = query<{ id: number }, ConnectionRow>((db, p) =>
  db
    .selectFrom('store_connections')
    .selectAll()
    .where('id', '=', p.id)
    .where('state', '!=', 'deleted'),
);

/** There are at most a few dozen connections, so the table is read without an index. */
export const listAllConnections = readAll<object, ConnectionRow>((db) =>
  db
    .selectFrom('store_connections')
    .selectAll()
    .where('state', '!=', 'deleted')
    .orderBy('id', 'desc'),
);

const names = query<{ ids: string }, { id: number; name: string }>((db, p, _given, dialect) =>
  db
    .selectFrom('store_connections')
    .select(['id', 'name'])
    .where(dialect.inJsonArray('id', p.ids, 'number'))
    .where('state', '!=', 'deleted'),
);

export const { count: countConnections, page: listConnectionRows } = pagedList(
  (db) => db.selectFrom('store_connections').where('state', '!=', 'deleted'),
  (q) => q.selectAll().orderBy('id', 'desc'),
);

/** What operations and checks change. Counters and times have statements of their own. */
const changeable = [
  'name',
  'state',
  'reason',
  'failing_since',
  'reported_since',
  'secret',
  'previous_secret',
  'previous_until',
  'credentials',
  'exchange_rates',
  'coupon_discount',
  'webhooks_active',
  'limits',
] as const;

export type ConnectionChange = Pick<ConnectionRow, 'id' | (typeof changeable)[number]>;

export const saveConnection = write<ConnectionChange>((db, p) =>
  db
    .updateTable('store_connections')
    .set(only(p, changeable))
    .where('id', '=', p.id)
    .where('state', '!=', 'deleted'),
);

/** The connections to the same store, deleted ones too. */
export const listSameStore = readAll<StoreIdentity & { kind: string }, ConnectionRow>((db, p) =>
  db
    .selectFrom('store_connections')
    .selectAll()
    .where('kind', '=', p.kind)
    .where((eb) => eb.or([eb('account', '=', p.account), eb('host', '=', p.host)]))
    .orderBy('id'),
);

export const identifyConnection = saveIn('store_connections', ['url', 'host', 'account'], 'id');

/** A deleted connection, as new. Its orders keep their numbers. */
export const reopenConnection = write<{
  id: number;
  state: ConnectionRow['state'];
  created_at: number;
}>((db, p) =>
  db
    .updateTable('store_connections')
    .set({
      state: p.state,
      failing_since: null,
      reported_since: null,
      webhooks_active: null,
      limits: '[]',
      rejected: 0,
      rejected_at: null,
      created_at: p.created_at,
    })
    .where('id', '=', p.id),
);

/** Clears the address and the secrets. The host stays: the same store gets the same connection again. */
export const deleteConnectionRow = write<{ id: number }>((db, p) =>
  db
    .updateTable('store_connections')
    .set({
      state: 'deleted',
      url: '',
      reason: '',
      secret: '',
      previous_secret: '',
      credentials: '',
      rejected_reason: '',
    })
    .where('id', '=', p.id),
);

export const countRejected = write<{ id: number; at: number; reason: string }>((db, p) =>
  db
    .updateTable('store_connections')
    .set((eb) => ({
      rejected: eb('rejected', '+', 1),
      rejected_at: p.at,
      rejected_reason: p.reason,
    }))
    .where('id', '=', p.id),
);

const countMissed = query<{ id: number; by: number }>((db, p) =>
  db
    .updateTable('store_connections')
    .set((eb) => ({ missed_found: eb('missed_found', '+', p.by) }))
    .where('id', '=', p.id),
);

export const noteLastDelivery = write<{ id: number; at: number }>((db, p) =>
  db.updateTable('store_connections').set({ last_delivery_at: p.at }).where('id', '=', p.id),
);

export const noteLastOrder = write<{ id: number; at: number }>((db, p) =>
  db.updateTable('store_connections').set({ last_order_at: p.at }).where('id', '=', p.id),
);

export function findConnection(db: Reader, id: number): Promise<ConnectionRow | undefined> {
  return db.first(byId, { id });
}

/** Newest first. */
export const nameConnections: NameStores = async (db, ids) => {
  const rows = await db.all(names, { ids: JSON.stringify(ids) });
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** Locks a connection for a change that depends on what was read. */
export function lockConnection(tx: Transaction, id: number): Promise<void> {
  return tx.lock(`store connection ${id}`);
}

export async function countMissedOrders(tx: Transaction, id: number, by: number): Promise<void> {
  if (by > 0) await tx.run(countMissed, { id, by });
}
