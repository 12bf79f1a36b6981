import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import {
  countersOf,
  type customersAsked,
  type PrepareReferralHook,
  type ReferralRow,
} from '../orders/index.ts';
import { activeBonuses } from './bonus-list.ts';
import { addCheck } from './check-rows.ts';

const nothing: Awaited<ReturnType<PrepareReferralHook>> = () => undefined;

/** Notes the affiliates whose counters move with an order, for the job. Without active bonuses it reads and does nothing. */
export const noteMovements: PrepareReferralHook = async (tx, site) => {
  if (!(await activeBonuses(site)).hasActive) return nothing;
  return ({ before, after }, { nowMs }) => {
    if (before && countsOf(before) === countsOf(after)) return;
    for (const { user_id, day } of before ? [before, after] : [after]) {
      addCheck(tx, { kind: 'affiliate', object_id: user_id, day, due_at: nowMs });
    }
  };
};

/** Bonuses by new customers ask who the customer of an order is. */
export const asksForCustomers: (typeof customersAsked)['contributed'] = async (_db, site) =>
  (await activeBonuses(site)).countsCustomers;

/** What counters add up of a referral. */
function countsOf(referral: ReferralRow): string {
  if (referral.counted === 0) return '';
  return [
    referral.user_id,
    referral.day,
    referral.commission,
    ...Object.values(countersOf(referral)),
  ].join(' ');
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
