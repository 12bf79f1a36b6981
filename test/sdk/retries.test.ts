import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectionError, hasCode, TimeoutError } from '../../sdk/src/index.ts';
import { openTestApp } from '../support/harness.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { clientOf, secureFetch } from './test-client.ts';

const app = await openTestApp();
const proxy = await startCuttingProxy(app.url);
const key = await app.key('admin', 'read,write,manage');
/** The requests of a client, as `POST /svc/v2/keys` with the Idempotency-Key. */
const requests: { route: string; idempotencyKey: string | null }[] = [];
const client = clientOf(app, {
  url: proxy.url,
  key,
  timeout: 300_000,
  fetch: (url, init) => {
    const { pathname } = new URL(String(url));
    const idempotencyKey = new Headers(init?.headers).get('idempotency-key');
    requests.push({ route: `${init?.method} ${pathname}`, idempotencyKey });
    return secureFetch(url, init);
  },
});

async function sentBy(calling: () => PromiseLike<unknown>) {
  requests.length = 0;
  await calling();
  return [...requests];
}

describe('after a cut connection', () => {
  test('a POST is sent again with its Idempotency-Key and creates one record', async () => {
    proxy.cut(2);
    const sent = await sentBy(() => client.groups.create({ name: 'Once' }));
    assert.equal(sent.length, 3);
    assert.match(sent[0]!.idempotencyKey!, /^[0-9a-f]{32}$/);
    assert.equal(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size, 1);
    const { items } = await client.groups.list();
    assert.deepEqual(
      items.map(({ name }) => name),
      ['Once'],
    );
  });

  test("a POST is sent with the caller's own key, and another POST with another key", async () => {
    const [own] = await sentBy(() =>
      client.groups.create({ name: 'Own' }, { idempotencyKey: 'order-1' }),
    );
    assert.equal(own!.idempotencyKey, 'order-1');
    const [first, second] = await sentBy(async () => {
      await client.groups.create({ name: 'A' });
      await client.groups.create({ name: 'B' });
    });
    assert.notEqual(first!.idempotencyKey, second!.idempotencyKey);
  });

  test('a GET and a PUT are sent again', async () => {
    proxy.cut(1);
    assert.equal((await sentBy(() => client.me.get())).length, 2);
    proxy.cut(1);
    const order = { date: '2026-01-01T00:00:00Z', status: 'completed' as const, total: 10 };
    assert.equal((await sentBy(() => client.orders.set(5, order))).length, 2);
  });

  test('a PATCH and a DELETE are not: the caller learns that the outcome is unknown', async () => {
    const { id } = await client.coupons.create({ code: 'GONE' });
    proxy.cut(1);
    const sent = await sentBy(() => assert.rejects(client.coupons.delete(id), ConnectionError));
    assert.equal(sent.length, 1);
    await assert.rejects(client.coupons.get(id), { code: 'svc_api_not_found' });
  });

  test('a call ends after its retries', async () => {
    proxy.cut(100);
    const sent = await sentBy(() => assert.rejects(client.me.get({ retries: 1 }), ConnectionError));
    proxy.cut(0);
    assert.equal(sent.length, 2);
  });
});

describe('Retry-After', () => {
  test('is waited for', async () => {
    await app.set({ 'api.rate_per_minute': 1 });
    const statuses: number[] = [];
    const patient = clientOf(app, {
      key: await app.key('maya', 'read'),
      timeout: 300_000,
      fetch: async (url, init) => {
        if (statuses.at(-1) === 429) app.advance(60_000);
        const response = await secureFetch(url, init);
        statuses.push(response.status);
        if (response.status !== 429) return response;
        assert.equal(response.headers.get('Retry-After'), '60');
        // A minute is too long for a test.
        return new Response(response.body, { status: 429, headers: { 'Retry-After': '1' } });
      },
    });
    await patient.me.get();
    const startMs = performance.now();
    await patient.me.get();
    assert.deepEqual(statuses, [200, 429, 200]);
    assert.ok(performance.now() - startMs >= 1000);
  });

  test('is not waited for when it is longer than the time of the call', async () => {
    await clientOf(app, { key })
      .me.get({ retries: 0 })
      .catch(() => {});
    const error: unknown = await clientOf(app, { key })
      .me.get({ timeout: 30_000 })
      .catch((e: unknown) => e);
    await app.set({ 'api.rate_per_minute': 1_000_000 });
    assert.ok(hasCode(error, 'svc_api_rate_limited'));
    assert.ok(error.retryAfter! > 30);
    assert.equal(error.data.retry_after, error.retryAfter);
  });
});

describe('a call ends', () => {
  /** A service that never answers. */
  const silent: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      const stop = () => reject(init?.signal?.reason as Error);
      if (init?.signal?.aborted) stop();
      init?.signal?.addEventListener('abort', stop);
    });

  test('at its signal, with its reason, even while it waits for a retry', async () => {
    const controller = new AbortController();
    const calling = clientOf(app, { fetch: silent }).me.get({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await assert.rejects(calling, { message: 'enough' });
    const waiting = new AbortController();
    const failing = () => {
      queueMicrotask(() => setTimeout(() => waiting.abort(new Error('enough of this'))));
      return Promise.reject(new TypeError('no route'));
    };
    const retried = clientOf(app, { fetch: failing }).me.get({ signal: waiting.signal });
    await assert.rejects(retried, { message: 'enough of this' });
    await assert.rejects(client.me.get({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  test('when its time is over', async () => {
    await assert.rejects(clientOf(app, { fetch: silent }).me.get({ timeout: 20 }), TimeoutError);
  });
});

test('an answer of a proxy without a code is an error with its status', async () => {
  const answer = () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  const behind = clientOf(app, { fetch: answer });
  await assert.rejects(behind.me.get({ retries: 0 }), { code: 'http_502', status: 502 });
});
