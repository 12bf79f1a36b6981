import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { markRosterDue } from '../users/index.ts';
import { hasHistory, lockCoupon, removeCoupon, updateCoupon } from './coupon-store.ts';
import { couponRecords, requireCoupon, emitCouponChange } from './coupon.ts';
import { lockOwners } from './hand-over.ts';

export const deleteCoupon = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/coupons/{id}',
  summary: 'Delete a coupon, or disable it when it has a history',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The coupon.') }),
  response: Type.Object(
    {
      deleted: Type.Boolean({ description: 'False when it was disabled instead.' }),
    },
    { $id: 'DeletedCoupon', examples: [{ deleted: true }] },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id }) {
    // Waits for orders that have already read the coupon; they become its history.
    await lockOwners(db);
    await lockCoupon(db, id);
    const coupon = await requireCoupon(db, id);
    if (!(await hasHistory(db, id)) && !(await hasRecords(db, site, id))) {
      await removeCoupon(db, id);
      for (const userId of new Set([coupon.user_id, coupon.roster_user_id])) {
        if (userId !== null) await markRosterDue(db, userId);
      }
      await emitCouponChange(db, site, caller, coupon, ['deleted'], nowMs);
      return { deleted: true };
    }
    if (coupon.status !== 'disabled') {
      const disabled = await updateCoupon(db, id, { ...coupon, status: 'disabled' });
      await emitCouponChange(db, site, caller, disabled, ['status'], nowMs);
    }
    return { deleted: false };
  },
});

/** Includes add-ons that are switched off, because their rows remain. */
async function hasRecords(db: Reader, site: Site, id: number): Promise<boolean> {
  for (const refers of site.registry.allContributions(couponRecords)) {
    if (await refers(db, id)) return true;
  }
  return false;
}
