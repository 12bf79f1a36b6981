import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { openTestApp, refusal, type CallOptions } from './support/harness.ts';

const limits = { 'api.rate_per_minute': 120, 'api.anonymous_rate_per_minute': 30 };
const app = await openTestApp({ settings: limits });

const call = (options: CallOptions = {}, path = '/me') => app.call(path, options);
const callTimes = async (times: number, options: CallOptions = {}, path = '/me') => {
  for (let i = 0; i < times; i++) {
    const reply = await call(options, path);
    assert.notEqual(reply.status, 429, `request ${i + 1} of ${times}`);
  }
};
const assertLimited = async (options: CallOptions = {}, path = '/me') =>
  assert.equal(refusal(await call(options, path)), '429 svc_api_rate_limited');

// Every test starts with a new window.
beforeEach(async () => {
  app.advance(60_000);
  await app.set(limits);
});

describe('the limit of an identity', () => {
  test('is 120 requests per minute; the next is 429 svc_api_rate_limited', async () => {
    const key = await app.key('maya', 'read');
    await callTimes(120, { key });
    const reply = await call({ key });
    assert.equal(refusal(reply), '429 svc_api_rate_limited');
    assert.deepEqual(reply.body.data, { status: 429, retry_after: 60 });
    assert.equal(reply.headers.get('retry-after'), '60');
  });

  test('is in the headers of every response with what is left, refused or not', async () => {
    const key = await app.key('maya', 'read');
    const left = (reply: { headers: Headers }) =>
      /^"default";r=(\d+);t=(\d+)$/.exec(reply.headers.get('ratelimit')!)!.slice(1).map(Number);
    const first = await call({ key });
    assert.equal(first.headers.get('ratelimit-policy'), '"default";q=120;w=60');
    assert.deepEqual(left(first), [119, 60]);
    app.advance(20_000);
    const [remaining, resets] = left(await call({ key }));
    assert.equal(remaining, 118);
    assert.ok(resets! > 35 && resets! <= 40);
    await callTimes(118, { key });
    assert.equal(left(await call({ key }))[0], 0);
  });

  test('is separate for each key, even of the same user', async () => {
    const [one, two] = [await app.key('maya', 'read'), await app.key('maya', 'read')];
    await callTimes(120, { key: one });
    await assertLimited({ key: one });
    assert.equal((await call({ key: two })).status, 200);
  });

  test('is the same for both headers of one key', async () => {
    const key = await app.key('maya', 'read');
    await callTimes(60, { key });
    await callTimes(60, { headers: { 'x-svc-api-key': key } });
    await assertLimited({ key });
  });

  test("is shared by a user's session and application password", async () => {
    const session = await app.signIn('tomas');
    const basic = await app.basic('tomas');
    await callTimes(60, { session });
    await callTimes(60, { basic });
    await assertLimited({ session });
    await assertLimited({ basic });
    assert.equal((await call({ key: await app.key('tomas', 'read') })).status, 200);
    assert.equal((await call({ basic: await app.basic('carla') })).status, 200);
  });

  test('is shared by the namespaces', async () => {
    const key = await app.key('admin', 'read,manage');
    await callTimes(100, { key });
    await callTimes(20, { key }, '/svc/store/v1/settings');
    await assertLimited({ key });
    await assertLimited({ key }, '/svc/store/v1/settings');
  });

  test('counts malformed and refused requests', async () => {
    const key = await app.key('maya', 'read');
    await callTimes(30, { key }, '/keys?page=abc');
    await callTimes(30, { key, method: 'POST', json: '{"broken' }, '/keys');
    await callTimes(
      30,
      { key, method: 'POST', json: 'x', headers: { 'content-type': 'a/b' } },
      '/keys',
    );
    await callTimes(30, { key }, '/events');
    await assertLimited({ key });
  });

  test('refuses a request before it is parsed or changes anything', async () => {
    const key = await app.key('admin', 'manage');
    await callTimes(120, { key });
    await assertLimited({ key, method: 'POST', json: '{"broken' }, '/keys');
    await assertLimited({ key, method: 'POST', json: {} }, '/keys');
    const other = await app.key('admin', 'manage');
    const [newest] = (await call({ key: other }, '/keys?per_page=1')).body;
    assert.equal(newest.key_prefix, other.slice(0, 12), 'no key was created');
  });

  test('is reset after sixty seconds, not before', async () => {
    const key = await app.key('maya', 'read');
    await callTimes(120, { key });
    app.advance(45_000);
    await assertLimited({ key });
    app.advance(15_000);
    await callTimes(120, { key });
    await assertLimited({ key });
  });

  test('counts each concurrent request', async () => {
    const key = await app.key('maya', 'read');
    const replies = await Promise.all(Array.from({ length: 150 }, () => call({ key })));
    assert.equal(replies.filter((reply) => reply.status === 200).length, 120);
    assert.equal(replies.filter((reply) => reply.status === 429).length, 30);
  });
});

