import Type from 'typebox';
import { listed, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, pageParameters, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { requireConnection } from '../connections/require-connection.ts';
import { deliveryStates } from '../tables.ts';
import { deliveryList } from './delivery-rows.ts';
import { StoreDeliverySchema, toDelivery } from './delivery-wire.ts';

export const listStoreDeliveries = operation({
  method: 'GET',
  namespace: 'store',
  path: '/connections/{id}/deliveries',
  summary: 'List the deliveries of a connected store',
  description:
    'Newest first, without their payload. Deliveries are removed after `stores.keep_days`. An order that reconciling ' +
    'could not store is listed too, with the topic `sync`.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The connection.') }),
  query: Type.Object({
    state: Type.Optional(
      StringEnum(deliveryStates, { description: 'Only deliveries in this state.' }),
    ),
    ...pageParameters,
  }),
  response: Type.Array(StoreDeliverySchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site }, input) {
    await requireConnection(db, input.id);
    return listed(db, deliveryList, { connection_id: input.id, state: input.state }, input, (row) =>
      toDelivery(row, site),
    );
  },
});
