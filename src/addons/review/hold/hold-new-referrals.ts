import type { Transaction } from '../../../db/database.ts';
import { defineWrites, type PendingWrites } from '../../../db/unit-of-work.ts';
import type { PrepareReferralCheck } from '../../../modules/orders/index.ts';
import { findHoldingCases } from '../cases/case-rows.ts';
import { insertHolds, updateHeld, type HoldRow } from './restraint-rows.ts';
import { restraintsOf } from './restraints.ts';

class PendingHolds implements PendingWrites {
  readonly list: HoldRow[] = [];

  async flush(tx: Transaction): Promise<void> {
    await tx.runMany(insertHolds, this.list);
    await updateHeld(tx, new Set(this.list.map(({ order_id }) => order_id)));
  }
}

const holds = defineWrites({
  name: 'review-new-holds',
  after: 'referrals',
  create: () => new PendingHolds(),
});

/**
 * An open case about an affiliate holds what comes in, also while the add-on is off. It is read under the lock of the
 * orders, which a decision takes before it lists what the case holds.
 */
export const holdNewReferrals: PrepareReferralCheck = async (tx, _site, { affiliateIds }) => {
  const holding = await findHoldingCases(tx, [...affiliateIds]);
  return (_order, referral) => {
    const { order_id, coupon_id, user_id } = referral;
    for (const { id } of holding.filter((one) => one.user_id === user_id)) {
      tx.pending(holds).list.push({ case_id: id, order_id, coupon_id });
      restraintsOf(tx).add(referral, 'held');
    }
  };
};
