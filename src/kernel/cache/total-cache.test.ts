import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Site } from '../declare/site.ts';
import { totalsOf } from './total-cache.ts';

function newTotals() {
  let forgetAll = () => {};
  const others = { haveChanged: false, areNoticed: true };
  const time = { nowMs: 0 };
  const site = {
    monotonic: () => time.nowMs,
    onInvalidateCaches: (listener: () => void) => (forgetAll = listener),
    database: {
      noticeForeignChange() {
        if (others.haveChanged) forgetAll();
        return others.areNoticed;
      },
    },
  };
  // The cache uses only this much of a site.
  const totals = totalsOf(site as unknown as Site);
  let counts = 0;
  const count = async () => ++counts;
  const find = (collection = 'coupons', options = {}) =>
    totals.find(collection, {}, count, options);
  const current = () => totals.current('coupons', {}, count);
  return { totals, find, current, others, time, forgetAll };
}

describe('totals', () => {
  test('are counted once, also for concurrent requests', async () => {
    const { find } = newTotals();
    assert.deepEqual(await Promise.all([find(), find(), find()]), [1, 1, 1]);
    assert.equal(await find(), 1);
  });

  test('are counted again after a change of their collection, or of anything elsewhere', async () => {
    const { find, totals, forgetAll } = newTotals();
    assert.deepEqual([await find('coupons'), await find('payouts')], [1, 2]);
    totals.forget('payouts');
    assert.deepEqual([await find('coupons'), await find('payouts')], [1, 3]);
    forgetAll();
    assert.deepEqual([await find('coupons'), await find('payouts')], [4, 5]);
  });

  test('that were being counted during a change are not cached', async () => {
    const { find, totals } = newTotals();
    const before = find();
    totals.forget('coupons');
    const after = find();
    assert.deepEqual([await before, await after, await find()], [1, 2, 2]);
  });

  test('are counted again for a decision, where another process may have changed them', async () => {
    const { find, current, others } = newTotals();
    assert.deepEqual([await find(), await current()], [1, 1], 'nothing was changed elsewhere');
    others.haveChanged = true;
    assert.deepEqual([await current(), await find()], [2, 2], 'something was');
    others.haveChanged = false;
    others.areNoticed = false;
    assert.deepEqual([await current(), await find()], [3, 3], 'that cannot be known');
  });

  test('that could not be counted are not cached', async () => {
    const { find, totals } = newTotals();
    const failing = totals.find('coupons', {}, () => Promise.reject(new Error('gone')));
    await assert.rejects(failing, /gone/);
    assert.equal(await find(), 1);
  });

  test('are cached for the given time if other instances send no notifications', async () => {
    const { find, time } = newTotals();
    assert.equal(await find('payouts', { maxAgeMs: 20 }), 1);
    time.nowMs += 19;
    assert.equal(await find('payouts', { maxAgeMs: 20 }), 1);
    time.nowMs += 1;
    assert.equal(await find('payouts', { maxAgeMs: 20 }), 2);
  });
});
