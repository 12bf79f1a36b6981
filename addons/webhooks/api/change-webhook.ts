import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { reactivated } from '../../../src/modules/deliveries/index.ts';
import { webhookStatuses } from '../tables.ts';
import { EventNames, noEvents, subscriptionOf } from '../webhook/subscription.ts';
import {
  lockWebhook,
  requireWebhook,
  saveWebhook,
  type WebhookRow,
} from '../webhook/webhook-rows.ts';
import { toWebhook, WebhookSchema } from './webhook-wire.ts';

export const noFields = defineError(
  'svc_api_no_fields',
  400,
  'Send status or events. Nothing else of a webhook can be changed.',
);

export const changeWebhook = operation({
  method: 'PATCH',
  namespace: 'v2',
  path: '/webhooks/{id}',
  summary: 'Update a webhook',
  description:
    'Changes the status or the events. A disabled webhook receives no new events; pending deliveries ' +
    'are kept and resume once it is activated again, which also resets its failures and last error.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.') }),
  body: Type.Object(
    {
      status: Type.Optional(
        StringEnum(webhookStatuses, { description: 'A disabled webhook receives nothing.' }),
      ),
      events: Type.Optional(EventNames),
    },
    { $id: 'ChangeWebhook' },
  ),
  example: { body: { events: ['payout.paid'] }, response: { events: ['payout.paid'] } },
  response: WebhookSchema,
  errors: [generalErrors.notFound, noFields, noEvents],
  async handle({ db, site }, { id, status, events }) {
    await lockWebhook(db, id);
    const webhook = await requireWebhook(db, id);
    if (status === undefined && events === undefined) throw new ApiError(noFields);
    const changed: WebhookRow = {
      ...webhook,
      ...(status === 'active' && webhook.status === 'disabled' && reactivated(webhook)),
      ...(status !== undefined && { status }),
      ...(events && { events: JSON.stringify(subscriptionOf(events, site.registry)) }),
    };
    await saveWebhook(db, changed);
    return toWebhook(changed, site);
  },
});
