import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { isGranted } from '../commission/referral-terms.ts';
import { lockManyOrders } from '../ingest-orders.ts';
import { listReferralsToChange, type ReferralRow } from '../order-rows.ts';
import { Settlement, type ChangeContext } from '../settle-referral.ts';

/** A referral whose restraint has changed. */
export interface ReferralKey {
  readonly order_id: number;
  readonly coupon_id: number;
}

/** Settles referrals again, each as its order makes it, after a restraint was added or removed. */
export async function settleAgain(
  tx: Transaction,
  site: Site,
  keys: readonly ReferralKey[],
  context: ChangeContext,
): Promise<ReferralRow[]> {
  if (keys.length === 0) return [];
  const orderIds = new Set(keys.map(({ order_id }) => order_id));
  await lockManyOrders(tx);
  const [settlement, found] = await Promise.all([
    Settlement.begin(tx, site, { orderIds, affiliateIds: new Set() }),
    listReferralsToChange(tx, [...orderIds]),
  ]);
  // A case about an affiliate may hold thousands.
  const wanted = new Set(keys.map(({ order_id, coupon_id }) => `${order_id} ${coupon_id}`));
  const chosen = found.filter(({ order_id, coupon_id }) => wanted.has(`${order_id} ${coupon_id}`));
  return chosen.map((stored) => {
    const free = settlement.free(stored);
    const next = isGranted(free) ? { ...free, state: 'granted' as const } : free;
    return settlement.settle(stored, next, undefined, context);
  });
}
