import type { Transaction } from '../../db/database.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { nameStores } from '../rewards/index.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-rows.ts';

export const orderOfStore = defineError(
  'svc_api_order_of_store',
  409,
  'The order comes from a connected store: change it in that store.',
);

/** The names of connected stores that have an order which another sender has sent. Without such an order it runs no statement. */
export async function readStoresOfOthers(
  tx: Transaction,
  site: Site,
  orders: readonly PreparedOrder[],
  found: readonly OrderRow[],
): Promise<ReadonlyMap<number, string>> {
  const senders = new Map(orders.map(({ orderId, storeId }) => [orderId, storeId]));
  const others = new Set<number>();
  for (const { order_id, store_id } of found) {
    if (store_id !== null && store_id !== senders.get(order_id)) others.add(store_id);
  }
  return nameStores(tx, site, [...others]);
}

/**
 * Refuses an order of a connected store that another sender has sent: the store would not know of the change, and
 * overwrite it with its next version. Once the store is disconnected, its orders can be changed.
 */
export function refusalOf(
  { orderId, storeId }: PreparedOrder,
  known: OrderRow | undefined,
  names: ReadonlyMap<number, string>,
): ApiError | undefined {
  if (!known || known.store_id === null || known.store_id === storeId) return undefined;
  const name = names.get(known.store_id);
  if (name === undefined) return undefined;
  return new ApiError(orderOfStore, {
    message:
      `Order ${orderId} comes from the connected store "${name}" (connection ${known.store_id}). ` +
      'Change it in that store, or send another number.',
    data: { store: known.store_id },
  });
}
