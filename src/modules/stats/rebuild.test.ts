import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../../test/support/status-store.ts';
import { rebuildCoupon } from './rebuild.ts';

const store = await openStore();
const { site } = store.app;

test('two rebuilds that overlap correct a difference once', async () => {
  const coupon = await store.coupon('TWICE');
  await store.order(['TWICE'], 'completed');
  await site.database.transaction(async (tx) => {
    await tx.execute(`update coupons set orders_count = 6 where id = ${coupon}`);
    await tx.execute(`update coupon_days set orders_count = 6 where coupon_id = ${coupon}`);
  });
  // As if the first one took longer than the minute in which there is no second one.
  const nowMs = site.clock();
  const rebuilt = [nowMs, nowMs + 61_000].map((ms) => rebuildCoupon(site, coupon, ms));
  assert.deepEqual(await Promise.all(rebuilt), [true, true]);
  assert.deepEqual((await store.shown(coupon)).slice(0, 3), [1, 100, 10]);
  const range = '?from=2026-07-01&to=2026-07-31';
  assert.deepEqual((await store.shown(coupon, range)).slice(0, 3), [1, 100, 10]);
});

test('a rebuild by a clock that was ahead does not block later ones', async () => {
  const coupon = await store.coupon('AHEAD');
  const nowMs = site.clock();
  assert.equal(await rebuildCoupon(site, coupon, nowMs + 3_600_000), true);
  assert.equal(await rebuildCoupon(site, coupon, nowMs), true);
  assert.equal(await rebuildCoupon(site, coupon, nowMs + 1), false);
});
