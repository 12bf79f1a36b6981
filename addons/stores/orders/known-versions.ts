import { query } from '../../../src/db/statements/query.ts';
import type { ConnectedStore } from '../connections/open-connection.ts';
import type { KnownOrder } from '../connectors/connector.ts';

const stored = query<
  { connection_id: number; ids: string },
  { external_id: string; content: string }
>((db, p, _given, dialect) =>
  db
    .selectFrom('store_orders')
    .innerJoin('orders', 'orders.order_id', 'store_orders.order_id')
    .select(['store_orders.external_id', 'orders.content'])
    .where('store_orders.connection_id', '=', p.connection_id)
    .where(dialect.inJsonArray('store_orders.external_id', p.ids, 'text')),
);

/** The stored versions of orders of a store, by its ids. */
export async function readKnownVersions(
  { site, connection }: ConnectedStore,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, KnownOrder>> {
  if (externalIds.length === 0) return new Map();
  const ids = JSON.stringify(externalIds);
  const rows = await site.database.read.all(stored, { connection_id: connection.id, ids });
  // Only orders that were checked are stored.
  return new Map(
    rows.map(({ external_id, content }) => [external_id, JSON.parse(content) as KnownOrder]),
  );
}
