import type { Transaction } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import { SYNC_TOPIC } from '../sync/read-page.ts';

/** What is left of a delivery without its payload. */
const EMPTY = { headers: '{}', body: '{}', is_base64: 0 };

const ofOrders = query<{ connection_id: number; ids: string }>((db, p, _given, dialect) =>
  db
    .updateTable('store_deliveries')
    .set(EMPTY)
    .where('connection_id', '=', p.connection_id)
    .where((eb) =>
      eb.or([
        dialect.inJsonArray('external_id', p.ids, 'text'),
        // What was read from the store, and has no id that could be understood, may be of these orders.
        eb.and([eb('topic', '=', SYNC_TOPIC), eb('external_id', 'is', null)]),
      ]),
    ),
);

const ofConnection = query<{ connection_id: number }>((db, p) =>
  db.updateTable('store_deliveries').set(EMPTY).where('connection_id', '=', p.connection_id),
);

const one = query<{ id: number }>((db, p) =>
  db.updateTable('store_deliveries').set(EMPTY).where('id', '=', p.id),
);

/**
 * Empties the payloads of these orders, or of all of the connection, and of the delivery that ordered it. Whether and
 * when they arrived stays. Orders themselves have no personal data but keyed hashes.
 */
export async function redactDeliveries(
  tx: Transaction,
  { id, connection_id }: { id: number; connection_id: number },
  externalIds: readonly string[] | 'all',
): Promise<void> {
  await tx.run(one, { id });
  if (externalIds === 'all') await tx.run(ofConnection, { connection_id });
  else await tx.run(ofOrders, { connection_id, ids: JSON.stringify(externalIds) });
}
