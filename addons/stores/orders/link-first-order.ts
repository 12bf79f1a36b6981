import { canReconcile, type ConnectedStore } from '../connections/open-connection.ts';
import type { StoreOrder } from '../connectors/connector.ts';
import { withKnownVersions } from './complete-orders.ts';
import { readKnownVersions } from './known-versions.ts';
import { mapFetched, type Observed } from './map-order.ts';
import { checkMapping, isReady, storeOrders, type Storing } from './store-orders.ts';

/**
 * Some stores name the subscription only with its renewals. Before the first of them is stored, the order that began
 * the subscription gets it, too, because a renewal is credited like that one. An order that was never stored is left
 * alone, unless a history is being read that it belongs to. Throws a `StoreError` if the store does not answer.
 */
export async function linkFirstOrder(
  store: ConnectedStore,
  { mapping }: Observed,
  topic: string,
  { sinceMs, ...storing }: Storing & { readonly sinceMs?: number | undefined } = {},
): Promise<void> {
  const { site, connector, connection } = store;
  const { fetchOrder } = connector;
  if (mapping.result !== 'order' || mapping.firstOrder === undefined) return;
  if (!fetchOrder || !canReconcile(connector, connection)) return;
  const { firstOrder: external_id, order: renewal } = mapping;
  const known = (await readKnownVersions(store, [external_id])).get(external_id);
  if (known ? known.subscription : sinceMs === undefined) return;
  const found = await mapFetched(store, fetchOrder, external_id, topic);
  if (found.mapping.result !== 'order') return;
  const isRead = Date.parse(found.mapping.order.date_modified) >= (sinceMs ?? 0);
  if (!known && !isRead) return;
  const order = begun(found.mapping.order, renewal);
  const begin = { ...found, mapping: { ...found.mapping, order } };
  const [complete] = await withKnownVersions(store, [begin]);
  const checked = checkMapping(store, complete!);
  if (!isReady(checked)) return;
  await site.database.transaction((tx) => storeOrders(tx, store, [checked], storing));
}

/** An order without a charge, at the begin of a free trial, is no payment yet. */
function begun(order: StoreOrder, { subscription }: StoreOrder): StoreOrder {
  const { payment: _, renewal: _renewal, ...same } = subscription!;
  return { ...order, subscription: order.total > 0 ? { ...same, payment: 1 } : same };
}
