import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import { invoke } from '../../../kernel/call/invoke.ts';
import { createCoupon } from '../../coupons/index.ts';
import { claimDue } from './due-rows.ts';

/** No job runs: the marks stay until this test takes them off. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const claim = (limit: number) => app.site.database.transaction((tx) => claimDue(tx, limit));
const maya = idOf('maya');
const tomas = idOf('tomas');

test('an affiliate with many due coupons is claimed once, whatever the limit', async () => {
  while ((await claim(100)).isMore);
  for (let i = 0; i < 6; i++) {
    await invoke(app.site, createCoupon, { code: `MANY-${i}`, user_id: i % 2 ? maya : tomas });
  }
  assert.deepEqual(new Set((await claim(2)).userIds), new Set([maya, tomas]));
  assert.deepEqual((await claim(2)).userIds, []);
});

test('the earlier owner of a coupon is claimed with the new one', async () => {
  const { id } = await invoke<{ id: number }>(app.site, createCoupon, {
    code: 'MOVED',
    user_id: maya,
  });
  while ((await claim(100)).isMore);
  await invoke(app.site, createCoupon, { code: 'FIRST-OF-TOMAS', user_id: tomas });
  const moved = { method: 'PATCH', key: admin, json: { user_id: tomas } };
  assert.equal((await app.call(`/svc/store/v1/coupons/${id}`, moved)).status, 200);
  const { userIds } = await claim(1);
  assert.deepEqual(new Set(userIds), new Set([maya, tomas]));
});
