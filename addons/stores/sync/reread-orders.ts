import type { ConnectedStore } from '../connections/open-connection.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import type { Connector } from '../connectors/connector.ts';
import { completeOrders } from '../orders/complete-orders.ts';
import { mapFetched } from '../orders/map-order.ts';
import {
  listDueRereads,
  nextReread,
  scheduleReread,
  type DueReread,
} from '../orders/reread-rows.ts';
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
export async function rereadOrders(store: ConnectedStore): Promise<void> {
  const { site, connection } = store;
  const { fetchOrder } = store.connector;
  if (!fetchOrder) return;
  const due = await listDueRereads(site.database.read, {
    connection_id: connection.id,
    now: site.clock(),
    limit: DUE_MAX,
  });
  const isFetched = ({ refunded, unseen_at }: DueReread) => refunded > 0 || unseen_at !== null;
  const fetched = due.filter(isFetched).slice(0, FETCHED_MAX);
  for (const order of fetched) await reread(store, order, fetchOrder);
  const others = due.filter((order) => !isFetched(order));
  // Without a commission there is nothing to take back.
  await postpone(
    store,
    others.filter(({ earns }) => !earns),
  );
  const earning = others.filter(({ earns }) => earns);
  let rest = FETCHED_MAX - fetched.length;
  for (let i = 0; i < earning.length && rest > 0; i += LISTED_MAX) {
    const listed = earning.slice(i, i + LISTED_MAX);
    const missing = new Set(await askMissing(store, listed));
    await postpone(
      store,
      listed.filter(({ external_id }) => !missing.has(external_id)),
    );
    const unlisted = listed.filter(({ external_id }) => missing.has(external_id)).slice(0, rest);
    for (const order of unlisted) await reread(store, order, fetchOrder);
    rest -= unlisted.length;
  }
}

async function askMissing(
  store: ConnectedStore,
  orders: readonly DueReread[],
): Promise<readonly string[]> {
  const { missingAmong } = store.connector;
  const ids = orders.map(({ external_id }) => external_id);
  return missingAmong ? askConnected(store, (api) => missingAmong(api, ids)) : ids;
}

/** They are due again in a day, or not any more. */
async function postpone(
  { site, connection }: ConnectedStore,
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
  store: ConnectedStore,
  { external_id: externalId, placed_at }: DueReread,
  fetchOrder: NonNullable<Connector['fetchOrder']>,
): Promise<void> {
  const { site, connector, connection } = store;
  const fetched = await mapFetched(store, fetchOrder, externalId, SYNC_TOPIC);
  const { mapping, payload } = fetched;
  const isOpen =
    connector.missingAmong !== undefined ||
    (mapping.result === 'order' && mapping.order.refunds.length > 0);
  const rereadAt = isOpen ? nextReread(site, placed_at, site.clock()) : null;
  const [complete] = await completeOrders(store, [fetched]);
  const checked = checkMapping(store, complete!);
  await storePage(store, [{ payload, externalId, checked }]);
  // Storing has decided when it is asked again.
  if (mapping.result === 'not-shown') return;
  // Last: after a crash the order is still due.
  await site.database.transaction((tx) =>
    scheduleReread(tx, connection.id, [externalId], rereadAt),
  );
}
