import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { queueAgain } from '../delivery/delivery-rows.ts';
import { requireWebhook, type WebhookRow } from '../webhook/webhook-rows.ts';
import { DeliverySchema, toDelivery } from './delivery-wire.ts';

export const webhookIsDisabled = defineError(
  'svc_api_webhook_disabled',
  409,
  'The webhook is disabled. Activate it first.',
);

export function requireActive({ status }: WebhookRow): void {
  if (status !== 'active') throw new ApiError(webhookIsDisabled);
}

export const redeliver = operation({
  method: 'POST',
  namespace: 'store',
  path: '/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  summary: 'Redeliver an event',
  description:
    'Sends the delivery again immediately, in any state, with the same `webhook-id`. Its retry schedule restarts.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.'), delivery_id: Id('The delivery.') }),
  response: DeliverySchema,
  example: {
    response: {
      state: 'pending',
      date_queued: '2026-02-12T09:30:00',
      date_next: '2026-02-12T09:30:00',
    },
  },
  errors: [generalErrors.notFound, webhookIsDisabled],
  async handle({ db, site, nowMs }, { id, delivery_id }) {
    requireActive(await requireWebhook(db, id));
    const delivery = await queueAgain(db, id, delivery_id, nowMs);
    if (!delivery) throw new ApiError(generalErrors.notFound);
    return toDelivery(delivery, site);
  },
});
