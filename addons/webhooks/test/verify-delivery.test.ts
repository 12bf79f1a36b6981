import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { clientOf } from '../../../test/sdk/test-client.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { openWebhookApp } from './webhook-app.ts';

test('accepts a real delivery', async () => {
  const webhooks = await openWebhookApp();
  const { app, admin } = webhooks;
  const receiver = await new Receiver().listen();
  const client = clientOf(app, { key: admin });
  const webhook = await client.webhooks.create({ url: receiver.url, events: ['key.created'] });
  await client.keys.create({ user_id: 3, scopes: ['read'] });
  await webhooks.sendDue();
  assert.equal(receiver.received.length, 1);
  const delivery = receiver.received[0]!;
  // The clock of the service under test is stopped.
  const now = mock.method(Date, 'now', () => Number(delivery.headers['webhook-timestamp']) * 1000);
  const message = await verifyWebhook(delivery.body, delivery.headers, [webhook.secret]);
  now.mock.restore();
  assert.ok(message.type === 'key.created');
  assert.equal(message.data.user_id, 3);
});
