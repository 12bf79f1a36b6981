import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { ingestAgain } from '../ingest-orders.ts';
import { lockManyOrders } from '../order-locks.ts';
import type { ReferralKey, ReferralRow } from '../order-rows.ts';
import type { ChangeContext } from '../settle-referral.ts';

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
