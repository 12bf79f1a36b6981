import Type from 'typebox';
import { actorId } from '../../kernel/caller.ts';
import { Answer, operation } from '../../kernel/operation.ts';
import { Id } from '../../kernel/schemas.ts';
import { orderFields, prepareOrder } from './order-input.ts';
import { findOrder } from './order-store.ts';
import { StoredOrderSchema, toStoredOrder } from './order-wire.ts';
import { storeOrder } from './store-order.ts';

export const putOrder = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/orders/{order_id}',
  summary: 'Take in a store order, new or changed',
  description:
    'Any number of times, in any sequence of statuses. 201 when it is new, 200 otherwise; the same ' +
    'order again changes nothing.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ order_id: Id("The store's number of the order.") }),
  body: Type.Object(orderFields),
  response: StoredOrderSchema,
  async handle({ db, site, caller, nowMs }, input) {
    const order = prepareOrder(site, input);
    const stored = await storeOrder(db, site, order, { actorId: actorId(caller), nowMs });
    const row = (await findOrder(db, order.orderId))!;
    return new Answer(toStoredOrder(row, stored.referrals, site), {
      status: stored.isNew ? 201 : 200,
    });
  },
});
