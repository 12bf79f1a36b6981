import Type from 'typebox';
import { isAdmin } from '../../kernel/declare/caller.ts';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { findCouponDetails } from './coupon-rows.ts';
import { CouponSchema, toCouponOf } from './coupon-wire.ts';
import { requireReadable } from './coupon.ts';
import { ownFigures } from './former-days.ts';

export const getCoupon = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/coupons/{id}',
  summary: 'One coupon with its rates, referral link and figures',
  description:
    'For admins and the affiliate it is assigned to. Admins see the figures of all affiliates that the coupon ever ' +
    'belonged to; an affiliate sees its own.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The coupon.') }),
  response: CouponSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    const details = await requireReadable(db, site, caller, await findCouponDetails(db, id));
    const shown = isAdmin(caller) ? details : await ownFigures(db, details, details);
    return toCouponOf(site, caller, shown);
  },
});
