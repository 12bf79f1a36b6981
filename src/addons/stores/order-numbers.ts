import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { insertRows } from '../../db/statements/rows-query.ts';

/** Numbers for orders whose own id is text or taken. No store numbers its orders this high. */
const FREE_FROM = 8_000_000_000_000_000;

interface Numbered {
  external_id: string;
  order_id: number;
}

const known = query<{ connection_id: number; ids: string }, Numbered>((db, p, _given, dialect) =>
  db
    .selectFrom('store_orders')
    .select(['external_id', 'order_id'])
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

const insert = insertRows<Numbered & { connection_id: number; reread_at: number | null }>(
  'store_orders',
  { connection_id: 'number', external_id: 'text', order_id: 'number', reread_at: 'number' },
);

/** The numbers of orders that the store has sent before. */
export async function findNumbers(
  db: Reader,
  connectionId: number,
  externalIds: readonly string[],
): Promise<Map<string, number>> {
  if (externalIds.length === 0) return new Map();
  const ids = JSON.stringify(externalIds);
  const rows = await db.all(known, { connection_id: connectionId, ids });
  return new Map(rows.map(({ external_id, order_id }) => [external_id, order_id]));
}

export interface OrderNumbers {
  readonly byExternalId: ReadonlyMap<string, number>;
  /** The numbers that were assigned now. */
  readonly assigned: ReadonlySet<number>;
}

/**
 * The numbers of orders, assigned to those that have none: the store's own id if it is an integer that no order has,
 * otherwise a free one. The lock makes transactions that assign numbers wait for each other. `rereadAt` says when a
 * new order is read again.
 */
export async function numberOrders(
  tx: Transaction,
  connectionId: number,
  rereadAt: ReadonlyMap<string, number | null>,
): Promise<OrderNumbers> {
  const distinct = [...rereadAt.keys()];
  const byExternalId = await findNumbers(tx, connectionId, distinct);
  const missing = distinct.filter((id) => !byExternalId.has(id));
  if (missing.length === 0) return { byExternalId, assigned: new Set() };
  await tx.lock('store order numbers');
  for (const [id, number] of await findNumbers(tx, connectionId, missing)) {
    byExternalId.set(id, number);
  }
  const unnumbered = missing.filter((id) => !byExternalId.has(id));
  const assigned = await assign(tx, unnumbered);
  await tx.runMany(
    insert,
    assigned.map((row) => ({
      ...row,
      connection_id: connectionId,
      reread_at: rereadAt.get(row.external_id) ?? null,
    })),
  );
  for (const { external_id, order_id } of assigned) byExternalId.set(external_id, order_id);
  return { byExternalId, assigned: new Set(assigned.map(({ order_id }) => order_id)) };
}

async function assign(tx: Transaction, externalIds: readonly string[]): Promise<Numbered[]> {
  const own = externalIds.flatMap((id) => ownNumber(id) ?? []);
  const taken = await takenAmong(tx, own);
  const free = freeNumbers(tx);
  const rows: Numbered[] = [];
  for (const external_id of externalIds) {
    const number = ownNumber(external_id);
    const isFree = number !== undefined && !taken.has(number);
    rows.push({ external_id, order_id: isFree ? number : await free() });
  }
  return rows;
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
