import type { ObjectToPayouts } from '../../../modules/ledger/index.ts';
import { findMarkedPayouts } from './restraint-rows.ts';

/** Payouts that took commission before a case held it: they wait for the decision, or are cancelled. */
export const objectToPayouts: ObjectToPayouts = async (db, payoutIds) => {
  const marked = await findMarkedPayouts(db, payoutIds);
  const cases = Map.groupBy(marked, ({ payout_id }) => payout_id);
  return new Map(
    Array.from(cases, ([payoutId, rows]) => [
      payoutId,
      `It holds commission of case ${rows.map(({ case_id }) => case_id).join(', ')}. Clear the case, or cancel ` +
        'the payout and request the amount without it.',
    ]),
  );
};
