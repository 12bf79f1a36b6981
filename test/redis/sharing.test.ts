import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ratePerMinute } from '../../src/kernel/call/rate-limit-settings.ts';
import { redisPrefix } from '../../src/redis/share-through-redis.ts';
import { onServer } from '../postgres/databases.ts';
import { run } from '../process/run.ts';
import { eventually } from '../support/eventually.ts';
import {
  openTestApp,
  PASSWORD,
  refusal,
  type CallOptions,
  type TestApp,
} from '../support/harness.ts';
import { onRedis } from './client.ts';
import { openFirst, serveBeside } from './instances.ts';
import { testRedis } from './server.ts';
import { patternFor } from './time.ts';

const LOCKED = '429 svc_api_too_many_auth_failures';
const redis = testRedis();

if (redis !== undefined) {
  const first = await openFirst();
  const apps = [first, await serveBeside(first), await serveBeside(first)];
  describe('rate limits of three instances', () => sharedLimits(apps));
  describe('lock-out by three instances', () => sharedLockOut(apps));
  describe('changes published through Redis', () => sharedChanges(first));
  describe('what is kept in Redis', () => keptInRedis(first, redis));
}

function sharedLimits(apps: TestApp[]): void {
  const [first] = apps as [TestApp];
  /** So many at the same moment, in turn to each; how many were let through. */
  const atOnce = async (times: number, path: string, options: CallOptions) => {
    const replies = await Promise.all(
      Array.from({ length: times }, (_, i) => apps[i % apps.length]!.call(path, options)),
    );
    return replies.filter(({ status }) => status < 400).length;
  };
  const limited = async (perMinute: number, work: () => Promise<void>) => {
    await first.set({ 'api.rate_per_minute': perMinute });
    for (const { site } of apps) {
      await eventually(() => assert.equal(site.settings.get(ratePerMinute), perMinute));
    }
    await work();
  };

  test('300 concurrent requests with a limit of 120: exactly 120 pass', async () => {
    await limited(120, async () => {
      const key = await first.key('maya', 'read');
      assert.equal(await atOnce(300, '/me', { key }), 120);
      assert.equal(await atOnce(30, '/me', { key }), 0);
    });
  });

  test('one after the other, in turn to each: exactly 120, and the answers tell what is left', async () => {
    await limited(120, async () => {
      const key = await first.key('maya', 'read');
      const replies = [];
      for (let i = 0; i < 130; i++) replies.push(await apps[i % 3]!.call('/me', { key }));
      assert.equal(replies.filter(({ status }) => status === 200).length, 120);
      const [last] = replies.filter(({ status }) => status === 200).slice(-1);
      assert.match(last!.headers.get('ratelimit')!, /^"default";r=0;t=\d+$/);
    });
  });

  test('applications by the form: ten a minute from one address', async () => {
    await first.set({ 'registrations.open': true });
    await limited(1_000_000, async () => {
      let number = 0;
      const address = `10.8.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`;
      const send = (app: TestApp) => {
        const name = `form${address.replaceAll('.', '')}n${(number += 1)}`;
        const form = new URLSearchParams({
          login: name,
          email: `${name}@form.example`,
          display_name: name,
        }).toString();
        return app.call('~/apply', {
          method: 'POST',
          form,
          headers: { 'x-forwarded-for': address },
        });
      };
      const replies = await Promise.all(Array.from({ length: 24 }, (_, i) => send(apps[i % 3]!)));
      assert.equal(replies.filter(({ status }) => status === 201).length, 10);
      assert.equal(replies.filter(({ status }) => status === 429).length, 14);
    });
  });
}

/** How many failures from there Redis has counted. */
function failuresOf({ site }: TestApp, address: string): Promise<number> {
  return onRedis(redis!, (client) =>
    client.zCard(`${redisPrefix(site.keyring)}:failures:${address}`),
  );
}

