import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../test/eventually.ts';
import { openWebhookApp } from '../../../test/webhooks/webhook-app.ts';
import {
  claimDeliveries,
  recordAttempt,
  releaseDeliveries,
  type Attempt,
} from './delivery-store.ts';
import { lockWebhook } from './webhook-store.ts';

const app = await openWebhookApp();
const { database, clock } = app.app.site;

/** A webhook that nobody sends to, with deliveries that are due. */
async function queued(count: number): Promise<number> {
  const { id } = await app.webhook('http://127.0.0.1:1/');
  await app.emit(count);
  await eventually(async () => assert.equal((await app.deliveries(id)).length, count));
  await app.change(id, { status: 'disabled' });
  await eventually(async () => assert.notEqual((await app.get(id)).last_delivery, null));
  return id;
}

const later = () => clock() + 3_600_000;
const claim = (webhook: number, now: number, limit = 100) =>
  database.transaction(async (tx) => {
    // As whoever sends does.
    await lockWebhook(tx, webhook);
    return claimDeliveries(tx, webhook, { now, until: now + 60_000, limit });
  });

test('what is claimed is nobody else’s until the lease is over, or it is given back', async () => {
  const webhook = await queued(5);
  const now = later();
  const [first, second] = await Promise.all([claim(webhook, now, 3), claim(webhook, now, 3)]);
  const ids = [...first, ...second].map(({ id }) => id);
  assert.deepEqual([first.length, second.length].sort(), [2, 3]);
  assert.equal(new Set(ids).size, 5);
  assert.deepEqual(await claim(webhook, now + 59_999), []);
  const lease = { now, until: now + 60_000 };
  await database.transaction((tx) => releaseDeliveries(tx, ids.slice(0, 2), lease));
  assert.equal((await claim(webhook, now)).length, 2);
  assert.equal((await claim(webhook, now + 60_000)).length, 5);
});

test('of two who sent the same one, the first who tells counts', async () => {
  const webhook = await queued(1);
  const now = later();
  const [slow] = await claim(webhook, now);
  const [quick] = await claim(webhook, now + 60_000);
  assert.equal(slow!.id, quick!.id);
  const attempt = { code: 200, error: '', attempted_at: now, duration_ms: 1 };
  const good: Attempt = { ...attempt, ...quick!, state: 'delivered', due_at: null };
  const bad: Attempt = { ...attempt, ...slow!, code: 500, state: 'failed', due_at: null };
  assert.equal(await database.transaction((tx) => recordAttempt(tx, good)), true);
  assert.equal(await database.transaction((tx) => recordAttempt(tx, bad)), false);
  const [delivery] = await app.deliveries(webhook);
  assert.deepEqual([delivery.state, delivery.code], ['delivered', 200]);
});
