import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directShop } from '../../test/direct-shop.ts';
import { Throttle } from './throttle.ts';

const throttleOf = (url: string) => Throttle.of(directShop({ url, credentials: {}, nowMs: 0 }));
const status = (currentlyAvailable: number, restoreRate = 50) => ({
  throttleStatus: { maximumAvailable: 1_000, currentlyAvailable, restoreRate },
});

test('a query waits until the bucket has room for what it cost the last time, and no longer', () => {
  const throttle = throttleOf('https://one.example');
  const atMs = performance.now();
  throttle.note('orders', { first: 10 }, { requestedQueryCost: 600, ...status(400) });
  // 200 points lack, of which 50 come back in a second; some milliseconds have passed.
  const waitMs = throttle.waitMs('orders', { first: 10 }, atMs);
  assert.ok(waitMs >= 4_000 && waitMs < 4_100, `${waitMs}`);
  assert.equal(throttle.waitMs('orders', { first: 10 }, atMs + 4_100), 0);
  // Of another size, the cost is another one, and is not known.
  assert.equal(throttle.waitMs('orders', { first: 20 }, atMs), 0);
  assert.equal(throttle.costOf('orders', { first: 10 }), 600);
});

test('a query that costs more than the bucket holds waits until it is full', () => {
  const throttle = throttleOf('https://two.example');
  const atMs = performance.now();
  throttle.note('orders', {}, { requestedQueryCost: 5_000, ...status(500, 100) });
  const waitMs = throttle.waitMs('orders', {}, atMs);
  assert.ok(waitMs >= 5_000 && waitMs < 5_100, `${waitMs}`);
});

test('queries that are under way count, each app and shop for itself', async () => {
  const throttle = throttleOf('https://three.example');
  throttle.note('orders', {}, { requestedQueryCost: 600, ...status(1_000) });
  await throttle.waitForRoom('orders', {});
  assert.ok(throttle.waitMs('orders', {}) > 3_000);
  assert.equal(throttleOf('https://four.example').waitMs('orders', {}), 0);
});

test('figures that are none change nothing, and nothing waits for minutes', async () => {
  const throttle = throttleOf('https://five.example');
  throttle.note('orders', {}, { requestedQueryCost: 'many', throttleStatus: null });
  assert.equal(throttle.waitMs('orders', {}), 0);
  throttle.note(
    'orders',
    {},
    {
      requestedQueryCost: 1_000,
      throttleStatus: { maximumAvailable: 1_000, currentlyAvailable: 0, restoreRate: 0 },
    },
  );
  await assert.rejects(throttle.waitForRoom('orders', {}), (error: any) => {
    assert.equal(error.code, 'busy');
    return error.retryAfterMs > 900_000;
  });
});
