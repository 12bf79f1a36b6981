import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openApp } from '../../../src/app.ts';
import type { Dialect } from '../../../src/db/dialect.ts';
import { resolveConfig } from '../../../src/installation/config.ts';
import { eventually, SAFETY_NET_MS } from '../../../test/support/eventually.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { PASSWORD, refusal } from '../../../test/support/harness.ts';
import { Receiver } from '../../../test/support/receiver.ts';
import { verify } from '../../../test/support/verify-signature.ts';
import { dispatcherOf } from '../delivery/dispatcher.ts';
import { fanOut } from '../delivery/fan-out.ts';
import { openWebhookApp, STORE, type WebhookApp } from './webhook-app.ts';

/** `webhook:event` of every delivery. */
async function pairs(app: WebhookApp): Promise<string[]> {
  return (await app.rows()).map((row) => `${row.webhook_id}:${row.event_id}`);
}

test('an event is delivered after its commit, signed and as the feed shows it', async () => {
  const app = await openWebhookApp({ jobs: 'all' });
  const receiver = await new Receiver().listen();
  const { secret } = await app.webhook(receiver.url, ['key.created']);
  const key = await app.app.keyRecord('maya', 'read');
  await eventually(() => assert.equal(receiver.received.length, 1));

  const { headers, body, message } = receiver.received.at(-1)!;
  verify(secret, { body, headers });
  const id = await feedHead(app.app.site);
  assert.equal(headers['webhook-id'], `evt_${id}`);
  assert.deepEqual(Object.keys(message), ['type', 'timestamp', 'id', 'data']);
  assert.deepEqual([message.type, message.id], ['key.created', id]);
  assert.equal(message.timestamp, new Date(message.timestamp).toISOString());
  const { body: feed } = await app.app.call('/events?per_page=1', { key: app.admin });
  assert.deepEqual(message.data, feed[0].data, 'the feed shows the same');
  assert.equal(message.data['key_id'], key.id);
});

test('webhooks still fire while the activity log is switched off', async () => {
  const app = await openWebhookApp({ jobs: 'all', settings: { 'activity_log.enabled': false } });
  const receiver = await new Receiver().listen();
  await app.webhook(receiver.url);
  await app.emit();
  await eventually(() => assert.equal(receiver.received.length, 1));
});

test('sign-ins are delivered by name only, neither with * nor with a replay', async () => {
  const app = await openWebhookApp();
  const receiver = await new Receiver().listen();
  const all = await app.webhook(receiver.url);
  const named = await app.webhook(receiver.url, ['session.created']);
  const json = { login: 'admin', password: PASSWORD };
  const signedIn = await app.app.call('~/session', { method: 'POST', json });
  assert.ok(signedIn.status < 300, signedIn.text);
  await app.emit();
  await app.sendDue();
  const path = `${STORE}/webhooks/${all.id}/replay`;
  await app.app.call(path, { method: 'POST', key: app.admin, json: { after: 0 } });
  await app.sendDue();
  const eventsOf = async (id: number) =>
    new Set((await app.deliveries(id)).map(({ event }: any) => event));
  assert.deepEqual(await eventsOf(named.id), new Set(['session.created']));
  const delivered = await eventsOf(all.id);
  assert.ok(delivered.has('referral.created') && delivered.has('key.created'));
  assert.ok(!delivered.has('session.created'));
});

/** Removes the protection that `makeAppendOnly` added. */
const allowChanges = ({ commitsInIdOrder }: Dialect) =>
  commitsInIdOrder
    ? 'drop trigger cursors_refuses_update; drop trigger cursors_refuses_delete'
    : 'drop trigger cursors_refuses_changes on cursors';

describe('the fan-out', () => {
  test('creates one delivery for each later event that a webhook is subscribed to', async () => {
    const app = await openWebhookApp({ jobs: 'all' });
    const { url } = await new Receiver().listen();
    await app.emit(5);
    const all = await app.webhook(url);
    const first = (await feedHead(app.app.site)) + 1;
    const some = await app.webhook(url, ['key.revoked']);
    const off = await app.webhook(url);
    await app.change(off.id, { status: 'disabled' });
    await app.emit(3);
    await app.emit(2, { other: true });
    const late = await app.webhook(url, ['referral.created']);
    await app.emit(1);
    const head = await feedHead(app.app.site);
    await eventually(async () => assert.ok((await pairs(app)).includes(`${late.id}:${head}`)));

    const range = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i);
    assert.deepEqual(
      (await pairs(app)).sort(),
      [
        ...range(first, head).map((id) => `${all.id}:${id}`),
        ...range(first + 3, first + 4).map((id) => `${some.id}:${id}`),
        `${late.id}:${head}`,
      ].sort(),
    );
  });

  test('writes nothing without webhooks, and the first webhook gets no old events', async () => {
    const app = await openWebhookApp({ jobs: 'all' });
    const { url } = await new Receiver().listen();
    const { id } = await app.webhook(url);
    await app.app.call(`/webhooks/${id}`, { method: 'DELETE', key: app.admin });
    await app.emit(50);
    await app.sendDue();
    const next = await app.webhook(url);
    await app.emit(2);
    await eventually(async () => assert.equal((await pairs(app)).length, 2));
    assert.ok((await pairs(app)).every((pair) => pair.startsWith(`${next.id}:`)));
  });

  test('creates each delivery once, in several concurrent processes while events arrive', async () => {
    const app = await openWebhookApp({ jobs: 'all' });
    const receiver = await new Receiver().listen();
    const webhooks = [await app.webhook(receiver.url), await app.webhook(receiver.url)];
    // A second connection to the same database represents another process.
    const { databaseUrl } = app.app;
    const data = app.app.app.folder.path;
    const { config } = resolveConfig({ data, databaseUrl, port: '0', tls: 'off' }, {});
    const second = await openApp({ config, log: app.app.site.log });
    const first = (await feedHead(app.app.site)) + 1;
    const writing = new AbortController();
    const fanning = [app.app.site, app.app.site, second.site, second.site].map(async (site) => {
      while (!writing.signal.aborted) {
        // SQLite refuses a transaction that has waited too long; fan-outs of PostgreSQL wait for each other.
        await fanOut(site).catch((error: unknown) =>
          assert.match((error as Error).message, /locked/),
        );
        await setTimeout(1);
      }
    });
    for (let i = 0; i < 60; i++) await app.emit(7);
    writing.abort();
    await Promise.all(fanning);
    // Waits for a fan-out that the background job of either instance has begun.
    await eventually(() => fanOut(app.app.site));
    await second.close();
    const expected = webhooks.flatMap(({ id }) =>
      Array.from({ length: 420 }, (_, i) => `${id}:${first + i}`),
    );
    assert.deepEqual((await pairs(app)).sort(), expected.sort());
  });

  test('leaves neither deliveries nor a moved cursor if its transaction is rolled back', async () => {
    const app = await openWebhookApp({ jobs: 'all' });
    const receiver = await new Receiver().listen();
    await app.webhook(receiver.url);
    const { database } = app.app.site;
    await database.transaction(async (tx) => {
      for (const step of tx.dialect.makeAppendOnly('cursors')) await tx.execute(step.compile().sql);
    });
    await app.emit(10);
    await assert.rejects(fanOut(app.app.site));
    assert.deepEqual([await pairs(app), receiver.received], [[], []]);
    await database.transaction((tx) => tx.execute(allowChanges(database.dialect)));
    await eventually(() => assert.equal(receiver.received.length, 10));
    assert.equal(new Set(receiver.ids).size, 10);
  });
});

