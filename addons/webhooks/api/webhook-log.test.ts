import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { refusal } from '../../../test/support/harness.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { insertAttempts, listAttempts } from '../delivery/attempt-rows.ts';
import { pruneDeliveries } from '../delivery/prune-deliveries.ts';
import { openWebhookApp, STORE } from '../test/webhook-app.ts';

const app = await openWebhookApp();
const { admin } = app;
const call = app.app.call.bind(app.app);
const get = async (path: string) => (await call(STORE + path, { key: admin })).body;

const countAttempts = query<{ delivery_id: number }, { total: number }>((db, p) =>
  db
    .selectFrom('webhook_attempts')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('delivery_id', '=', p.delivery_id),
);
const countDays = query<{ webhook_id: number }, { total: number }>((db, p) =>
  db
    .selectFrom('webhook_days')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('webhook_id', '=', p.webhook_id),
);

/** Sends a delivery again. */
async function again(webhook: number, delivery: number, attempts: number): Promise<void> {
  const path = `${STORE}/webhooks/${webhook}/deliveries/${delivery}/redeliver`;
  assert.equal((await call(path, { method: 'POST', key: admin })).status, 200);
  await app.attempts(webhook, attempts);
}

test('each attempt is stored with its request and answer, and counted on its day', async () => {
  const receiver = await new Receiver().listen();
  const { id, secret } = await app.webhook(receiver.url, ['referral.created']);
  receiver.answer = (_request, response) =>
    response
      .writeHead(500, { 'set-cookie': 'session=hidden', 'x-request-id': 'abc', server: 'books' })
      .end(`\0broken ${'x'.repeat(3_000)}`);
  await app.emit();
  const { id: delivery, message_id } = await app.attempts(id, 1);

  const failing = await get(`/webhooks/${id}`);
  assert.deepEqual([failing.delivered, failing.failed, failing.failures], [0, 1, 1]);
  assert.ok(failing.date_failing);
  receiver.answer = 204;
  await again(id, delivery, 2);
  // A success at once has no row of its own until it is sent again.
  await again(id, delivery, 3);

  const details = await get(`/webhooks/${id}/deliveries/${delivery}`);
  assert.equal(details.url, receiver.url);
  assert.equal(details.body, receiver.received[0]!.body);
  const log = details.attempt_log;
  assert.deepEqual(
    log.map((one: { number: number; code: number }) => [one.number, one.code]),
    [
      [3, 204],
      [2, 204],
      [1, 500],
    ],
  );
  const [last, , first] = log;
  assert.equal(first.error, 'The receiver answered 500.');
  assert.equal(first.answer.headers['x-request-id'], 'abc');
  assert.equal(first.answer.headers['set-cookie'], undefined);
  assert.equal(first.answer.body.length, 1_000);
  assert.ok(first.answer.body.startsWith('\uFFFDbroken x'));
  assert.equal(first.request_headers['webhook-id'], message_id);
  const sent = Number(receiver.received[0]!.headers['webhook-timestamp']);
  assert.ok(Math.abs(Number(first.request_headers['webhook-timestamp']) - sent) <= 1);
  assert.equal(last.answer, null);
  const signature = String(receiver.received[0]!.headers['webhook-signature']).slice(3);
  assert.ok(!JSON.stringify(details).includes(signature));
  assert.ok(!JSON.stringify(details).includes(secret.slice(6)));

  const stats = await get(`/webhooks/${id}/stats`);
  assert.equal(stats.days.length, 30);
  assert.deepEqual(stats.days.at(-1), { date: stats.to, delivered: 2, failed: 1 });
  assert.deepEqual([stats.delivered, stats.failed, stats.success_rate], [2, 1, 2 / 3]);
  assert.equal(stats.last_error, 'The receiver answered 500.');
  assert.ok(stats.date_last_error);
  const healthy = (await get('/webhooks/health')).find((one: { id: number }) => one.id === id);
  assert.deepEqual([healthy.delivered, healthy.failed, healthy.date_failing], [2, 1, null]);
});

test('at most 20 attempts of a delivery are stored, and they go with it', async () => {
  const receiver = await new Receiver().listen();
  const { id } = await app.webhook(receiver.url, ['referral.created']);
  await app.emit();
  const { id: delivery } = await app.attempts(id, 1);
  const { database } = app.app.site;
  const attempt = { attempted_at: 1, duration_ms: 1, code: 500, error: 'Broken.' };
  const texts = { answer_headers: '', answer: '' };
  await database.transaction(async (tx) => {
    for (let number = 2; number <= 22; number++) {
      await insertAttempts(tx, [{ delivery_id: delivery, number, ...attempt, ...texts }]);
    }
  });
  const numbers = (await listAttempts(database.read, { delivery_id: delivery })).map(
    (one) => one.number,
  );
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-1)], [20, 22, 3]);
  const other = await app.webhook(receiver.url, ['payout.paid']);
  for (const path of [
    `/webhooks/${other.id}/deliveries/${delivery}`,
    `/webhooks/999999`,
    `/webhooks/999999/stats`,
  ])
    assert.equal(refusal(await call(STORE + path, { key: admin })), '404 svc_api_not_found');
  await call(`/webhooks/${id}`, { method: 'DELETE', key: admin });
  await pruneDeliveries.run(app.app.site);
  const { read } = database;
  assert.equal((await read.first(countAttempts, { delivery_id: delivery }))?.total, 0);
  assert.equal((await read.first(countDays, { webhook_id: id }))?.total, 0);
});

test('deliveries are listed and counted by state', async () => {
  const receiver = await new Receiver().listen();
  const { id } = await app.webhook(receiver.url, ['referral.created']);
  const codes: Record<number, number> = { 1: 200, 2: 503, 3: 410 };
  receiver.answer = (_request, response, { message }) =>
    response.writeHead(codes[Number(message.data['mark'])] ?? 500).end();
  await app.emit(3);
  await app.sendDue();
  assert.equal((await app.get(id)).status, 'disabled');
  const totals: Record<string, string | null> = {};
  for (const state of ['pending', 'delivered', 'failed']) {
    const reply = await call(`${STORE}/webhooks/${id}/deliveries?state=${state}`, { key: admin });
    assert.ok(reply.body.every((one: { state: string }) => one.state === state));
    assert.equal(reply.headers.get('x-svc-total'), String(reply.body.length));
    totals[state] = reply.headers.get('x-svc-total');
  }
  assert.deepEqual(totals, { pending: '1', delivered: '1', failed: '1' });
});
