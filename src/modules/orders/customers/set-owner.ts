import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { invalidUser } from '../../users/index.ts';
import { stayEndsMs } from '../settings.ts';
import { answerOwner, CustomerOwnerSchema, openOwner, orderOfCustomer } from './customer-owner.ts';
import { emitOwnerChange } from './owner-events.ts';
import { findCouponToStayWith, replaceCustomers } from './owner-rows.ts';

export const setOwner = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/orders/{order_id}/customer',
  summary: 'Give the customer of an order to an affiliate',
  description:
    'Later orders of the customer are credited to the oldest active coupon of the affiliate, as far as ' +
    '`attribution.lifetime` says so; the days of `attribution.lifetime_days` start now. Orders so far stay as they are.',
  access: 'admin',
  scope: 'manage',
  proof: true,
  params: orderOfCustomer,
  body: Type.Object(
    { user_id: Id('The affiliate. It needs an active coupon.') },
    { $id: 'SetCustomerOwner' },
  ),
  example: { body: { user_id: 7 } },
  response: CustomerOwnerSchema,
  errors: [generalErrors.notFound, invalidUser],
  async handle(context, { order_id, user_id }) {
    const { db, site, caller, nowMs } = context;
    const { customerHash, owner } = await openOwner(db, order_id);
    const coupon = await findCouponToStayWith(db, { user_id });
    if (!coupon) {
      throw new ApiError(invalidUser, {
        message: 'The affiliate has no active coupon.',
        data: { params: { user_id: 'is not an affiliate with an active coupon' } },
      });
    }
    const isStaying =
      owner?.creditable === 1 && nowMs <= stayEndsMs(site, owner.extended_at ?? owner.credited_at);
    if (!isStaying || owner.user_id !== user_id) {
      const row = {
        customer_hash: customerHash,
        coupon_id: coupon.id,
        user_id,
        // Stores date their orders to the second.
        credited_at: nowMs - (nowMs % 1_000),
        extended_at: null,
        is_assigned: 1,
      };
      await db.runMany(replaceCustomers, [row]);
      emitOwnerChange(
        db,
        order_id,
        owner,
        { user_id, coupon_id: coupon.id },
        { actorId: actorId(caller), nowMs },
      );
    }
    return answerOwner(db, context, customerHash);
  },
});
