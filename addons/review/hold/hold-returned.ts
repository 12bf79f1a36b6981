import type { payoutReturns } from '../../../src/modules/ledger/index.ts';
import { lockCase } from '../cases/case-rows.ts';
import { applyRestraints } from './apply-restraints.ts';
import { deletePayoutMarks, listUndecided } from './restraint-rows.ts';
import { TakenByPayouts } from './taken-by-payouts.ts';

/**
 * Commission that was paid out could not be held. Once the payment comes back, open cases hold it, and the payout
 * waits until they are decided. The transaction has locked the orders before the payout.
 */
export const holdReturned: (typeof payoutReturns)['contributed'] = async (
  tx,
  site,
  { id, coupon_id, requested_at, isGivenBack },
  context,
) => {
  if (isGivenBack) await deletePayoutMarks(tx, { payout_id: id });
  const undecided = await listUndecided(tx, { coupon_id, requested_at });
  const taken = new TakenByPayouts(tx, site, new Set(undecided.map(({ order_id }) => order_id)));
  for (const [caseId, holds] of Map.groupBy(undecided, ({ case_id }) => case_id)) {
    const { state } = (await lockCase(tx, { id: caseId }))!;
    const kept = holds.filter(({ restraint }) => restraint !== 'sent');
    if (kept.length < holds.length) {
      await applyRestraints(tx, site, { id: caseId, state }, context);
    }
    if (isGivenBack || kept.length === 0) continue;
    await taken.mark(caseId, coupon_id, new Set(kept.map(({ order_id }) => order_id)));
  }
};
