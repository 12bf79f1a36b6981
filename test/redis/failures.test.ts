import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { openTestApp, refusal, type TestApp } from '../support/harness.ts';
import { openFirst, redisFigures, saidOfRedis, serveBeside } from './instances.ts';
import { openProxy, RedisProxy } from './proxy.ts';
import { testRedis } from './server.ts';

const LOST = 'warn: Redis is unavailable';
const THERE = 'info: Redis is connected';
const limits = { 'api.rate_per_minute': 20 };
const redis = testRedis();
/** Short enough that a test can wait for it, long enough for a busy machine once Redis is back. */
const redisDeadlines = { callMs: 2_000, connectMs: 5_000 };

if (redis !== undefined) {
  describe('Redis out of reach', () => outOfReach(redis));
  describe('Redis lost between instances', () => betweenInstances(redis));
}

/** The limit holds, counted here: 20 of 25, whatever becomes of Redis. */
async function countsBySelf(app: TestApp): Promise<void> {
  const key = await app.key('maya', 'read');
  const statuses = [];
  for (let i = 0; i < 25; i++) statuses.push((await app.call('/me', { key })).status);
  assert.equal(statuses.filter((status) => status === 200).length, 20);
  assert.equal(statuses.filter((status) => status === 429).length, 5);
}

const isUp = (app: TestApp) =>
  eventually(async () => assert.equal((await redisFigures(app)).up, 1));
const isLost = (app: TestApp) =>
  eventually(async () => assert.equal((await redisFigures(app)).up, 0));

function outOfReach(url: string): void {
  test('at the start: it starts with a warning, counts alone, and uses Redis when it becomes available', async () => {
    const proxy = await openProxy(url);
    await proxy.cut();
    const app = await openTestApp({
      settings: limits,
      config: { redisUrl: proxy.url },
      redisDeadlines,
    });
    assert.deepEqual(saidOfRedis(app), [LOST]);
    await countsBySelf(app);
    const { up, fallbacks } = await redisFigures(app);
    assert.equal(up, 0);
    assert.ok(fallbacks >= 25);
    assert.equal((await app.call('~/readyz')).status, 200, 'and it is ready');
    await proxy.open();
    await isUp(app);
    assert.deepEqual(saidOfRedis(app), [LOST, THERE]);
  });

  const ways: [string, (proxy: RedisProxy) => unknown, (proxy: RedisProxy) => unknown][] = [
    ['cut off', (proxy) => proxy.cut(), (proxy) => proxy.open()],
    ['hanging: it accepts and never answers', (proxy) => proxy.hang(), (proxy) => proxy.resume()],
    ['slow', (proxy) => proxy.delay(4 * redisDeadlines.callMs), (proxy) => proxy.resume()],
  ];
  for (const [name, lose, restore] of ways) {
    test(name, async () => {
      const proxy = await openProxy(url);
      const app = await openTestApp({
        settings: limits,
        config: { redisUrl: proxy.url },
        redisDeadlines,
      });
      await isUp(app);
      assert.deepEqual(saidOfRedis(app), [THERE]);
      await lose(proxy);
      const asked = proxy.callsAbout(':rate:');
      await countsBySelf(app);
      const waited = proxy.callsAbout(':rate:') - asked;
      assert.ok(waited <= 1, 'one request may wait for the deadline, not each');
      await isLost(app);
      await countsBySelf(app);
      assert.equal((await app.call('~/readyz')).status, 200);
      for (let i = 0; i < 10; i++) await app.call('/me', { key: 'bad' });
      assert.match(refusal(await app.call('/me', { key: 'bad' })), /too_many_auth_failures/);
      assert.deepEqual(saidOfRedis(app), [THERE, LOST], 'one line, not one per request');
      await restore(proxy);
      await isUp(app);
      assert.deepEqual(saidOfRedis(app), [THERE, LOST, THERE]);
      const { fallbacks } = await redisFigures(app);
      assert.ok(fallbacks >= 35, String(fallbacks));
    });
  }

  test('hanging from the start', async () => {
    const proxy = await openProxy(url);
    proxy.hang();
    const app = await openTestApp({
      settings: limits,
      config: { redisUrl: proxy.url },
      redisDeadlines,
    });
    await countsBySelf(app);
    assert.deepEqual(saidOfRedis(app), [LOST]);
  });
}

function betweenInstances(url: string): void {
  test('changes still arrive by the database, and locks of the outage are shared when it is back', async () => {
    const proxy = await openProxy(url);
    const first = await openFirst({ config: { redisUrl: proxy.url } });
    const second = await serveBeside(first, { redisUrl: proxy.url });
    await isUp(second);
    await proxy.cut();
    await isLost(first);
    await isLost(second);

    const { id, token } = await first.keyRecord('maya', 'read');
    assert.equal((await first.call('/me', { key: token })).status, 200);
    const admin = await second.key('admin', 'manage');
    await second.call(`/keys/${id}`, { method: 'DELETE', key: admin });
    await eventually(async () =>
      assert.equal((await first.call('/me', { key: token })).status, 401),
    );

    const headers = { 'x-forwarded-for': '192.0.2.77' };
    for (let i = 0; i < 10; i++) await first.call('/me', { key: 'bad', headers });
    assert.equal((await second.call('/me', { key: admin, headers })).status, 200);
    await proxy.open();
    await eventually(async () => {
      const reply = await second.call('/me', { key: admin, headers });
      assert.match(refusal(reply), /too_many_auth_failures/);
      assert.ok(reply.body.data.retry_after <= 60);
    });
  });

  test('after it was lost and is back, what was kept is forgotten once', async () => {
    const proxy = await openProxy(url);
    const app = await openTestApp({ config: { redisUrl: proxy.url } });
    await isUp(app);
    let forgotten = 0;
    app.site.onInvalidateCaches(() => (forgotten += 1));
    await proxy.cut();
    await isLost(app);
    assert.equal(forgotten, 0);
    await proxy.open();
    await isUp(app);
    await eventually(() => assert.equal(forgotten, 1));
  });
}
