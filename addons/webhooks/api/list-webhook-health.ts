import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { webhookList } from '../webhook/webhook-rows.ts';
import { WebhookHealthSchema, withHealth } from './webhook-health-wire.ts';

export const listWebhookHealth = operation({
  method: 'GET',
  namespace: 'store',
  path: '/webhooks/health',
  summary: 'List webhooks with their health',
  description: 'Newest first, with the attempts of the last 30 days and without the secrets.',
  access: 'plugin-admin',
  scope: 'manage',
  query: Type.Object(pageParameters),
  response: Type.Array(WebhookHealthSchema),
  headers: pageHeaders,
  async handle({ db, site, nowMs }, input) {
    return collection(input, await webhookList.count(db, {}), async (slice) =>
      withHealth(db, await webhookList.page(db, {}, slice), site, nowMs),
    );
  },
});
