import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { randomBase62 } from '../../../src/shared/secrets.ts';
import { messageBody, signedHeaders } from '../../../src/shared/standard-webhooks.ts';
import { TransportError } from '../../../src/shared/transport-error.ts';
import { webhookClient } from '../delivery/client.ts';
import { decryptSecret } from '../webhook/secret.ts';
import { requireWebhook } from '../webhook/webhook-rows.ts';

const TEST_MS_MAX = 10_000;

export const deliveryFailed = defineError(
  'svc_api_delivery_failed',
  502,
  'The test delivery got no response.',
);

export const testWebhook = operation({
  method: 'POST',
  namespace: 'v2',
  path: '/webhooks/{id}/test',
  summary: 'Send a test delivery',
  description:
    'Sends a signed `ping` immediately and returns the status code of the receiver, whatever it is. The ' +
    'test does not appear in the log and also works for a disabled webhook.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The webhook.') }),
  response: Type.Object(
    {
      code: Type.Integer({ description: 'The status code of the receiver.' }),
    },
    { $id: 'TestedWebhook', examples: [{ code: 204 }] },
  ),
  errors: [generalErrors.notFound, deliveryFailed],
  // Calls a remote server, which must not happen inside a transaction.
  transaction: false,
  async handle({ db, site, nowMs }, { id }) {
    const webhook = await requireWebhook(db, id);
    const data = JSON.stringify({ webhook_id: webhook.id });
    const body = messageBody({ type: 'ping', id: 0, occurredAtMs: nowMs, data });
    const message = { id: `ping_${randomBase62(20)}`, body, nowMs };
    const headers = signedHeaders(decryptSecret(site, webhook), message);
    try {
      const url = new URL(webhook.url);
      const answer = await webhookClient
        .of(site)
        .post(url, { headers, body, timeoutMs: TEST_MS_MAX });
      return { code: answer.status };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      throw new ApiError(deliveryFailed, { message: error.message });
    }
  },
});
