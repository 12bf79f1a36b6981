import type { Reader, Transaction } from '../../db/database.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { markRosterDue } from '../users/index.ts';
import {
  hasHistory,
  removeCoupon,
  updateCoupon,
  type CouponRow,
  findCouponsOf,
} from './coupon-rows.ts';
import { couponRecords, emitCouponChange } from './coupon.ts';

/** Deletes a coupon that nothing refers to. Returns false for any other, which stays. The caller has locked it. */
export async function removeWithoutHistory(
  tx: Transaction,
  site: Site,
  caller: Caller,
  coupon: CouponRow,
  nowMs: number,
): Promise<boolean> {
  if ((await hasHistory(tx, coupon.id)) || (await hasRecords(tx, site, coupon.id))) return false;
  await removeCoupon(tx, coupon.id);
  await markOwnersDue(tx, coupon);
  await emitCouponChange(tx, site, caller, coupon, ['deleted'], nowMs);
  return true;
}

/**
 * Takes a coupon without money out of use: deletes it, or takes it from its affiliate and disables it where it has a
 * history. The caller has locked it.
 */
export async function retireCoupon(
  tx: Transaction,
  site: Site,
  caller: Caller,
  coupon: CouponRow,
  nowMs: number,
): Promise<void> {
  if (await removeWithoutHistory(tx, site, caller, coupon, nowMs)) return;
  const retired = await updateCoupon(tx, coupon, { user_id: null, status: 'disabled' }, nowMs);
  await markOwnersDue(tx, coupon);
  await emitCouponChange(tx, site, caller, retired, ['user_id', 'status'], nowMs);
}

async function markOwnersDue(tx: Transaction, coupon: CouponRow): Promise<void> {
  for (const userId of new Set([coupon.user_id, coupon.roster_user_id])) {
    if (userId !== null) await markRosterDue(tx, { id: userId });
  }
}

/** Includes add-ons that are switched off, because their rows remain. */
async function hasRecords(db: Reader, site: Site, id: number): Promise<boolean> {
  for (const refers of site.registry.allContributions(couponRecords)) {
    if (await refers(db, id)) return true;
  }
  return false;
}

/** Disables the coupons of an affiliate, which stay its own. The caller holds their locks. */
export async function disableCouponsOf(
  tx: Transaction,
  site: Site,
  caller: Caller,
  userId: number,
  nowMs: number,
): Promise<void> {
  for (const coupon of await findCouponsOf(tx, userId)) {
    if (coupon.status === 'disabled') continue;
    const disabled = await updateCoupon(tx, coupon, { status: 'disabled' }, nowMs);
    await emitCouponChange(tx, site, caller, disabled, ['status'], nowMs);
  }
}
