import { actorId } from '../../../kernel/declare/caller.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { answerOwner, CustomerOwnerSchema, openOwner, orderOfCustomer } from './customer-owner.ts';
import { emitOwnerChange } from './owner-events.ts';
import { forgetOwner } from './owner-rows.ts';

export const deleteOwner = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/orders/{order_id}/customer',
  summary: 'Take the customer of an order from their affiliate',
  description:
    'The customer stays with no affiliate until a coupon or a link brings them again. Orders so far stay as they are.',
  access: 'admin',
  scope: 'manage',
  proof: true,
  params: orderOfCustomer,
  response: CustomerOwnerSchema,
  example: {
    response: {
      affiliate: null,
      coupon_id: null,
      coupon_code: null,
      since: null,
      until: null,
      follows: false,
    },
  },
  errors: [generalErrors.notFound],
  async handle(context, { order_id }) {
    const { db, caller, nowMs } = context;
    const { customerHash, owner } = await openOwner(db, order_id);
    if (owner) {
      await forgetOwner(db, { customer_hash: customerHash });
      emitOwnerChange(db, order_id, owner, undefined, { actorId: actorId(caller), nowMs });
    }
    return answerOwner(db, context, customerHash);
  },
});
