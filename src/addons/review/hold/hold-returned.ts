import type { payoutReturns } from '../../../modules/ledger/index.ts';
import { lockManyOrders } from '../../../modules/orders/index.ts';
import { lockCase } from '../cases/case-rows.ts';
import { applyRestraints, markUnsent } from './apply-restraints.ts';
import { deletePayoutMarks, listUndecided } from './restraint-rows.ts';

/**
 * Commission that was paid out could not be held. Once the payment comes back, open cases hold it, and the payout
 * waits until they are decided.
 */
export const holdReturned: (typeof payoutReturns)['contributed'] = async (
  tx,
  site,
  { id, coupon_id, requested_at, isGivenBack },
  context,
) => {
  if (isGivenBack) await deletePayoutMarks(tx, { payout_id: id });
  const undecided = await listUndecided(tx, { coupon_id, requested_at });
  if (undecided.length > 0) await lockManyOrders(tx);
  for (const { restraint, ...hold } of undecided) {
    const row = await lockCase(tx, { id: hold.case_id });
    if (!row || row.state === 'cleared') continue;
    const { id: caseId, state } = row;
    if (restraint === 'sent') await applyRestraints(tx, site, { id: caseId, state }, context);
    else if (!isGivenBack) await markUnsent(tx, site, hold);
  }
};