describe('the limit of the pages of a session', () => {
  const page = { 'sec-fetch-site': 'same-origin' };
  const PAGE_LIMIT = 150;

  beforeEach(() => app.set({ 'api.page_rate_per_minute': PAGE_LIMIT }));

  test('is larger by default, and its own', async () => {
    await app.set({ 'api.page_rate_per_minute': 1200 });
    const session = await app.signIn('carla');
    const reply = await call({ session, headers: page });
    assert.equal(reply.headers.get('ratelimit-policy'), '"default";q=1200;w=60');
    await callTimes(120, { session });
    await assertLimited({ session });
    assert.equal((await call({ session, headers: page })).status, 200, 'not taken by programs');
  });

  test('is refused like every other, with Retry-After, and leaves programs theirs', async () => {
    const session = await app.signIn('tomas');
    await callTimes(PAGE_LIMIT, { session, headers: page });
    const reply = await call({ session, headers: page });
    assert.equal(refusal(reply), '429 svc_api_rate_limited');
    assert.equal(reply.headers.get('retry-after'), '60');
    assert.equal((await call({ basic: await app.basic('tomas') })).status, 200);
    assert.equal((await call({ session })).status, 200);
    const other = await app.signIn('tomas');
    assert.equal((await call({ session: other, headers: page })).status, 200, 'per session');
    await callTimes(PAGE_LIMIT - 2, { session: other, headers: page });
    const third = await app.signIn('tomas');
    assert.equal((await call({ session: third, headers: page })).status, 429, 'per user as well');
    app.advance(60_000);
    assert.equal((await call({ session, headers: page })).status, 200);
  });

  // With Redis, the count of the session is known later than that of the user.
  for (const used of [100, PAGE_LIMIT - 4, PAGE_LIMIT - 1]) {
    test(`allows no request more when a page sends many at once, after ${used}`, async () => {
      const session = await app.signIn('tomas');
      await callTimes(used, { session, headers: page });
      const replies = await Promise.all(
        Array.from({ length: 80 }, () => call({ session, headers: page })),
      );
      assert.equal(replies.filter(({ status }) => status === 200).length, PAGE_LIMIT - used);
      for (const { headers } of replies) assert.ok(headers.get('ratelimit'), 'says what is left');
    });
  }

  test('is not for keys, application passwords and pages of other sites', async () => {
    const key = await app.key('maya', 'read');
    const callers: CallOptions[] = [
      { key, headers: page },
      { basic: await app.basic('maya'), headers: page },
      { session: await app.signIn('carla'), headers: { 'sec-fetch-site': 'same-site' } },
    ];
    for (const options of callers) {
      const reply = await call(options);
      assert.equal(reply.headers.get('ratelimit-policy'), '"default";q=120;w=60');
    }
    await callTimes(119, { key, headers: page });
    await assertLimited({ key, headers: page });
  });
});

describe('the limit of anonymous callers', () => {
  test('is 30 requests per minute for all of them together', async () => {
    for (let i = 0; i < 30; i++) {
      const headers = { 'x-forwarded-for': `198.51.100.${i}` };
      assert.equal((await call({ headers }, '/openapi')).status, 200);
    }
    const reply = await call({ headers: { 'x-forwarded-for': '203.0.113.1' } }, '/openapi');
    assert.equal(refusal(reply), '429 svc_api_rate_limited');
    assert.equal(reply.headers.get('ratelimit-policy'), '"default";q=30;w=60');
  });

  test('counts requests without credentials to routes that need them', async () => {
    await callTimes(30);
    await assertLimited({}, '/openapi');
  });

  test('does not affect callers with credentials', async () => {
    await callTimes(30);
    await assertLimited();
    assert.equal((await call({ key: await app.key('maya', 'read') })).status, 200);
  });
});

describe('a changed limit applies immediately', () => {
  test('when it is raised and lowered', async () => {
    const key = await app.key('maya', 'read');
    await callTimes(120, { key });
    await assertLimited({ key });
    await app.set({ 'api.rate_per_minute': 200 });
    assert.equal((await call({ key })).status, 200);
    await app.set({ 'api.rate_per_minute': 5 });
    await assertLimited({ key });
    const fresh = await app.key('maya', 'read');
    await callTimes(5, { key: fresh });
    await assertLimited({ key: fresh });
  });

  test('to anonymous callers', async () => {
    await app.set({ 'api.anonymous_rate_per_minute': 2 });
    await callTimes(2);
    await assertLimited();
  });
});

