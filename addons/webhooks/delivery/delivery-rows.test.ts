import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deliveryStatements,
  type Attempt,
} from '../../../src/modules/deliveries/delivery-statements.ts';
import { FAILURES_TO_PROBE } from '../../../src/modules/deliveries/health.ts';
import { webhookTables } from '../tables.ts';
import { openWebhookApp } from '../test/webhook-app.ts';
import { lockWebhook } from '../webhook/webhook-rows.ts';
import { due, type DueEvent } from './delivery-rows.ts';

const app = await openWebhookApp();
const { database, clock } = app.app.site;
const statements = deliveryStatements(webhookTables, due);

/** A webhook that the service does not send to, with deliveries that are due. */
async function queued(count: number): Promise<number> {
  const { id } = await app.webhook('http://127.0.0.1:1/');
  await app.emit(count);
  await app.sendDue();
  assert.equal((await app.deliveries(id)).length, count);
  assert.equal((await app.get(id)).failures, Math.min(count, FAILURES_TO_PROBE));
  await app.change(id, { status: 'disabled' });
  return id;
}

const later = () => clock() + 3_600_000;
const claim = (webhook: number, now: number, limit = 100) =>
  database.transaction(async (tx) => {
    // As the webhook queue does.
    await lockWebhook(tx, webhook);
    return statements.claim(tx, webhook, { now, until: now + 60_000, limit });
  });

const attemptOf = ({ id, attempts }: DueEvent): Attempt => ({
  id,
  attempts: attempts + 1,
  state: 'delivered',
  due_at: null,
  code: 200,
  error: '',
  attempted_at: clock(),
  duration_ms: 1,
});
const record = (attempts: Attempt[]) =>
  database.transaction((tx) => statements.record(tx, attempts));

test('a claimed delivery cannot be claimed again until the lease ends or is released', async () => {
  const webhook = await queued(5);
  const now = later();
  const [first, second] = await Promise.all([claim(webhook, now, 3), claim(webhook, now, 3)]);
  const ids = [...first, ...second].map(({ id }) => id);
  assert.deepEqual([first.length, second.length].sort(), [2, 3]);
  assert.equal(new Set(ids).size, 5);
  assert.deepEqual(await claim(webhook, now + 59_999), []);
  const lease = { now, until: now + 60_000 };
  await database.transaction((tx) => statements.release(tx, ids.slice(0, 2), lease));
  assert.equal((await claim(webhook, now)).length, 2);
  assert.equal((await claim(webhook, now + 60_000)).length, 5);
});

test('if a delivery was sent twice, the first record counts', async () => {
  const webhook = await queued(1);
  const now = later();
  const [slow] = await claim(webhook, now);
  const [quick] = await claim(webhook, now + 60_000);
  assert.equal(slow!.id, quick!.id);
  const good = { ...attemptOf(quick!), code: 200, state: 'delivered' as const };
  const bad = { ...attemptOf(slow!), code: 500, state: 'failed' as const };
  assert.deepEqual(await record([good]), [true]);
  assert.deepEqual(await record([bad]), [false]);
  const [delivery] = await app.deliveries(webhook);
  assert.deepEqual([delivery.state, delivery.code], ['delivered', 200]);
});

test('each attempt of a batch counts separately', async () => {
  const webhook = await queued(4);
  const now = later();
  const claimed = await claim(webhook, now);
  const attempts = claimed.map((delivery, i) => ({ ...attemptOf(delivery), code: 200 + i }));
  assert.deepEqual(await record([attempts[1]!, attempts[3]!]), [true, true]);
  const late = attempts.map((attempt) => ({ ...attempt, code: 500, error: 'Late.' }));
  assert.deepEqual(await record(late), [true, false, true, false]);
  const codes = (await app.deliveries(webhook)).map(({ code }: { code: number }) => code);
  assert.deepEqual(codes.toSorted(), [201, 203, 500, 500]);
  assert.deepEqual(await record([]), []);
});
