import Type from 'typebox';
import type { BatchWork } from '../../db/database.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import type { ApiError } from '../../kernel/declare/errors.ts';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { StoredOrder } from './incoming-order.ts';
import { ingestEach, storedOf } from './ingest-orders.ts';
import { orderExample, orderFields } from './order-fields.ts';
import { checkOrder, prepareOrder, type PreparedOrder } from './order-input.ts';
import { StoredOrderSchema, toStoredOrder } from './order-wire.ts';
import { orderOfStore } from './orders-of-stores.ts';

interface WaitingOrder {
  readonly site: Site;
  readonly order: PreparedOrder;
  readonly sentBy: number;
}

const storeWaiting: BatchWork<WaitingOrder, StoredOrder | ApiError> = (tx, waiting) => {
  const { site } = waiting[0]!;
  const nowMs = site.clock();
  const sent = waiting.map(({ order, sentBy }) => ({ order, context: { actorId: sentBy, nowMs } }));
  return ingestEach(tx, site, sent);
};

export const putOrder = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/orders/{order_id}',
  summary: 'Create or update a store order',
  description:
    'Send an order any number of times, with statuses in any order. Returns 201 for a new order and 200 ' +
    'otherwise; the same order again changes nothing. An order of a ' +
    'connected store is refused (409): only that store changes it, while it is connected.',
  access: 'admin',
  scope: 'write',
  proof: true,
  params: Type.Object({ order_id: Id("The store's number of the order.") }),
  body: Type.Object(orderFields, { $id: 'StoreOrder' }),
  example: { body: orderExample },
  otherStatus: 201,
  response: StoredOrderSchema,
  errors: [orderOfStore],
  check: checkOrder,
  // Orders that wait at the same moment are ingested in one transaction.
  transaction: false,
  async handle({ site, caller }, input) {
    const order = prepareOrder(site, input);
    const waiting = { site, order, sentBy: actorId(caller) };
    const stored = storedOf(await site.database.batchedTransaction(storeWaiting, waiting));
    return new HttpResponse(toStoredOrder(stored.order, stored.referrals, site), {
      status: stored.isNew ? 201 : 200,
    });
  },
});
