import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireWebhook } from '../webhook/webhook-rows.ts';
import { WebhookHealthSchema, withHealth } from './webhook-health-wire.ts';

export const getWebhook = operation({
  method: 'GET',
  namespace: 'store',
  path: '/webhooks/{id}',
  summary: 'Get a webhook with its health',
  description: 'With the attempts of the last 30 days and without the secret.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.') }),
  response: WebhookHealthSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, nowMs }, { id }) {
    const webhook = await requireWebhook(db, id);
    return (await withHealth(db, [webhook], site, nowMs))[0]!;
  },
});
