import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outbox } from '../../../test/support/outbox.ts';
import { Receiver, type Answering } from '../../../test/support/receiver.ts';
import { verify } from '../../../test/support/verify-signature.ts';
import { openWebhookApp, type WebhookApp } from './webhook-app.ts';

const HOUR_MS = 3_600_000;
const SCHEDULE_MS = [5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR_MS)];

/** Time until the only delivery is due, on the clock of the service. */
async function untilDue(app: WebhookApp): Promise<number> {
  const [row] = await app.rows();
  return row!.due_at! - app.app.site.clock();
}

test('a receiver that always fails gets ten identical attempts on the schedule', async () => {
  const app = await openWebhookApp();
  const receiver = await new Receiver().listen();
  receiver.answer = 500;
  const { id, secret } = await app.webhook(receiver.url, ['referral.created']);
  await app.emit();
  for (const [made, delay] of SCHEDULE_MS.entries()) {
    const delivery = await app.attempts(id, made + 1);
    assert.deepEqual([delivery.state, delivery.code], ['pending', 500]);
    assert.equal(delivery.error, 'The receiver answered 500.');
    const wait = await untilDue(app);
    assert.ok(wait <= delay * 1.2 && wait >= delay * 0.8, `after ${made + 1}: ${wait} ms`);
    // Shortly before it is due, it is not attempted.
    if (wait > 60_000) {
      app.app.advance(wait - 30_000);
      await app.sendDue();
      assert.equal(receiver.received.length, made + 1);
    }
    app.app.advance((await untilDue(app)) + 1);
  }
  const last = await app.attempts(id, 10);
  assert.deepEqual([last.state, last.date_next], ['failed', null]);
  app.app.advance(100 * HOUR_MS);
  await app.sendDue();
  assert.equal(receiver.received.length, 10, 'no further attempt');

  const [first] = receiver.received;
  for (const { headers, body } of receiver.received) {
    assert.equal(headers['webhook-id'], first!.headers['webhook-id']);
    assert.equal(body, first!.body);
  }
  const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
  assert.ok(
    times.every((time, i) => i === 0 || time > times[i - 1]!),
    'the time of the attempt',
  );
  verify(secret, first!);
  const webhook = await app.get(id);
  assert.deepEqual([webhook.failures, webhook.status], [10, 'active']);
  assert.equal(webhook.last_error, 'The receiver answered 500.');
});

describe('a response', () => {
  const cases: [string, Answering | number, string, string][] = [
    ['200', 200, 'delivered', ''],
    ['299', 299, 'delivered', ''],
    ['a redirect', 302, 'pending', 'The receiver answered 302.'],
    ['404', 404, 'pending', 'The receiver answered 404.'],
    [
      'a closed connection',
      (request) => request.socket.destroy(),
      'pending',
      'The receiver closed the connection without an answer.',
    ],
  ];
  for (const [name, answer, state, error] of cases) {
    test(`${name}: ${state}`, async () => {
      const app = await openWebhookApp();
      const receiver = await new Receiver().listen();
      receiver.answer = answer;
      const { id } = await app.webhook(receiver.url);
      await app.emit();
      const delivery = await app.attempts(id, 1);
      assert.deepEqual([delivery.state, delivery.error], [state, error]);
      assert.equal((await app.get(id)).failures, error === '' ? 0 : 1);
    });
  }

  test('Retry-After delays all waiting deliveries beyond the schedule', async () => {
    const app = await openWebhookApp();
    const receiver = await new Receiver().listen();
    receiver.answer = (_request, response) =>
      response.writeHead(429, { 'retry-after': '600' }).end();
    const { id } = await app.webhook(receiver.url, ['referral.created']);
    await app.emit();
    await app.attempts(id, 1);
    assert.equal(await untilDue(app), 600_000);
    receiver.answer = 200;
    await app.emit();
    app.app.advance(500_000);
    await app.sendDue();
    assert.equal(receiver.received.length, 1);
    app.app.advance(101_000);
    await app.sendUntil(() => assert.equal(receiver.received.length, 3));
  });
});

