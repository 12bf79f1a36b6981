import type { Transaction } from '../../db/database.ts';
import type { Caller } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emitCouponChange } from './coupon.ts';
import { findCouponsOf, updateCoupon } from './coupon-store.ts';

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
    const disabled = await updateCoupon(tx, coupon.id, { ...coupon, status: 'disabled' });
    await emitCouponChange(tx, site, caller, disabled, ['status'], nowMs);
  }
}
