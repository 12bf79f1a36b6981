import type { Reader, Transaction } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import { insertRows, updateRows } from '../../../src/db/statements/rows-query.ts';
import type { PreparedOrder } from '../../../src/modules/orders/index.ts';
import type { ConnectionRow } from '../connections/connection-rows.ts';
import { compareSent, findSentOrders, isSameSecond } from './sent-orders.ts';

/** Numbers for orders whose own id is text or taken. No store numbers its orders this high. */
const FREE_FROM = 8_000_000_000_000_000;

interface Numbered {
  external_id: string;
  order_id: number;
  /** When the stored version was seen; null if unknown. */
  observed_at: number | null;
  /** Since when the store does not show it; null if it does. */
  unseen_at: number | null;
}

const known = query<{ connection_id: number; ids: string }, Numbered>((db, p, _given, dialect) =>
  db
    .selectFrom('store_orders')
    .select(['external_id', 'order_id', 'observed_at', 'unseen_at'])
    .where('connection_id', '=', p.connection_id)
    .where(dialect.inJsonArray('external_id', p.ids, 'text')),
);

const takenByOrders = query<{ numbers: string }, { order_id: number }>((db, p, _given, dialect) =>
  db
    .selectFrom('orders')
    .select('order_id')
    .where(dialect.inJsonArray('order_id', p.numbers, 'number')),
);

const takenByStores = query<{ numbers: string }, { order_id: number }>((db, p, _given, dialect) =>
  db
    .selectFrom('store_orders')
    .select('order_id')
    .where(dialect.inJsonArray('order_id', p.numbers, 'number')),
);

const lastFree = query<{ from: number }, { last: number | null }>((db, p) =>
  db
    .selectFrom('store_orders')
    .select((eb) => eb.fn.max<number | null>('order_id').as('last'))
    .where('order_id', '>=', p.from),
);

interface OfOtherConnection {
  external_id: string;
  order_id: number;
  placed_at: number;
  connection_id: number;
  name: string;
  state: ConnectionRow['state'];
}

/** Orders with these ids of other connections to stores of a kind, deleted ones too. */
const ofOthers = query<{ id: number; kind: string; ids: string }, OfOtherConnection>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('store_connections')
      // In this order, which SQLite must not change: an order of a store is found by connection and id.
      .crossJoin('store_orders')
      .crossJoin('orders')
      .select(['store_orders.external_id', 'store_orders.order_id', 'orders.placed_at'])
      .select(['store_orders.connection_id', 'store_connections.name', 'store_connections.state'])
      .where('store_connections.id', '!=', p.id)
      .where('store_connections.kind', '=', p.kind)
      .whereRef('store_orders.connection_id', '=', 'store_connections.id')
      .where(dialect.inJsonArray('store_orders.external_id', p.ids, 'text'))
      .whereRef('orders.order_id', '=', 'store_orders.order_id')
      .orderBy(dialect.unindexed('store_orders.order_id')),
);

const move = query<{ connection_id: number; numbers: string }>((db, p, _given, dialect) =>
  db
    .updateTable('store_orders')
    .set({ connection_id: p.connection_id })
    .where(dialect.inJsonArray('order_id', p.numbers, 'number')),
);

const insert = insertRows<Numbered & { connection_id: number; reread_at: number | null }>(
  'store_orders',
);

export type Observation = Pick<Numbered, 'order_id' | 'observed_at' | 'unseen_at'>;

const observe = updateRows<Observation>('store_orders', {
  key: ['order_id'],
  set: ['observed_at', 'unseen_at'],
  add: [],
});

/** The orders that the store has sent before, by its ids. */
export async function findNumbers(
  db: Reader,
  connectionId: number,
  externalIds: readonly string[],
): Promise<Map<string, Numbered>> {
  if (externalIds.length === 0) return new Map();
  const ids = JSON.stringify(externalIds);
  const rows = await db.all(known, { connection_id: connectionId, ids });
  return new Map(rows.map((row) => [row.external_id, row]));
}

export async function noteObservations(
  tx: Transaction,
  observations: readonly Observation[],
): Promise<void> {
  await tx.runMany(observe, observations);
}

/** An order that may be new, when it was seen, and when it is read again. */
export interface Arriving {
  readonly order: PreparedOrder;
  readonly observedAtMs: number;
  readonly rereadAt: number | null;
}

