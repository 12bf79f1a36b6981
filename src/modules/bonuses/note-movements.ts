import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  isGranted,
  type customerHooks,
  type PrepareReferralHook,
  type ReferralRow,
} from '../orders/index.ts';
import { activeBonuses } from './bonus-rows.ts';
import { addCheck } from './check-rows.ts';

const nothing: Awaited<ReturnType<PrepareReferralHook>> = () => undefined;

/** Notes the coupons whose counters move with an order, for the job. Without active bonuses it reads and does nothing. */
export const noteMovements: PrepareReferralHook = async (tx, site) => {
  if (!(await activeBonuses(site)).hasActive) return nothing;
  return ({ before, after }, { nowMs }) => {
    if (before && countsOf(before) === countsOf(after)) return;
    for (const day of new Set([before?.day ?? after.day, after.day])) {
      addCheck(tx, { kind: 'coupon', object_id: after.coupon_id, day, due_at: nowMs });
    }
  };
};

/** Notes customers of whom another order may be the first now: of another affiliate, or in another window. */
export const noteCustomers: (typeof customerHooks)['contributed'] = async (tx, site) => {
  if (!(await activeBonuses(site)).countsCustomers) return undefined;
  return (customer_key, day) => {
    addCheck(tx, { kind: 'customer', object_id: 0, customer_key, day, due_at: site.clock() });
  };
};

/** What counters add up of a referral. */
function countsOf(referral: ReferralRow): string {
  if (referral.counted === 0) return '';
  const { day, sales, commission } = referral;
  return `${day} ${sales} ${commission} ${isGranted(referral)}`;
}

/** An affiliate who was accepted may get a bonus for it. */
export async function noteAccepted(
  tx: Transaction,
  site: Site,
  userId: number,
  nowMs: number,
): Promise<void> {
  if (!(await activeBonuses(site)).hasActive) return;
  const day = site.calendar.dayOf(nowMs);
  addCheck(tx, { kind: 'affiliate', object_id: userId, day, due_at: nowMs });
}
