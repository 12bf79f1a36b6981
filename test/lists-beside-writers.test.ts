import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { invoke } from '../src/kernel/call/invoke.ts';
import { createAffiliate } from '../src/modules/affiliates/index.ts';
import { changeCoupon } from '../src/modules/coupons/change-coupon.ts';
import { createCoupon } from '../src/modules/coupons/index.ts';
import { idOf, openTestApp } from './support/harness.ts';
import { openSecondProcess } from './support/second-process.ts';

/**
 * Lists cache their totals while other processes write: the command line, a worker, or on PostgreSQL
 * another instance. The next requested page must show what such a process has committed.
 */
const app = await openTestApp();
const secondProcess = await openSecondProcess(app);
const admin = await app.key('admin', 'read');

async function list(path: string): Promise<{ ids: number[]; total: number }> {
  const { body, headers } = await app.call(path, { key: admin });
  return {
    ids: body.map((item: { id: number }) => item.id),
    total: Number(headers.get('x-svc-total')),
  };
}

const newCoupon = (code: string) =>
  invoke<{ id: number }>(secondProcess, createCoupon, { code, user_id: idOf('maya') });

describe('an outdated total suppresses no page', () => {
  test('GET /coupons: the first coupon that a search finds', async () => {
    assert.deepEqual(await list('/coupons?search=fresh'), { ids: [], total: 0 });
    const { id } = await newCoupon('FRESH');
    assert.deepEqual(await list('/coupons?search=fresh'), { ids: [id], total: 1 });
  });

  test('GET /coupons: a coupon that starts a new page', async () => {
    const first = await newCoupon('PAGED1');
    await list('/coupons?search=paged&per_page=1&page=2');
    assert.equal((await list('/coupons?search=paged')).total, 1);
    await newCoupon('PAGED2');
    const second = await list('/coupons?search=paged&per_page=1&page=2');
    assert.deepEqual(second, { ids: [first.id], total: 2 });
  });

  test('GET /coupons: a page with more or fewer coupons than the cached total', async () => {
    const { id } = await newCoupon('SAME1');
    assert.deepEqual(await list('/coupons?search=same'), { ids: [id], total: 1 });
    const other = await newCoupon('SAME2');
    assert.deepEqual(await list('/coupons?search=same'), { ids: [other.id, id], total: 2 });
    for (const assigned of [id, other.id]) {
      await invoke(secondProcess, changeCoupon, { id: assigned, user_id: null });
    }
    assert.deepEqual(await list('/coupons?search=same'), { ids: [], total: 0 });
  });

  test('GET /affiliates', async () => {
    assert.deepEqual(await list('/affiliates?search=ines'), { ids: [], total: 0 });
    const values = { login: 'ines', email: 'ines@test.example' };
    const { id } = await invoke<{ id: number }>(secondProcess, createAffiliate, values);
    assert.deepEqual(await list('/affiliates?search=ines'), { ids: [id], total: 1 });
  });
});
