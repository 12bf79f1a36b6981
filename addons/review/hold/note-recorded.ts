import type { payoutRecords } from '../../../src/modules/ledger/index.ts';
import { insertHistory } from '../cases/case-rows.ts';
import { findMarkedPayouts } from './restraint-rows.ts';

/** The history of a case says which of its payouts an administrator approved or recorded as paid all the same. */
export const noteRecorded: (typeof payoutRecords)['contributed'] = async (
  tx,
  payouts,
  { actorId, nowMs },
) => {
  const statuses = new Map(payouts.map(({ id, status }) => [id, status]));
  for (const { case_id, payout_id } of await findMarkedPayouts(tx, [...statuses.keys()])) {
    const note = `Payout ${payout_id}: ${statuses.get(payout_id)!}`;
    const entry = { case_id, at: nowMs, actor_id: actorId, action: 'payout_recorded' as const };
    await insertHistory(tx, { ...entry, note });
  }
};
