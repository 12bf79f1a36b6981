import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Site } from '../../kernel/declare/site.ts';
import type { ReferredOrderRow } from '../orders/index.ts';
import { orderPagesOf } from './order-page-cache.ts';

function newCache() {
  const cache = orderPagesOf({} as Site);
  let loads = 0;
  const find = async (id: number, version: number, page = 'a', rows = 1) => {
    const before = loads;
    await cache.find({ id, figures_version: version }, page, async () => {
      loads += 1;
      return Array.from({ length: rows }, () => ({}) as ReferredOrderRow);
    });
    return loads === before ? 'cached' : 'read';
  };
  return { find };
}

describe('pages of orders', () => {
  test('are read once per version of the coupon', async () => {
    const { find } = newCache();
    assert.deepEqual(
      [await find(1, 1), await find(1, 1), await find(1, 1, 'b')],
      ['read', 'cached', 'read'],
    );
    assert.deepEqual(
      [await find(1, 2), await find(1, 2), await find(1, 2, 'b')],
      ['read', 'cached', 'read'],
    );
  });

  test('of an older version than the cached one are not cached', async () => {
    const { find } = newCache();
    await find(1, 2);
    assert.deepEqual(
      [await find(1, 1), await find(1, 1), await find(1, 2)],
      ['read', 'read', 'cached'],
    );
  });

  test('use bounded memory: the least recently used coupon is evicted first', async () => {
    const { find } = newCache();
    for (let id = 1; id <= 5; id++) await find(id, 1, 'a', 10_000);
    assert.equal(await find(1, 1), 'cached');
    await find(6, 1, 'a', 10_000);
    assert.deepEqual([await find(1, 1), await find(2, 1, 'a', 1)], ['cached', 'read']);
  });

  test('without rows use memory too, and one coupon cannot exceed the limit', async () => {
    const { find } = newCache();
    await find(1, 1);
    for (let page = 0; page < 10_000; page++) await find(2, 1, String(page), 0);
    assert.equal(await find(1, 1), 'read');
    await find(3, 1, 'a', 60_000);
    assert.equal(await find(3, 1, 'a', 60_000), 'read');
  });
});
