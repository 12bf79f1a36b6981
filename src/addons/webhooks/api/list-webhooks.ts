import Type from 'typebox';
import { collection, pageHeaders } from '../../../kernel/cache/collection.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { pageParameters } from '../../../kernel/declare/schemas.ts';
import { countWebhooks, listWebhookRows } from '../webhook/webhook-rows.ts';
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
  async handle({ db, site }, input) {
    return collection(input, await countWebhooks(db, {}), async (slice) =>
      (await listWebhookRows(db, {}, slice)).map((row) => toWebhook(row, site)),
    );
  },
});
