import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ended, inTheEnd } from '../process/launch.ts';
import { install } from '../process/run.ts';
import { startServer } from '../process/running-server.ts';
import type { Program } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp, type TestApp } from '../support/harness.ts';
import { onRedis, type TestClient } from './client.ts';
import { redisFigures, saidOfRedis } from './instances.ts';
import { openProxy } from './proxy.ts';
import { startRedis, testRedisProgram, type RedisServer } from './server.ts';

const LOST = 'warn: Redis is unavailable';
const THERE = 'info: Redis is connected';
const PASSWORD = 'canary-in-an-address';
const program = testRedisProgram();

if (program !== undefined) {
  describe('a Redis that changes', () => changing(program));
  describe('a password', () => password(program));
  describe('a process', () => stopping(program));
}

async function start(path: Program, ...more: string[]): Promise<RedisServer> {
  let stop = async () => {};
  after(() => stop());
  const server = await startRedis(path, ...more);
  stop = server.stop;
  return server;
}

const isUp = (app: TestApp) =>
  eventually(async () => assert.equal((await redisFigures(app)).up, 1));
const isLost = (app: TestApp) =>
  eventually(async () => assert.equal((await redisFigures(app)).up, 0));

async function allowed(app: TestApp, key: string, times: number): Promise<number> {
  let count = 0;
  for (let i = 0; i < times; i++) if ((await app.call('/me', { key })).status === 200) count += 1;
  return count;
}

function changing(path: Program): void {
  const ways: [string, (client: TestClient) => unknown, (client: TestClient) => unknown, RegExp][] =
    [
      [
        'becomes a replica that can only be read',
        (client) => client.sendCommand(['REPLICAOF', '127.0.0.1', '1']),
        (client) => client.sendCommand(['REPLICAOF', 'NO', 'ONE']),
        /READONLY|MASTERDOWN/,
      ],
      [
        'has no memory left',
        (client) => client.configSet('maxmemory', '1'),
        (client) => client.configSet('maxmemory', '0'),
        /OOM/,
      ],
      [
        'refuses to write for want of a replica',
        (client) => client.configSet('min-replicas-to-write', '1'),
        (client) => client.configSet('min-replicas-to-write', '0'),
        /NOREPLICAS/,
      ],
    ];
  for (const [name, spoil, mend, reason] of ways) {
    test(`${name}: it continues alone, and returns to Redis automatically`, async () => {
      const server = await start(path);
      const app = await openTestApp({
        settings: { 'api.rate_per_minute': 20 },
        config: { redisUrl: server.url },
      });
      await isUp(app);
      await onRedis(server.url, async (client) => spoil(client));
      assert.equal(await allowed(app, await app.key('maya', 'read'), 25), 20);
      await isLost(app);
      assert.match(
        app.logs.find((line) => line.includes('Redis is unavailable'))!,
        reason,
      );
      await onRedis(server.url, async (client) => mend(client));
      await isUp(app);
      assert.deepEqual(saidOfRedis(app), [THERE, LOST, THERE]);
      assert.equal(await allowed(app, await app.key('maya', 'read'), 25), 20);
    });
  }

  test('is emptied: counting restarts, and nothing is logged', async () => {
    const server = await start(path);
    const app = await openTestApp({
      settings: { 'api.rate_per_minute': 20 },
      config: { redisUrl: server.url },
    });
    const key = await app.key('maya', 'read');
    assert.equal(await allowed(app, key, 5), 5);
    await onRedis(server.url, (client) => client.flushAll());
    const more = await allowed(app, key, 40);
    assert.ok(more >= 15 && more <= 20, String(more));
    assert.deepEqual(saidOfRedis(app), [THERE]);
  });

  test('is another, empty one after a restart', async () => {
    const server = await start(path);
    const proxy = await openProxy(server.url);
    const app = await openTestApp({ config: { redisUrl: proxy.url } });
    await isUp(app);
    await server.stop();
    await isLost(app);
    const again = await start(path);
    proxy.retarget(again.url);
    await isUp(app);
    assert.deepEqual(saidOfRedis(app), [THERE, LOST, THERE]);
  });
}

function password(path: Program): void {
  test('is used and never logged', async () => {
    const server = await start(path, '--requirepass', PASSWORD);
    const address = (word: string) => server.url.replace('//', `//:${word}@`);
    const app = await openTestApp({ config: { redisUrl: address(PASSWORD) } });
    await isUp(app);
    await server.stop();
    await isLost(app);
    assert.deepEqual(saidOfRedis(app), [THERE, LOST]);
    assert.ok(!app.logs.join('').includes(PASSWORD));
  });

  test('that is wrong: a warning without it', async () => {
    const server = await start(path, '--requirepass', 'another');
    const url = server.url.replace('//', `//:${PASSWORD}@`);
    const app = await openTestApp({ config: { redisUrl: url } });
    assert.deepEqual(saidOfRedis(app), [LOST]);
    assert.match(
      app.logs.find((line) => line.includes('Redis is unavailable'))!,
      /WRONGPASS|invalid/i,
    );
    assert.ok(!app.logs.join('').includes(PASSWORD));
  });
}

function stopping(path: Program): void {
  for (const [name, hangs] of [
    ['with Redis there', false],
    ['with Redis hanging', true],
  ] as const) {
    test(`stops ${name}`, async () => {
      const server = await start(path);
      const proxy = await openProxy(server.url);
      const { data } = await install();
      const running = await startServer(data, [], { env: { REDIS_URL: proxy.url } });
      if (hangs) proxy.hang();
      running.child.kill('SIGTERM');
      const { code } = await inTheEnd(ended(running.child), 'the end');
      assert.equal(code, 0);
    });
  }
}
