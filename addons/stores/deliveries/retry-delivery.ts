import Type from 'typebox';
import { generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireConnection } from '../connections/require-connection.ts';
import { retryDelivery } from './delivery-rows.ts';
import { StoreDeliverySchema, toDelivery } from './delivery-wire.ts';

export const retryStoreDelivery = operation({
  method: 'POST',
  namespace: 'store',
  path: '/connections/{id}/deliveries/{delivery_id}/retry',
  summary: 'Process a delivery again',
  description: 'In any state, in the background: after an exchange rate was added, for example.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The connection.'), delivery_id: Id('The delivery.') }),
  response: StoreDeliverySchema,
  example: { response: { state: 'received' } },
  errors: [generalErrors.notFound],
  async handle({ db, site, nowMs }, { id, delivery_id }) {
    await requireConnection(db, id);
    const delivery = requireFound(await retryDelivery(db, id, delivery_id, nowMs));
    return toDelivery(delivery, site);
  },
});
