import type { ObjectToPayouts } from '../../../src/modules/ledger/index.ts';
import { findMarkedPayouts } from './restraint-rows.ts';

/** Payouts that took commission before a case held it, and those of affiliates in review: they wait for the decision. */
export const objectToPayouts: ObjectToPayouts = async (db, payoutIds) => {
  const marked = await findMarkedPayouts(db, payoutIds);
  const cases = Map.groupBy(marked, ({ payout_id }) => payout_id);
  return new Map(Array.from(cases, ([payoutId, rows]) => [payoutId, sentenceOf(rows)]));
};

function sentenceOf(rows: Awaited<ReturnType<typeof findMarkedPayouts>>): string {
  const about = rows.find(({ subject_type }) => subject_type === 'affiliate');
  if (about) return `Case ${about.case_id} about the affiliate is not cleared.`;
  const ids = rows.map(({ case_id }) => case_id).join(', ');
  return (
    `It holds commission of case ${ids}. Clear the case, or cancel the payout and request the amount ` +
    'without it.'
  );
}
