import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { lockCoupon, updateCoupon } from './coupon-rows.ts';
import { requireCoupon, emitCouponChange } from './coupon.ts';
import { lockOwners } from './hand-over.ts';
import { removeWithoutHistory } from './retire-coupon.ts';

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
    if (await removeWithoutHistory(db, site, caller, coupon, nowMs)) return { deleted: true };
    if (coupon.status !== 'disabled') {
      const disabled = await updateCoupon(db, coupon, { status: 'disabled' }, nowMs);
      await emitCouponChange(db, site, caller, disabled, ['status'], nowMs);
    }
    return { deleted: false };
  },
});
