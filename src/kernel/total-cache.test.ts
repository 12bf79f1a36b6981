import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Site } from './site.ts';
import { totalsOf } from './total-cache.ts';

function newTotals() {
  let forgetAll = () => {};
  const site = { onForgetCallers: (listener: () => void) => (forgetAll = listener) };
  const totals = totalsOf(site as unknown as Site);
  let counts = 0;
  const count = async () => ++counts;
  const find = (collection = 'coupons', options = {}) =>
    totals.find(collection, {}, count, options);
  return { totals, find, forgetAll };
}

describe('totals', () => {
  test('are counted once, also for those who ask at the same moment', async () => {
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

  test('that were being counted during a change are not kept', async () => {
    const { find, totals } = newTotals();
    const before = find();
    totals.forget('coupons');
    const after = find();
    assert.deepEqual([await before, await after, await find()], [1, 2, 2]);
  });

  test('that could not be counted are not kept', async () => {
    const { find, totals } = newTotals();
    const failing = totals.find('coupons', {}, () => Promise.reject(new Error('gone')));
    await assert.rejects(failing, /gone/);
    assert.equal(await find(), 1);
  });

  test('are kept for as long as one may go without being told', async () => {
    const { find } = newTotals();
    assert.equal(await find('payouts', { keptMs: 20 }), 1);
    await setTimeout(30);
    assert.equal(await find('payouts', { keptMs: 20 }), 2);
  });
});