test('of 50 receivers, 49 hang: the healthy one gets all 1,000 events without waiting', async () => {
  const app = await openWebhookApp({ jobs: 'all' });
  const [healthy, dead] = [await new Receiver().listen(), await new Receiver().listen()];
  const hanging = new Map<string, { now: number; most: number }>();
  dead.answer = ({ url = '' }, response) => {
    const attempts = hanging.get(url) ?? { now: 0, most: 0 };
    attempts.most = Math.max(attempts.most, ++attempts.now);
    response.on('close', () => (attempts.now -= 1));
    hanging.set(url, attempts);
  };
  for (let i = 0; i < 49; i++) await app.webhook(`${dead.url}/${i}`);
  const { id } = await app.webhook(healthy.url);
  await app.emit(1_000);
  await eventually(() => assert.equal(new Set(healthy.ids).size, 1_000));
  await eventually(() => assert.equal(hanging.size, 49));
  assert.ok(
    [...hanging.values()].every(({ most }) => most === 1),
    'one attempt per receiver hangs',
  );
  assert.equal(healthy.received.length, 1_000, 'each once');
  await eventually(async () => assert.equal((await app.get(id)).failures, 0));
});

test('a healthy receiver gets several deliveries at a time, at most eight', async () => {
  const app = await openWebhookApp({ jobs: 'all' });
  const receiver = await new Receiver().listen();
  let [answered, most] = [0, 0];
  const waiting: (() => void)[] = [];
  // Each success allows one more concurrent delivery, so the receiver replies only at the current limit.
  receiver.answer = (_request, response) => {
    waiting.push(() => response.writeHead(200).end());
    most = Math.max(most, waiting.length);
    const allowed = Math.min(answered + 1, 8);
    if (waiting.length < allowed && receiver.received.length <= 192) return;
    answered += waiting.length;
    for (const answer of waiting.splice(0)) answer();
  };
  await app.webhook(receiver.url);
  await app.emit(200);
  await eventually(() => assert.equal(receiver.received.length, 200));
  assert.equal(most, 8);
});

test('stopping finishes attempts in flight and releases the other deliveries', async () => {
  const app = await openWebhookApp({ jobs: 'all' });
  const receiver = await new Receiver().listen();
  const closed = Promise.withResolvers<void>();
  receiver.answer = async (_request, response) => {
    if (receiver.received.length > 20) await closed.promise;
    response.writeHead(200).end();
  };
  await app.webhook(receiver.url);
  await app.emit(300);
  await eventually(() => assert.ok(receiver.received.length > 20));
  const dispatcher = dispatcherOf(app.app.site);
  dispatcher.close({ waitMs: SAFETY_NET_MS });
  closed.resolve();
  await dispatcher.finish();
  const rows = await app.rows();
  const delivered = rows.filter((row) => row.state === 'delivered').map((row) => row.event_id);
  assert.deepEqual(
    delivered.sort((a, b) => a - b),
    receiver.ids.toSorted((a, b) => a - b),
    'what arrived is recorded',
  );
  const later = rows.filter((row) => (row.due_at ?? 0) > app.app.site.clock());
  assert.deepEqual(later, [], 'no delivery waits for a lease');
});

test('a secret that was copied to another webhook signs none of its deliveries', async () => {
  const own = await openWebhookApp();
  const url = 'https://receiver.invalid/hook';
  const [one, two] = [await own.webhook(url), await own.webhook(url)];
  await own.app.site.database.transaction((tx) =>
    tx.execute(
      `update webhooks set secret = (select secret from webhooks where id = ${one.id}) where id = ${two.id}`,
    ),
  );
  const tested = await own.app.call(`/webhooks/${two.id}/test`, { method: 'POST', key: own.admin });
  assert.equal(refusal(tested), '500 svc_api_server_error');
});