describe('disabling', () => {
  test('after 25 failures over a day sets the status, emits an event and sends a mail; activating resumes', async () => {
    const app = await openWebhookApp();
    const [dead, other] = [await new Receiver().listen(), await new Receiver().listen()];
    dead.answer = 503;
    const { id } = await app.webhook(dead.url, ['referral.created']);
    const observer = await app.webhook(other.url, ['webhook.disabled']);
    await app.emit(40);
    const failures = async () => (await app.get(id)).failures as number;
    await app.sendUntil(async () => assert.equal(await failures(), 3));
    for (let hour = 1; hour <= 24; hour++) {
      assert.equal((await app.get(id)).status, 'active', `after ${hour} hours`);
      const before = await failures();
      app.app.advance(HOUR_MS);
      await app.sendUntil(async () => assert.ok((await failures()) > before));
    }
    const webhook = await app.get(id);
    assert.equal(webhook.status, 'disabled');
    assert.ok(webhook.failures >= 25);
    assert.equal(webhook.last_error, 'The receiver answered 503.');

    await app.sendUntil(() => assert.equal(other.received.length, 1));
    const { type, data } = other.received[0]!.message;
    assert.equal(type, 'webhook.disabled');
    assert.deepEqual(data, {
      webhook_id: id,
      failures: webhook.failures,
      last_error: 'The receiver answered 503.',
    });
    const mails = (await outbox(app.app.site)).filter((m) => m.template === 'webhook-disabled');
    assert.deepEqual(
      mails.map((mail) => mail.to_address),
      ['admin@test.example'],
    );
    assert.match(mails[0]!.text, new RegExp(`webhook ${id} .*127\\.0\\.0\\.1`, 'i'));
    assert.ok(!mails[0]!.text.includes('/hook'), 'paths may hold secrets');

    // A disabled webhook gets no deliveries, not even later for these events.
    const before = dead.received.length;
    await app.emit(5);
    app.app.advance(48 * HOUR_MS);
    await app.sendDue();
    assert.equal(dead.received.length, before);

    dead.answer = 200;
    const active = (await app.change(id, { status: 'active' })).body;
    assert.deepEqual([active.status, active.failures, active.last_error], ['active', 0, '']);
    await app.sendUntil(async () => {
      const states = (await app.rows()).filter((row) => row.webhook_id === id);
      assert.equal(states.length, 40);
      assert.ok(states.every((row) => row.state !== 'pending'));
    });
    assert.equal((await app.get(observer.id)).status, 'active');
  });

  test('happens immediately after a 410', async () => {
    const app = await openWebhookApp();
    const receiver = await new Receiver().listen();
    receiver.answer = 410;
    const { id } = await app.webhook(receiver.url, ['referral.created']);
    await app.emit(20);
    await app.sendUntil(async () => assert.equal((await app.get(id)).status, 'disabled'));
    assert.equal(receiver.received.length, 1);
    assert.equal((await app.deliveries(id, '&state=failed')).length, 1);
    assert.equal((await app.deliveries(id, '&state=pending')).length, 19, 'the others wait');
    await app.sendUntil(async () => assert.equal((await outbox(app.app.site)).length, 1));
  });
});

test('a receiver that is down is probed with one delivery at a time, and gets all when it is up again', async () => {
  const app = await openWebhookApp();
  const receiver = await new Receiver().listen();
  receiver.answer = 500;
  const { id } = await app.webhook(receiver.url);
  await app.emit(100);
  await app.sendUntil(async () => assert.equal((await app.get(id)).failures, 3));
  await app.sendDue();
  assert.equal(receiver.received.length, 3);
  for (let probe = 1; probe <= 3; probe++) {
    app.app.advance(61_000);
    await app.sendUntil(async () => assert.equal((await app.get(id)).failures, 3 + probe));
    await app.sendDue();
    assert.equal(receiver.received.length, 3 + probe);
  }
  receiver.answer = 200;
  app.app.advance(61_000);
  await app.sendUntil(() => assert.ok(new Set(receiver.ids).size === 100));
});

test('old deliveries are removed after the configured number of days', async () => {
  const app = await openWebhookApp();
  const receiver = await new Receiver().listen();
  const { id } = await app.webhook(receiver.url);
  await app.emit(3);
  await app.sendUntil(async () => assert.equal((await app.deliveries(id)).length, 3));
  const prune = app.app.site.registry.modules
    .flatMap((module) => module.jobs ?? [])
    .find((job) => job.name === 'webhooks.prune')!;
  app.app.advance(29 * 24 * HOUR_MS);
  await prune.run(app.app.site);
  assert.equal((await app.deliveries(id)).length, 3);
  await app.emit();
  await app.sendUntil(async () => assert.equal((await app.deliveries(id)).length, 4));
  app.app.advance(2 * 24 * HOUR_MS);
  await prune.run(app.app.site);
  assert.equal((await app.deliveries(id)).length, 1);
  await app.app.call(`/webhooks/${id}`, { method: 'DELETE', key: app.admin });
  await prune.run(app.app.site);
  assert.equal((await app.rows()).length, 0);
});
