import type { PrepareReferralCheck } from '../../../src/modules/orders/index.ts';
import { findHoldingCases } from '../cases/case-rows.ts';
import { pendingCases } from './pending-cases.ts';
import { restraintsOf } from './restraints.ts';

/**
 * An open case about an affiliate holds what comes in, and a case that holds or has rejected the first payment of a
 * subscription does the same with its renewals: also while the add-on is off. Cases are read under the lock of the
 * orders, which a decision takes before it lists what the case holds.
 */
export const holdNewReferrals: PrepareReferralCheck = async (tx, _site, scope) => {
  const restraints = restraintsOf(tx);
  const [holding] = await Promise.all([
    findHoldingCases(tx, [...scope.affiliateIds]),
    restraints.read(new Set(scope.renewed.map(({ order_id }) => order_id))),
  ]);
  return (_order, referral) => {
    const { order_id, coupon_id, user_id, renews } = referral;
    for (const { id } of holding.filter((one) => one.user_id === user_id)) {
      tx.pending(pendingCases).holds.push({ case_id: id, order_id, coupon_id });
      restraints.add(referral, 'held');
    }
    const restraint = renews && restraints.asked(renews);
    if (!restraint) return;
    tx.pending(pendingCases).renewals.push({ first: renews, order_id, coupon_id });
    // A first payment that was paid out before its case was opened is in review all the same.
    restraints.add(referral, restraint === 'rejected' ? 'rejected' : 'held');
  };
};