export interface OrderNumbers {
  readonly byExternalId: ReadonlyMap<string, Numbered>;
  /** The numbers that were assigned now to orders that are new. */
  readonly assigned: ReadonlySet<number>;
  /** Why orders have got no number, by the store's ids. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * The numbers of orders, assigned to those that have none: the store's own id if it is an integer that no order has,
 * or that this same order has because it was sent before; otherwise a free one. The lock makes transactions that
 * assign numbers wait for each other.
 */
export async function numberOrders(
  tx: Transaction,
  connection: ConnectionRow,
  arriving: ReadonlyMap<string, Arriving>,
  { isShop }: { isShop: boolean },
): Promise<OrderNumbers> {
  const distinct = [...arriving.keys()];
  const byExternalId = await findNumbers(tx, connection.id, distinct);
  const missing = distinct.filter((id) => !byExternalId.has(id));
  if (missing.length === 0) return { byExternalId, assigned: new Set(), refused: new Map() };
  await tx.lock('store order numbers');
  const elsewhere = await takeOver(tx, connection, missing, arriving);
  const twice = isShop ? elsewhere : new Map<string, string>();
  for (const [id, row] of await findNumbers(tx, connection.id, missing)) byExternalId.set(id, row);
  const unnumbered = missing.filter((id) => !byExternalId.has(id) && !twice.has(id));
  const { rows, assigned, refused } = await assign(tx, unnumbered, arriving);
  await tx.runMany(
    insert,
    rows.map((row) => ({
      ...row,
      connection_id: connection.id,
      reread_at: arriving.get(row.external_id)!.rereadAt,
    })),
  );
  for (const row of rows) byExternalId.set(row.external_id, row);
  return { byExternalId, assigned, refused: new Map([...refused, ...twice]) };
}

/**
 * Orders that the same store has sent by a connection that was deleted keep their numbers. The order of another store
 * that has the same id was placed at another second. Returns why orders are refused that another connection has: a
 * store under two addresses, or the copy of a store.
 */
async function takeOver(
  tx: Transaction,
  { id, kind }: ConnectionRow,
  externalIds: readonly string[],
  arriving: ReadonlyMap<string, Arriving>,
): Promise<Map<string, string>> {
  const others = await tx.all(ofOthers, { id, kind, ids: JSON.stringify(externalIds) });
  const same = others.filter(({ external_id, placed_at }) =>
    isSameSecond(placed_at, arriving.get(external_id)!.order.placedAtMs),
  );
  const left = same.filter(({ state }) => state === 'deleted');
  const taken = new Map(left.map(({ external_id, order_id }) => [external_id, order_id]));
  if (taken.size > 0) {
    await tx.run(move, { connection_id: id, numbers: JSON.stringify([...taken.values()]) });
  }
  const connected = same.filter(({ state }) => state !== 'deleted');
  return new Map(
    connected.map(({ external_id, order_id, connection_id, name }) => [
      external_id,
      `It is order ${order_id} of ${name} (connection ${connection_id}), placed at the same second: the same store is ` +
        'connected twice. Remove one of the two connections, then retry.',
    ]),
  );
}

async function assign(
  tx: Transaction,
  externalIds: readonly string[],
  arriving: ReadonlyMap<string, Arriving>,
): Promise<{ rows: Numbered[]; assigned: Set<number>; refused: Map<string, string> }> {
  const own = externalIds.flatMap((id) => ownNumber(id) ?? []);
  const taken = await takenAmong(tx, own);
  const sent = await findSentOrders(tx, [...taken]);
  const free = freeNumbers(tx);
  const rows: Numbered[] = [];
  const assigned = new Set<number>();
  const refused = new Map<string, string>();
  for (const external_id of externalIds) {
    const number = ownNumber(external_id);
    const { order, observedAtMs: observed_at } = arriving.get(external_id)!;
    const other = number === undefined ? undefined : sent.get(number);
    const found = other && compareSent(other, order);
    if (found?.result === 'unclear') {
      refused.set(external_id, found.reason);
      continue;
    }
    if (found?.result === 'same') {
      rows.push({ external_id, order_id: other!.order_id, observed_at, unseen_at: null });
      continue;
    }
    const isFree = number !== undefined && !taken.has(number);
    const order_id = isFree ? number : await free();
    rows.push({ external_id, order_id, observed_at, unseen_at: null });
    assigned.add(order_id);
  }
  return { rows, assigned, refused };
}

/** The number that an id is, if it is one. `007` is not the same id as `7`. */
function ownNumber(externalId: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(externalId)) return undefined;
  const number = Number(externalId);
  return number < FREE_FROM ? number : undefined;
}

async function takenAmong(tx: Transaction, numbers: readonly number[]): Promise<Set<number>> {
  if (numbers.length === 0) return new Set();
  const list = JSON.stringify(numbers);
  const found = await Promise.all([
    tx.all(takenByOrders, { numbers: list }),
    tx.all(takenByStores, { numbers: list }),
  ]);
  return new Set(found.flat().map(({ order_id }) => order_id));
}

/** Counts on from the highest number that was assigned, past orders that have one of these numbers by themselves. */
function freeNumbers(tx: Transaction): () => Promise<number> {
  let next: number | undefined;
  return async () => {
    next ??= ((await tx.first(lastFree, { from: FREE_FROM }))?.last ?? FREE_FROM - 1) + 1;
    while ((await takenAmong(tx, [next])).size > 0) next += 1;
    next += 1;
    return next - 1;
  };
}
