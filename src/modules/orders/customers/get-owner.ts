import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { findOrder } from '../order-rows.ts';
import { answerOwner, CustomerOwnerSchema, orderOfCustomer } from './customer-owner.ts';

export const getOwner = operation({
  method: 'GET',
  namespace: 'store',
  path: '/orders/{order_id}/customer',
  summary: 'Get the affiliate that the customer of an order stays with',
  access: 'admin',
  scope: 'read',
  params: orderOfCustomer,
  response: CustomerOwnerSchema,
  errors: [generalErrors.notFound],
  async handle(context, { order_id }) {
    const order = await findOrder(context.db, { order_id });
    if (!order) throw new ApiError(generalErrors.notFound);
    return answerOwner(context.db, context, order.customer_hash);
  },
});
