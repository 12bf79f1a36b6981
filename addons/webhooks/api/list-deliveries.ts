import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { deliveryStates } from '../../../src/modules/deliveries/index.ts';
import { countDeliveries, listDeliveryRows } from '../delivery/delivery-list.ts';
import { requireWebhook } from '../webhook/webhook-rows.ts';
import { DeliverySchema, toDelivery } from './delivery-wire.ts';

export const listDeliveries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/webhooks/{id}/deliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest event first. Deliveries are removed after `webhooks.keep_days`.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.') }),
  query: Type.Object({
    state: Type.Optional(
      StringEnum(deliveryStates, { description: 'Only deliveries in this state.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(DeliverySchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site }, input) {
    await requireWebhook(db, input.id);
    const filter = { webhook_id: input.id, state: input.state };
    return collection(input, await countDeliveries(db, filter), async (slice) =>
      (await listDeliveryRows(db, filter, slice)).map((row) => toDelivery(row, site)),
    );
  },
});