function sharedLockOut(apps: TestApp[]): void {
  const [first, second, third] = apps as [TestApp, TestApp, TestApp];
  const from = (app: TestApp, address: string, options: CallOptions) =>
    app.call('/me', { ...options, headers: { 'x-forwarded-for': address } });
  const failAt = async (app: TestApp, address: string, times: number) => {
    for (let i = 0; i < times; i++) {
      assert.equal((await from(app, address, { key: 'bad' })).status, 401);
    }
  };
  const lockedAt = (app: TestApp, address: string, key: string) =>
    eventually(async () => assert.equal(refusal(await from(app, address, { key })), LOCKED));

  let addresses = 0;
  /** From an address that no other test has used. */
  const testFrom = (name: string, work: (address: string, key: string) => Promise<void>) =>
    void test(name, async () =>
      work(`192.0.2.${(addresses += 1)}`, await first.key('maya', 'read')),
    );

  testFrom('ten failures wherever they happen; nine are forgiven', async (address, key) => {
    for (const app of apps) await failAt(app, address, 3);
    await eventually(async () => assert.equal(await failuresOf(first, address), 9));
    for (const app of apps) assert.equal((await from(app, address, { key })).status, 200);
    await failAt(first, address, 1);
    for (const app of apps) await lockedAt(app, address, key);
    assert.ok(first.logs.some((line) => line.includes('locked out') && line.includes(address)));
  });

  testFrom(
    'whom one has locked out the others refuse, and one that starts later as well',
    async (address, key) => {
      await failAt(second, address, 10);
      for (const app of apps) await lockedAt(app, address, key);
      const late = await serveBeside(first);
      const reply = await from(late, address, { key });
      assert.equal(refusal(reply), LOCKED);
      assert.ok(reply.body.data.retry_after <= 60);
      assert.equal((await from(late, '198.51.100.1', { key })).status, 200);
    },
  );

  testFrom('a /64 of IPv6 is one, at all of them', async (address, key) => {
    const network = `2001:db8:5:${address.split('.').at(-1)}`;
    await failAt(first, `${network}::1`, 5);
    await failAt(third, `${network}:ffff::`, 5);
    for (const app of apps) await lockedAt(app, `${network}:1:2:3:4`, key);
    assert.equal((await from(first, '2001:db8:6::1', { key })).status, 200);
  });

  testFrom('wrong passwords count, too', async (address) => {
    const signIn = (app: TestApp, login: string, password: string) =>
      app.call('~/session', {
        method: 'POST',
        json: { login, password },
        headers: { 'x-forwarded-for': address },
      });
    for (let i = 0; i < 10; i++) {
      // Each with another login: attempts at one account are delayed on their own.
      const login = `guest${i} at ${address}`;
      assert.equal((await signIn(apps[i % 3]!, login, 'wrong wrong wrong')).status, 401);
    }
    await eventually(async () => {
      for (const app of apps) assert.equal(refusal(await signIn(app, 'maya', PASSWORD)), LOCKED);
    });
  });

  testFrom(
    'the wait doubles also where the instance knows nothing of the first',
    async (address, key) => {
      await failAt(first, address, 10);
      await lockedAt(second, address, key);
      // An hour later: the first wait is over, and the day is not.
      first.advance(60 * 60_000);
      await from(first, address, { key });
      const late = await serveBeside(first);
      await failAt(late, address, 10);
      await eventually(async () => {
        const { body } = await from(late, address, { key });
        assert.ok(body.data.retry_after > 60 && body.data.retry_after <= 120, JSON.stringify(body));
      });
    },
  );
}

function sharedChanges(first: TestApp): void {
  const database = new URL(first.databaseUrl).pathname.slice(1);
  /** For connections made from now on: as behind a pool that gives connections to transactions. */
  const silenceNotify = () =>
    onServer(
      first.databaseUrl,
      `create or replace function public.pg_notify(text, text) returns void language sql as 'select'`,
      `alter database ${database} set search_path = public, pg_catalog`,
    );
  const revokeAt = async (app: TestApp, before = () => {}) => {
    const { id, token } = await first.keyRecord('maya', 'read');
    const admin = await app.key('admin', 'manage');
    assert.equal((await first.call('/me', { key: token })).status, 200);
    before();
    await app.call(`/keys/${id}`, { method: 'DELETE', key: admin });
    return token;
  };
  const forgotten = (token: string) =>
    eventually(async () => assert.equal((await first.call('/me', { key: token })).status, 401));

  test('a key revoked at one is refused at another without NOTIFY', async () => {
    await silenceNotify();
    const mute = await serveBeside(first, { redisUrl: '' });
    const said = (app: TestApp) => app.logs.filter((line) => line.includes('REDIS_URL is not set'));
    assert.match(said(mute).join(), /rate limits and lock-outs are counted by each instance/);
    assert.deepEqual(said(first), []);
    let heard = 0;
    const token = await revokeAt(mute, () => first.site.onInvalidateCaches(() => (heard += 1)));
    // A later notification, sent past the silenced function, arrives later.
    await onServer(first.databaseUrl, `select pg_catalog.pg_notify('tributary_changes', 'a test')`);
    await forgotten(token);
    assert.equal(heard, 1, 'NOTIFY goes nowhere');
    const told = await serveBeside(first);
    await forgotten(await revokeAt(told));
  });

  test('so is what the command line changes', async () => {
    const env = { DATABASE_URL: first.databaseUrl, REDIS_URL: redis! };
    const change = [
      'settings',
      'set',
      'api.rate_per_minute',
      '77',
      '--data',
      first.app.folder.path,
    ];
    const { code, stderr } = await run(change, { env });
    assert.equal(code, 0, stderr);
    const key = await first.key('maya', 'read');
    await eventually(async () => {
      const { headers } = await first.call('/me', { key });
      assert.equal(headers.get('ratelimit-policy'), '"default";q=77;w=60');
    });
  });
}

function keptInRedis(first: TestApp, url: string): void {
  test('expires, and belongs to one installation', async () => {
    const other = await openTestApp();
    const key = await other.key('maya', 'read');
    await other.call('/me', { key });
    await other.call('/me', { key: 'bad' });
    await onRedis(url, async (client) => {
      const keys = await client.keys(patternFor(other.site.keyring));
      assert.ok(
        keys.some((name) => name.includes(':rate:')) &&
          keys.some((name) => name.includes(':failures:')),
      );
      for (const name of keys) assert.ok((await client.pTTL(name)) > 0, name);
      const mine = new Set(await client.keys(patternFor(first.site.keyring)));
      assert.ok(!keys.some((name) => mine.has(name)));
    });
  });
}
