import type { Site } from '../../../kernel/declare/site.ts';
import { askConnector } from '../connectors/ask-connector.ts';
import type { ConnectionRow } from '../connections/connection-rows.ts';
import type { Connector } from '../connectors/connector.ts';
import { mapWhole, storedIfKnown, type FinalMapping } from '../orders/map-order.ts';
import {
  listDueRereads,
  nextReread,
  scheduleReread,
  type DueReread,
} from '../orders/reread-rows.ts';
import { storeApiOf } from '../connectors/store-api.ts';
import { checkMapping } from '../orders/store-orders.ts';
import { SYNC_TOPIC, storePage } from './read-page.ts';

/** Orders per run of reconciling: those that are due, and those that are fetched one by one. */
const DUE_MAX = 2_000;
const FETCHED_MAX = 200;
/** Orders that one request asks the store about. */
const LISTED_MAX = 100;

/**
 * Asks the store about orders that it may have deleted, or whose refunds it may have deleted, without telling. Throws
 * a `StoreError` if the store does not answer; the rest is due next time.
 */
export async function rereadOrders(
  site: Site,
  connector: Connector,
  connection: ConnectionRow,
): Promise<void> {
  const { fetchOrder } = connector;
  if (!fetchOrder) return;
  const due = await listDueRereads(site.database.read, {
    connection_id: connection.id,
    now: site.clock(),
    limit: DUE_MAX,
  });
  const fetched = due.filter(({ refunded }) => refunded > 0).slice(0, FETCHED_MAX);
  for (const order of fetched) await reread(site, connector, connection, order, fetchOrder);
  const others = due.filter(({ refunded }) => refunded === 0);
  // Without a commission there is nothing to take back.
  await postpone(
    site,
    connection,
    others.filter(({ earns }) => !earns),
  );
  const earning = others.filter(({ earns }) => earns);
  let rest = FETCHED_MAX - fetched.length;
  for (let i = 0; i < earning.length && rest > 0; i += LISTED_MAX) {
    const listed = earning.slice(i, i + LISTED_MAX);
    const missing = new Set(await askMissing(site, connector, connection, listed));
    await postpone(
      site,
      connection,
      listed.filter(({ external_id }) => !missing.has(external_id)),
    );
    const gone = listed.filter(({ external_id }) => missing.has(external_id)).slice(0, rest);
    for (const order of gone) await reread(site, connector, connection, order, fetchOrder);
    rest -= gone.length;
  }
}

async function askMissing(
  site: Site,
  connector: Connector,
  connection: ConnectionRow,
  orders: readonly DueReread[],
): Promise<readonly string[]> {
  const { kind, missingAmong } = connector;
  const ids = orders.map(({ external_id }) => external_id);
  if (!missingAmong) return ids;
  const store = storeApiOf(site, connector, connection);
  return askConnector(site, kind, () => missingAmong(store, ids));
}

/** They are due again in a day, or not any more. */
async function postpone(
  site: Site,
  connection: ConnectionRow,
  orders: readonly DueReread[],
): Promise<void> {
  const nowMs = site.clock();
  const times = Map.groupBy(orders, ({ placed_at }) => nextReread(site, placed_at, nowMs));
  await site.database.transaction(async (tx) => {
    for (const [rereadAt, group] of times) {
      const ids = group.map(({ external_id }) => external_id);
      await scheduleReread(tx, connection.id, ids, rereadAt);
    }
  });
}

async function reread(
  site: Site,
  connector: Connector,
  connection: ConnectionRow,
  order: DueReread,
  fetchOrder: NonNullable<Connector['fetchOrder']>,
): Promise<void> {
  const externalId = order.external_id;
  const store = storeApiOf(site, connector, connection);
  const observedAtMs = site.clock();
  const payload = await askConnector(site, connector.kind, () => fetchOrder(store, externalId));
  const mapping: FinalMapping =
    payload === undefined
      ? { result: 'gone', externalId, reason: 'The order no longer exists in the store.' }
      : await storedIfKnown(
          site,
          connection,
          mapWhole(site, connector, connection, { payload, topic: SYNC_TOPIC }),
        );
  const isOpen =
    mapping.result !== 'gone' &&
    (connector.missingAmong !== undefined ||
      (mapping.result === 'order' && mapping.order.refunds.length > 0));
  const rereadAt = isOpen ? nextReread(site, order.placed_at, site.clock()) : null;
  const checked = checkMapping(site, connection, { mapping, observedAtMs });
  await storePage(site, connection, [{ payload, externalId, checked }]);
  // Last: after a crash the order is still due.
  await site.database.transaction((tx) =>
    scheduleReread(tx, connection.id, [externalId], rereadAt),
  );
}
