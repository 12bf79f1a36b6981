import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { createCoupon } from '../../../src/modules/coupons/index.ts';
import { adjustCoupon } from '../../../src/modules/ledger/adjust-coupon.ts';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { openSecondProcess } from '../../../test/support/second-process.ts';
import { requestPayout } from '../api/request-payout.ts';

// As test/lists-beside-writers.test.ts, which is about other lists.
const app = await openTestApp({ settings: { 'payouts.details_required': false } });
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

async function couponWithMoney(code: string): Promise<number> {
  const { id } = await newCoupon(code);
  await invoke(secondProcess, adjustCoupon, { id, amount: 5, note: 'Bonus' });
  return id;
}

/** A new payout does not notify other instances, because payouts change all the time. */
const newPayout = (coupon_id: number) =>
  invoke<{ id: number }>(secondProcess, requestPayout, { coupon_id });

test('GET /payouts: a new payout is listed immediately, with any filter', async () => {
  const coupons = [await couponWithMoney('PAY1'), await couponWithMoney('PAY2')];
  const lists = ['/payouts', '/payouts?status=pending', `/payouts?user_id=${idOf('maya')}`];
  for (const path of lists) assert.deepEqual(await list(path), { ids: [], total: 0 }, path);
  const first = await newPayout(coupons[0]!);
  for (const path of lists) assert.deepEqual(await list(path), { ids: [first.id], total: 1 });
  const second = await newPayout(coupons[1]!);
  for (const path of lists) {
    assert.deepEqual(await list(path), { ids: [second.id, first.id], total: 2 }, path);
  }
});