describe('every request under /svc/ counts, whatever its result', () => {
  const bad = { key: 'svc_wrong' };
  const cases: [why: string, path: string, options: CallOptions, status: number][] = [
    ['an unknown path', '/nothing', {}, 404],
    ['an unknown namespace', '/svc/v9/me', {}, 404],
    ['an unknown method', '/me', { method: 'PATCH' }, 404],
    ['a malformed URL', '/%zz', {}, 404],
    ['an overlong path parameter', `/coupons/${'9'.repeat(600)}`, {}, 404],
    ['an empty path parameter', '/coupons//stats', {}, 404],
    ['a switched-off route', '/payouts', {}, 404],
    ['no credentials', '/me', {}, 401],
    ['an invalid key', '/me', bad, 401],
    ['an invalid key on an unknown path', '/nothing', bad, 404],
    ['a key over plain HTTP', '/me', { ...bad, secure: false }, 401],
    ['a credential of an unknown kind', '/me', { headers: { authorization: 'Digest x' } }, 401],
  ];
  for (const [why, path, options, status] of cases) {
    test(`${why}: ${status}, counted for anonymous callers`, async () => {
      await app.set({ 'api.disabled_endpoints': ['get_payouts'] });
      const headers = { 'x-forwarded-for': `192.0.2.${cases.findIndex(([w]) => w === why)}` };
      const reply = await call({ ...options, headers: { ...headers, ...options.headers } }, path);
      await app.set({ 'api.disabled_endpoints': [] });
      assert.equal(reply.status, status, reply.text);
      assert.equal(reply.headers.get('ratelimit-policy'), '"default";q=30;w=60');
      assert.equal(reply.headers.get('ratelimit'), '"default";r=29;t=60');
    });
  }

  test('a request with a valid key counts for that key', async () => {
    const key = await app.key('admin', 'manage');
    const json = { 'content-type': 'application/json' };
    const requests: [path: string, options: CallOptions, status: number][] = [
      ['/nothing', {}, 404],
      ['/%zz', {}, 404],
      ['/keys?page=abc', {}, 400],
      ['/keys', { method: 'POST', json: '{"broken' }, 400],
      ['/keys', { method: 'POST', json: 'x', headers: { 'content-type': 'a/b' } }, 415],
      ['/keys', { method: 'POST', json: `"${'x'.repeat(1_100_000)}"`, headers: json }, 413],
      ['/coupons/999999', {}, 403],
    ];
    for (const [i, [path, options, status]] of requests.entries()) {
      const reply = await call({ key, ...options }, path);
      assert.equal(reply.status, status, `${path}: ${reply.text}`);
      assert.equal(reply.headers.get('ratelimit-policy'), '"default";q=120;w=60', path);
      assert.equal(reply.headers.get('ratelimit'), `"default";r=${119 - i};t=60`, path);
    }
  });

  test('unknown paths are refused when the limit is reached', async () => {
    const key = await app.key('maya', 'read');
    await callTimes(120, { key }, '/nothing');
    await assertLimited({ key }, '/nothing');
    await assertLimited({ key });
  });

  test('a request from a locked-out address counts for anonymous callers', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.200' };
    for (let i = 0; i < 10; i++) await call({ ...bad, headers });
    const reply = await call({ ...bad, headers });
    assert.equal(refusal(reply), '429 svc_api_too_many_auth_failures');
    assert.equal(reply.headers.get('ratelimit'), '"default";r=19;t=60');
  });
});

describe('the limit of a network outside /svc/', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const pages = ['~/', '~/docs', '~/apply', '~/page.css', '~/setup', '~/session', '~/nothing'];

  beforeEach(() => app.set({ 'api.site_rate_per_minute': pages.length }));

  test('is shared by all pages; the next request is 429 svc_api_rate_limited', async () => {
    for (const page of pages) await callTimes(1, from('192.0.2.1'), page);
    for (const page of pages) {
      const reply = await call(from('192.0.2.1'), page);
      assert.equal(refusal(reply), '429 svc_api_rate_limited', page);
      assert.deepEqual(reply.body.data, { status: 429, retry_after: 60 });
      assert.equal(reply.headers.get('retry-after'), '60');
    }
  });

  test('is per IPv4 address and per IPv6 /64', async () => {
    await callTimes(pages.length, from('192.0.2.2'), '~/');
    await callTimes(1, from('192.0.2.3'), '~/');
    for (let i = 0; i < pages.length; i++) await callTimes(1, from(`2001:db8:0:7::${i}`), '~/');
    await assertLimited(from('2001:db8:0:7:ffff::1'), '~/');
    await callTimes(1, from('2001:db8:0:8::1'), '~/');
  });

  for (const path of ['~/healthz', '~/readyz', '~/r/NOBODY']) {
    test(`does not apply to ${path}`, async () => {
      await callTimes(pages.length, from('192.0.2.4'), '~/');
      await callTimes(40, from('192.0.2.4'), path);
      const { headers } = await call(from('192.0.2.4'), path);
      assert.equal(headers.get('ratelimit'), null);
    });
  }

  test('does not count towards the limits of the API', async () => {
    await callTimes(pages.length, {}, '~/docs');
    await callTimes(30, {}, '/openapi');
  });
});
