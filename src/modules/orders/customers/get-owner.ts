import { generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
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
    const order = requireFound(await findOrder(context.db, { order_id }));
    return answerOwner(context.db, context, order.customer_hash);
  },
});
