import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { couponsTakenFrom, lockBalances } from '../../../src/modules/ledger/index.ts';
import { settleAgain, type ChangeContext } from '../../../src/modules/orders/index.ts';
import { findEarned, listAsked, listHoldsOf, updateHeld, type HoldRow } from './restraint-rows.ts';
import { keyOf, restraintsOf, type Restrained } from './restraints.ts';
import { TakenByPayouts } from './taken-by-payouts.ts';

/** What the ledger says of a movement, by what happened to the case. */
const notes = { open: 'in review', cleared: 'cleared', rejected: 'rejected' } as const;

/** They take some milliseconds; other requests go on before the next statement. */
const HOLDS_AT_ONCE = 10;

/**
 * Brings the referrals of a case to what its state, and that of other cases on the same orders, asks: held while
 * one is open, void once one is rejected, else as their orders make them. The case has its new state already, and the
 * transaction has locked the orders. A case may hold thousands: they are settled in pieces of one transaction, so that
 * all of them are, or none.
 */
export async function applyRestraints(
  tx: Transaction,
  site: Site,
  { id, state }: { readonly id: number; readonly state: keyof typeof notes },
  { actorId, nowMs }: Pick<ChangeContext, 'actorId' | 'nowMs'>,
): Promise<void> {
  const holds = await listHoldsOf(tx, { case_id: id });
  if (holds.length === 0) return;
  // A payout that is requested now must not take what is held.
  await lockBalances(tx, new Set(holds.map(({ coupon_id }) => coupon_id)));
  const taken = new TakenByPayouts(tx, site, new Set(holds.map(({ order_id }) => order_id)));
  const context = { actorId, nowMs, case: { id, note: `${notes[state]} (case ${id})` } };
  const coupons = new Set<number>();
  const restraints = restraintsOf(tx);
  restraints.sumsHeld = false;
  for (let i = 0; i < holds.length; i += HOLDS_AT_ONCE) {
    const some = holds.slice(i, i + HOLDS_AT_ONCE);
    await restrain(tx, some, taken);
    await settleAgain(tx, site, some, context);
    for (const coupon of couponsTakenFrom(tx, id)) coupons.add(coupon);
    await tx.flush();
  }
  restraints.sumsHeld = true;
  await updateHeld(tx, new Set(holds.map(({ order_id }) => order_id)));
  // The open payouts that the case has taken money from: the affiliate's and those of the upline.
  await lockBalances(tx, coupons);
  for (const coupon of coupons) await taken.mark(id, coupon);
}

/** Says what becomes of referrals when they are settled next. */
async function restrain(
  tx: Transaction,
  holds: readonly HoldRow[],
  taken: TakenByPayouts,
): Promise<void> {
  const orderIds = new Set(holds.map(({ order_id }) => order_id));
  const restraints = restraintsOf(tx);
  const [asked, earned] = await Promise.all([
    listAsked(tx, [...orderIds]),
    findEarned(tx, [...orderIds]),
    restraints.read(orderIds),
  ]);
  const askedOf = Map.groupBy(asked, keyOf);
  const earnedOf = new Map(earned.map((row) => [keyOf(row), row]));
  for (const hold of holds) {
    const states = new Set(askedOf.get(keyOf(hold))?.map((one) => one.state));
    if (states.has('rejected')) restraints.set(hold, 'rejected');
    else if (!states.has('open')) restraints.end(hold);
    else {
      const hasLeft = await isSent(hold, restraints.get(hold), earnedOf.get(keyOf(hold)), taken);
      restraints.set(hold, hasLeft ? 'sent' : 'held');
    }
  }
}

type Earned = Awaited<ReturnType<typeof findEarned>>[number];

/** Money that has left, or may have, cannot be held. If the case is rejected, it is carried forward. */
async function isSent(
  { coupon_id, order_id }: HoldRow,
  restrained: Restrained | undefined,
  earned: Earned | undefined,
  taken: TakenByPayouts,
): Promise<boolean> {
  if (restrained?.restraint === 'held') return false;
  const free = restrained?.restraint === 'rejected' ? restrained : earned;
  // What waits for its day has not left, whatever was paid out of it before it was taken back.
  if (free?.state !== 'granted') return false;
  const { sent } = await taken.of(coupon_id, order_id);
  return sent >= Math.max(free.commission, 1);
}
