import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { ingestAgain } from '../ingest-orders.ts';
import { lockManyOrders } from '../order-locks.ts';
import type { ReferralKey, ReferralRow } from '../order-rows.ts';
import type { ChangeContext } from '../settle-referral.ts';

/** Few enough that other requests and orders wait only some milliseconds. */
const ORDERS_PER_TRANSACTION = 50;

/**
 * Settles orders again after the setting has changed which statuses count: those that count now for the first time are
 * decided. Their figures follow, and so does an awaiting commission: it appears with an order that counts now and
 * disappears with one that no longer does. Granted commission stays, and none is granted: that takes a change of the order.
 *
 * Each order is read inside its transaction, so any number of processes may do this at the same time, while
 * others ingest orders.
 */
export async function resettleOrders(site: Site, orderIds: readonly number[]): Promise<void> {
  for (let i = 0; i < orderIds.length; i += ORDERS_PER_TRANSACTION) {
    const some = orderIds.slice(i, i + ORDERS_PER_TRANSACTION);
    await site.database.transaction(async (tx) => {
      await lockManyOrders(tx);
      const context = { actorId: 0, nowMs: site.clock(), isAgain: true };
      await ingestAgain(tx, site, some, { grants: false, context });
    });
  }
}

/** Settles the orders of referrals again, each as it is stored, after a restraint was added or removed. */
export async function settleAgain(
  tx: Transaction,
  site: Site,
  keys: readonly ReferralKey[],
  context: ChangeContext,
): Promise<ReferralRow[]> {
  if (keys.length === 0) return [];
  await lockManyOrders(tx);
  const orderIds = [...new Set(keys.map(({ order_id }) => order_id))];
  const stored = await ingestAgain(tx, site, orderIds, { grants: false, context });
  return stored.flatMap(({ referrals }) => referrals);
}
