import type { payoutReturns } from '../../../modules/ledger/index.ts';
import { lockManyOrders } from '../../../modules/orders/index.ts';
import { lockCase } from '../cases/case-rows.ts';
import { applyRestraints, markUnsent } from './apply-restraints.ts';
import { deletePayoutMarks, listLeft } from './restraint-rows.ts';

/**
 * Commission that was paid out could not be held. Once the payment comes back, open cases hold it, and the payout
 * waits for cases that were rejected.
 */
export const holdReturned: (typeof payoutReturns)['contributed'] = async (
  tx,
  site,
  { id, coupon_id, requested_at, isGivenBack },
  context,
) => {
  if (isGivenBack) await deletePayoutMarks(tx, { payout_id: id });
  const left = await listLeft(tx, { coupon_id, requested_at });
  if (left.length > 0) await lockManyOrders(tx);
  for (const { state, ...hold } of left) {
    const row = await lockCase(tx, { id: hold.case_id });
    if (row?.state !== state) continue;
    if (state === 'rejected') await markUnsent(tx, site, hold);
    else await applyRestraints(tx, site, { id: hold.case_id, state }, context);
  }
};
