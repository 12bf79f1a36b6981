import type { Transaction } from '../../db/database.ts';
import { CREDITING_LOCK } from '../coupons/index.ts';

/**
 * Locks all orders exclusively, for a transaction that changes many. It touches orders and coupons in arbitrary
 * order, so running beside transactions of single orders would deadlock.
 */
export function lockManyOrders(tx: Transaction): Promise<void> {
  return tx.lock(CREDITING_LOCK);
}

/**
 * Keeps transactions that change many orders away, for one that changes a single order or something that they change
 * after orders. Those of single orders run beside each other.
 */
export function lockOrders(tx: Transaction): Promise<void> {
  return tx.lock(CREDITING_LOCK, { shared: true });
}
