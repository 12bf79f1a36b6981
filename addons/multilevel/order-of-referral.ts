import type { Transaction } from '../../src/db/database.ts';
import type { PreparedOrder, PrepareReferralCheck } from '../../src/modules/orders/index.ts';

const ofTransactions = new WeakMap<Transaction, Map<number, PreparedOrder>>();

/** The order of a referral that this transaction creates. */
export function orderOf(tx: Transaction, orderId: number): PreparedOrder | undefined {
  return ofTransactions.get(tx)?.get(orderId);
}

/** Remembers orders until their referrals are settled, because a share depends on who bought. */
export const rememberOrders: PrepareReferralCheck = async (tx) => {
  const orders = ofTransactions.get(tx) ?? new Map<number, PreparedOrder>();
  ofTransactions.set(tx, orders);
  return (order) => void orders.set(order.orderId, order);
};
