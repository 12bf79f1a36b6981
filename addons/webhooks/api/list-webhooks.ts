import Type from 'typebox';
import { listed, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { pageParameters } from '../../../src/kernel/declare/schemas.ts';
import { webhookList } from '../webhook/webhook-rows.ts';
import { toWebhook, WebhookSchema } from './webhook-wire.ts';

export const listWebhooks = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/webhooks',
  summary: 'List webhooks',
  description: 'Newest first, without their secrets.',
  access: 'plugin-admin',
  scope: 'manage',
  query: Type.Object(pageParameters),
  response: Type.Array(WebhookSchema),
  headers: pageHeaders,
  handle: ({ db, site }, input) =>
    listed(db, webhookList, {}, input, (row) => toWebhook(row, site)),
});
