import type { Transaction } from '../../../src/db/database.ts';
import { lockManyOrders, lockOrders } from '../../../src/modules/orders/index.ts';
import { poolOf, type PayoutStatus } from './payout-status.ts';

/**
 * Must be the first lock of a transaction that changes payouts: orders are locked before coupons. Of a payment that comes
 * back, the review holds the commission of any number of orders.
 */
export function lockOrdersFor(
  tx: Transaction,
  { from, to }: { readonly from?: PayoutStatus | undefined; readonly to: PayoutStatus | undefined },
): Promise<void> {
  const mayReturn =
    from === 'paid' || to === 'pending' || (to !== undefined && poolOf[to] === 'unpaid');
  return mayReturn ? lockManyOrders(tx) : lockOrders(tx);
}
