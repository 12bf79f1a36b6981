import Type from 'typebox';
import { generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { findOrder, listReferrals } from './order-rows.ts';
import { StoredOrderSchema, toStoredOrder } from './order-wire.ts';

export const getOrder = operation({
  method: 'GET',
  namespace: 'store',
  path: '/orders/{order_id}',
  summary: 'Get an order with its referrals',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ order_id: Id("The store's number of the order.") }),
  response: StoredOrderSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site }, { order_id }) {
    const order = requireFound(await findOrder(db, { order_id }));
    return toStoredOrder(order, await listReferrals(db, { order_id }), site);
  },
});
