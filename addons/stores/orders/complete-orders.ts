import type { ConnectedStore } from '../connections/open-connection.ts';
import type { KnownOrder, MappedOrder, StoreOrder } from '../connectors/connector.ts';
import { rateOf } from './exchange-rate.ts';
import { readKnownVersions } from './known-versions.ts';
import type { Observed } from './map-order.ts';
import { withProductGroups } from './product-groups.ts';

/** Orders of a store with what their payloads lack: what is known of them, and the groups of their products. */
export async function completeOrders<T extends Observed>(
  store: ConnectedStore,
  observed: readonly T[],
): Promise<readonly T[]> {
  return withProductGroups(store, await withKnownVersions(store, observed));
}

/**
 * What the store did not show of an order stays as it is in the stored version, and so does the exchange rate, also if
 * the connection has none any more. Nothing is read for orders that are complete.
 */
export async function withKnownVersions<T extends Observed>(
  store: ConnectedStore,
  observed: readonly T[],
): Promise<readonly T[]> {
  const incomplete = observed.flatMap(({ mapping }) =>
    mapping.result === 'order' && lacks(store, mapping) ? mapping.order.external_id : [],
  );
  const known = await readKnownVersions(store, incomplete);
  if (known.size === 0) return observed;
  return observed.map((one) => {
    const { mapping } = one;
    const before = mapping.result === 'order' ? known.get(mapping.order.external_id) : undefined;
    if (mapping.result !== 'order' || !before) return one;
    return { ...one, mapping: { ...mapping, order: filled(mapping, before) } };
  });
}

function lacks({ site, connection }: ConnectedStore, { order, notShown }: MappedOrder): boolean {
  const { currency = site.currency.code, exchange_rate } = order;
  const isForeign = currency !== site.currency.code && exchange_rate === undefined;
  return notShown !== undefined || (isForeign && rateOf(connection, currency) === undefined);
}

function filled({ order, notShown = [] }: MappedOrder, known: KnownOrder): StoreOrder {
  const kept = notShown.flatMap((name) => (name in known ? [[name, known[name]]] : []));
  const { currency, exchange_rate } = known;
  return {
    ...order,
    ...(currency === order.currency && exchange_rate !== undefined && { exchange_rate }),
    ...(Object.fromEntries(kept) as Partial<StoreOrder>),
    ...(notShown.includes('refunds') && { refunds: knownRefunds(order, known) }),
  };
}

/** Refunds that are only named are as they are stored; if none is named, they all are. */
function knownRefunds(order: StoreOrder, known: KnownOrder): StoreOrder['refunds'] {
  if (order.refunds.length === 0) return known.refunds;
  return order.refunds.map((refund) => {
    const same = known.refunds.find(({ id }) => String(id) === String(refund.id));
    return same?.amount === refund.amount ? same : refund;
  });
}
