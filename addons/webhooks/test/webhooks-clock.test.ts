import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { whileWrong } from '../../../test/support/wrong-clock.ts';
import { openWebhookApp } from './webhook-app.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

for (const [name, jumpMs] of [
  ['an hour ahead and back', HOUR_MS],
  ['an hour back and ahead again', -HOUR_MS],
] as const) {
  describe(`times in the database, when the system clock is set ${name}`, () => stored(jumpMs));
}

function stored(jumpMs: number): void {
  test('a delivery is attempted, and retried when its wait or its lease ends', async () => {
    const app = await openWebhookApp();
    const receiver = await new Receiver().listen();
    const { id } = await app.webhook(receiver.url, ['referral.created']);
    receiver.answer = 500;
    await app.emit();
    await whileWrong(app.app, jumpMs, () => app.sendDue());
    await app.attempted(id, 1);
    app.app.advance(MINUTE_MS);
    await app.sendDue();
    await app.attempted(id, 2);
    const [row] = await app.rows();
    const waitMs = row!.due_at! - app.app.site.clock();
    assert.ok(waitMs >= 4 * MINUTE_MS && waitMs <= 6 * MINUTE_MS, `the second wait: ${waitMs}`);
  });

  test('a receiver that is down is probed after a minute at most', async () => {
    const app = await openWebhookApp();
    const receiver = await new Receiver().listen();
    const { id } = await app.webhook(receiver.url, ['referral.created']);
    receiver.answer = 500;
    await app.emit(20);
    await whileWrong(app.app, jumpMs, () => app.sendDue());
    assert.equal((await app.get(id)).failures, 3);
    receiver.answer = 200;
    app.app.advance(MINUTE_MS);
    await eventually(async () => {
      await app.sendDue();
      assert.ok((await app.rows()).every(({ state }) => state === 'delivered'));
    });
  });
}

test('a delay from Retry-After is preserved when the clock is set back', async () => {
  const app = await openWebhookApp();
  const receiver = await new Receiver().listen();
  await app.webhook(receiver.url, ['referral.created']);
  receiver.answer = (_request, response) => response.writeHead(429, { 'retry-after': '600' }).end();
  await app.emit();
  await whileWrong(app.app, HOUR_MS, () => app.sendDue());
  receiver.answer = 200;
  app.app.advance(599 * SECOND_MS);
  await app.sendDue();
  assert.equal(receiver.received.length, 1);
  app.app.advance(SECOND_MS);
  await app.sendDue();
  assert.equal(receiver.received.length, 2);
});

test('a delivery in flight is not attempted again when the clock is set ahead', async () => {
  const app = await openWebhookApp();
  const receiver = await new Receiver().listen();
  const { id } = await app.webhook(receiver.url, ['referral.created']);
  const answered = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  receiver.answer = async (_request, response) => {
    arrived.resolve();
    await answered.promise;
    response.writeHead(200).end();
  };
  await app.emit();
  const sending = app.sendDue();
  await arrived.promise;
  app.app.setClock(HOUR_MS);
  const again = app.sendDue();
  answered.resolve();
  await Promise.all([sending, again]);
  await app.sendDue();
  assert.equal(receiver.received.length, 1);
  assert.equal((await app.attempted(id, 1)).state, 'delivered');
});
