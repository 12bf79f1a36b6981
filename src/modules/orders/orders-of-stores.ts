import type { Reader, Transaction } from '../../db/database.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { Point } from '../../kernel/declare/point.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { PreparedOrder } from './order-input.ts';
import type { OrderRow } from './order-rows.ts';

export const orderOfStore = defineError(
  'svc_api_order_of_store',
  409,
  'The order comes from a connected store: change it in that store.',
);

/** The names of those of the stores that are still connected, by id. */
export type NameStores = (db: Reader, ids: readonly number[]) => Promise<Map<number, string>>;

/** Add-ons that connect stores contribute the names of their stores. */
export const connectedStores = new Point<NameStores>('connected stores');

const NONE: ReadonlyMap<number, string> = new Map();

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
  if (others.size === 0) return NONE;
  const names = new Map<number, string>();
  for (const nameStores of site.registry.contributions(connectedStores)) {
    for (const [id, name] of await nameStores(tx, [...others])) names.set(id, name);
  }
  return names;
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
