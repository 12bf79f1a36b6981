import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import {
  couponsTakenFrom,
  lockBalances,
  takenCommissions,
  type TakenCommission,
} from '../../../modules/ledger/index.ts';
import { settleAgain, type ChangeContext } from '../../../modules/orders/index.ts';
import {
  findEarned,
  insertPayoutMarks,
  listAsked,
  listHoldsOf,
  type HoldRow,
} from './restraint-rows.ts';
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
  // A payout that is requested now must not take what is held.
  await lockBalances(tx, new Set(holds.map(({ coupon_id }) => coupon_id)));
  const [asked] = await Promise.all([listAsked(tx, orderIds), restraints.read(new Set(orderIds))]);
  const byReferral = Map.groupBy(asked, keyOf);
  for (const hold of holds) {
    const states = new Set(byReferral.get(keyOf(hold))?.map((one) => one.state));
    if (states.has('rejected')) restraints.set(hold, 'rejected');
    else if (!states.has('open')) restraints.end(hold);
    else restraints.set(hold, (await hasLeft(tx, site, hold)) ? 'sent' : 'held');
  }
  const note = `${notes[state]} (case ${id})`;
  await settleAgain(tx, site, holds, { actorId, nowMs, case: { id, note } });
  await markPayouts(tx, site, id, holds);
}

/** Money that has left, or may have, cannot be held. If the case is rejected, it is carried forward. */
async function hasLeft(tx: Transaction, site: Site, hold: HoldRow): Promise<boolean> {
  const restrained = restraintsOf(tx).get(hold);
  if (restrained?.restraint === 'held') return false;
  const free =
    restrained?.restraint === 'rejected'
      ? restrained
      : (await findEarned(tx, [hold.order_id])).find(isSame(hold));
  // What waits for its day has not left, whatever was paid out of it before it was taken back.
  if (free?.state !== 'granted') return false;
  const [taken] = await findTaken(tx, site, hold);
  return taken !== undefined && taken.sent >= Math.max(free.commission, 1);
}

const isSame = (hold: HoldRow) => (other: Pick<HoldRow, 'coupon_id'>) =>
  other.coupon_id === hold.coupon_id;

/** Marks the open payouts that the case has taken money from: the affiliate's and those of the upline. */
async function markPayouts(
  tx: Transaction,
  site: Site,
  caseId: number,
  holds: readonly HoldRow[],
): Promise<void> {
  const coupons = couponsTakenFrom(tx, caseId);
  await lockBalances(tx, coupons);
  for (const coupon_id of coupons) {
    for (const hold of holds) await markUnsent(tx, site, { ...hold, coupon_id });
  }
}

/** Marks the payouts that have commission of an order and were not sent: they wait for the case. */
export async function markUnsent(tx: Transaction, site: Site, hold: HoldRow): Promise<void> {
  const { case_id } = hold;
  const unsent = (await findTaken(tx, site, hold)).flatMap((taken) => taken.unsent);
  await tx.runMany(
    insertPayoutMarks,
    unsent.map((payout_id) => ({ case_id, payout_id })),
  );
}

/** Empty without payouts. */
function findTaken(
  tx: Transaction,
  { registry }: Site,
  commission: Pick<HoldRow, 'coupon_id' | 'order_id'>,
): Promise<TakenCommission[]> {
  return Promise.all(registry.contributions(takenCommissions).map((find) => find(tx, commission)));
}
