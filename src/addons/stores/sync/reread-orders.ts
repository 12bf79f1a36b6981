import type { Site } from '../../../kernel/declare/site.ts';
import { askConnector } from '../ask-connector.ts';
import type { ConnectionRow } from '../connection-store.ts';
import type { Connector } from '../connector.ts';
import { mapWhole, type FinalMapping } from '../map-order.ts';
import { listDueRereads, scheduleReread } from '../reread-store.ts';
import { shopOf } from '../shop.ts';
import { checkMapping } from '../store-orders.ts';
import { SYNC_TOPIC, storePage } from './read-page.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Per run of reconciling. */
const ORDERS_MAX = 200;

/** Reads orders with refunds again. Throws a `ShopError` if the store does not answer; the rest is read next time. */
export async function rereadOrders(
  site: Site,
  connector: Connector,
  connection: ConnectionRow,
): Promise<void> {
  const { kind, fetchOrder } = connector;
  if (!fetchOrder) return;
  const due = await listDueRereads(site.database.read, connection.id, site.clock(), ORDERS_MAX);
  for (const externalId of due) {
    const shop = shopOf(site, connector, connection);
    const payload = await askConnector(site, kind, () => fetchOrder(shop, externalId));
    const mapping: FinalMapping =
      payload === undefined
        ? { result: 'gone', externalId, reason: 'The store has this order no more.' }
        : mapWhole(site, connector, connection, { payload, topic: SYNC_TOPIC });
    // Storing the order schedules it again if it still has refunds.
    const later = mapping.result === 'order' && mapping.order.refunds.length > 0;
    await site.database.transaction((tx) =>
      scheduleReread(tx, connection.id, externalId, later ? site.clock() + DAY_MS : null),
    );
    const checked = checkMapping(site, connection, mapping);
    await storePage(site, connection, [{ payload, checked }]);
  }
}
