import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { freePort } from '../../../test/support/free-port.ts';
import type { TestApp } from '../../../test/support/harness.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { openWebhookApp } from './webhook-app.ts';

const linesWith = (app: TestApp, words: string) =>
  app.logs.filter((line) => line.includes(words)).map((line) => JSON.parse(line));

describe('a webhook that fails', () => {
  const FAIL = 'webhook deliveries fail';
  const AGAIN = 'webhook deliveries succeed again';

  test('is logged once a minute with name, host and reason, and once when it works again', async () => {
    const app = await openWebhookApp();
    const receiver = await new Receiver().listen();
    receiver.answer = 503;
    const host = `127.0.0.1:${receiver.port}`;
    const created = await app.create({
      url: `http://${host}/hook/token-canary`,
      events: ['referral.created'],
      name: 'Warehouse',
    });
    const { id } = created.body;
    await app.emit(20);
    await app.sendDue();
    app.app.advance(10_000);
    await app.sendDue();
    assert.partialDeepStrictEqual(linesWith(app.app, FAIL), [
      { level: 40, webhook: id, name: 'Warehouse', host, reason: 'The receiver answered 503.' },
    ]);
    assert.equal(linesWith(app.app, FAIL).length, 1);
    app.app.advance(60_000);
    await app.sendDue();
    assert.ok(linesWith(app.app, FAIL)[1].suppressed >= 1, 'with the number of failures since');

    receiver.answer = 200;
    app.app.advance(60_000);
    await eventually(async () => {
      await app.sendDue();
      assert.partialDeepStrictEqual(linesWith(app.app, AGAIN), [{ level: 30, webhook: id, host }]);
    });
    app.app.advance(24 * 60 * 60_000);
    await app.sendDue();
    assert.equal(linesWith(app.app, AGAIN).length, 1);
    assert.ok(!app.app.logs.join('').includes('token-canary'), 'the path is not logged');
  });

  test('is logged with the reason: connection refused, or no TLS', async () => {
    const app = await openWebhookApp();
    const plain = await new Receiver().listen();
    const refusing = `http://127.0.0.1:${await freePort()}`;
    await app.webhook(refusing, ['referral.created']);
    await app.webhook(`https://127.0.0.1:${plain.port}`, ['referral.created']);
    await app.emit();
    await app.sendDue();
    const reasons = linesWith(app.app, FAIL).map(({ reason }) => reason);
    assert.deepEqual(reasons.toSorted(), [
      'No trusted TLS connection could be made.',
      'The receiver refused the connection.',
    ]);
  });
});
