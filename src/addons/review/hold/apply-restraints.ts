import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { couponsTakenFrom, payoutsOfEntries } from '../../../modules/ledger/index.ts';
import { settleAgain, type ChangeContext } from '../../../modules/orders/index.ts';
import { insertPayoutMarks, listAsked, listHoldsOf, type HoldRow } from './restraint-rows.ts';
import { keyOf, restraintsOf } from './restraints.ts';

/** What the ledger says of a movement, by what happened to the case. */
const notes = { open: 'in review', cleared: 'cleared', rejected: 'rejected' } as const;

/**
 * Brings the referrals of a case to what its state, and that of other cases on the same orders, asks: held while
 * one is open, void once one is rejected, else as their orders make them. The case has its new state already.
 */
export async function applyRestraints(
  tx: Transaction,
  site: Site,
  { id, state }: { readonly id: number; readonly state: keyof typeof notes },
  { actorId, nowMs }: Pick<ChangeContext, 'actorId' | 'nowMs'>,
): Promise<void> {
  const holds = await listHoldsOf(tx, { case_id: id });
  if (holds.length === 0) return;
  const orderIds = [...new Set(holds.map(({ order_id }) => order_id))];
  const restraints = restraintsOf(tx);
  const [asked] = await Promise.all([listAsked(tx, orderIds), restraints.read(new Set(orderIds))]);
  const byReferral = Map.groupBy(asked, keyOf);
  for (const hold of holds) {
    const states = new Set(byReferral.get(keyOf(hold))?.map((one) => one.state));
    if (states.has('rejected')) restraints.set(hold, 'rejected');
    else if (states.has('open')) {
      const isHeld = restraints.get(hold)?.restraint === 'held';
      if (isHeld || (await isPayable(tx, site, hold))) restraints.set(hold, 'held');
      else restraints.end(hold);
    } else restraints.end(hold);
  }
  const note = `${notes[state]} (case ${id})`;
  await settleAgain(tx, site, holds, { actorId, nowMs, case: { id, note } });
  await markPayouts(tx, site, id, holds);
}

/** Money that has left, or may have, cannot be held. If the case is rejected, it is carried forward. */
async function isPayable(tx: Transaction, site: Site, hold: HoldRow): Promise<boolean> {
  const found = await Promise.all(
    site.registry.contributions(payoutsOfEntries).map((find) => find(tx, hold)),
  );
  return !found.some((payout) => payout?.isSent);
}

/** Notes the open payouts that the case has taken money from: the affiliate's and those of the upline. */
async function markPayouts(
  tx: Transaction,
  site: Site,
  caseId: number,
  holds: readonly HoldRow[],
): Promise<void> {
  const find = site.registry.contributions(payoutsOfEntries);
  if (find.length === 0) return;
  const marked = new Set<number>();
  for (const coupon_id of couponsTakenFrom(tx, caseId)) {
    for (const { order_id } of holds) {
      const found = await Promise.all(find.map((one) => one(tx, { coupon_id, order_id })));
      for (const payout of found) if (payout && !payout.isSent) marked.add(payout.id);
    }
  }
  await tx.runMany(
    insertPayoutMarks,
    [...marked].map((payout_id) => ({ case_id: caseId, payout_id })),
  );
}
