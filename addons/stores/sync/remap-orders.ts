import type { Transaction } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import type { Job } from '../../../src/kernel/declare/job.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import {
  listAllConnections,
  lockConnection,
  type ConnectionRow,
} from '../connections/connection-rows.ts';
import { canReconcile } from '../connections/open-connection.ts';
import type { Connector } from '../connectors/connector.ts';
import { findConnector } from '../connectors/connectors.ts';
import { settingsOf } from '../orders/map-order.ts';
import { startSync } from './sync-rows.ts';

const firstPlaced = query<{ connection_id: number }, { first: number | null }>((db, p) =>
  db
    .selectFrom('store_orders')
    .innerJoin('orders', 'orders.order_id', 'store_orders.order_id')
    .select((eb) => eb.fn.min<number | null>('orders.placed_at').as('first'))
    .where('store_orders.connection_id', '=', p.connection_id),
);

/** The newest delivery of each order, unless its content was removed. */
const processAgain = query<{ connection_id: number; now: number }>((db, p) =>
  db
    .updateTable('store_deliveries')
    .set({ state: 'received', due_at: p.now, reason: '', attempts: 0 })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('store_deliveries')
        .select((e) => e.fn.max('id').as('id'))
        .where('connection_id', '=', p.connection_id)
        .where('state', '=', 'done')
        .where('external_id', 'is not', null)
        .where('body', '!=', '{}')
        .groupBy('external_id'),
    ),
);

const mapped = query<{ id: number; mapped_by: string }>((db, p) =>
  db.updateTable('store_connections').set({ mapped_by: p.mapped_by }).where('id', '=', p.id),
);

/** When a setting changes what the orders of a store mean, those that are stored are mapped again. */
export const remapOrders: Job = {
  name: 'stores.remap',
  everyMs: 5_000,
  runsOn: 'one',
  async run(site) {
    for (const connection of await listAllConnections(site.database.read)) {
      const connector = findConnector(site, connection.kind);
      if (!connector?.remappedBy) continue;
      const rules = rulesOf(site, connector);
      if (rules === connection.mapped_by) continue;
      await site.database.transaction((tx) => remap(tx, site, connector, connection, rules));
    }
  },
};

/** Empty for the default values, as in a new connection. */
function rulesOf(site: Site, { kind, remappedBy = [] }: Connector): string {
  const settings = settingsOf(site, kind);
  const chosen = remappedBy.map((name) => [name, settings[name]] as const);
  const isDefault = chosen.every(([, value]) => JSON.stringify(value ?? {}) === '{}');
  return isDefault ? '' : JSON.stringify(Object.fromEntries(chosen));
}

/** With access to the store its orders are read; otherwise what it has sent is processed once more. */
async function remap(
  tx: Transaction,
  site: Site,
  connector: Connector,
  connection: ConnectionRow,
  mapped_by: string,
): Promise<void> {
  const { id } = connection;
  await lockConnection(tx, id);
  const now = site.clock();
  if (canReconcile(connector, connection)) {
    const first = (await tx.first(firstPlaced, { connection_id: id }))?.first ?? null;
    const key = { connection_id: id, task: 'remap' as const };
    if (first !== null) await startSync(tx, key, { sinceMs: first, dueMs: now });
  } else {
    await tx.run(processAgain, { connection_id: id, now });
  }
  await tx.run(mapped, { id, mapped_by });
}
