import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestApp } from '../harness.ts';
import { stepsOf } from './steps.ts';

const FEW = 1_000;
const MANY = 100_000;

/** Work that grows with the logarithm of the rows takes no more than this. */
const GROWTH_MAX = 1.5;

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

const fill = (from: number, to: number) =>
  app.site.database.transaction((tx) =>
    tx.execute(`insert into coupons (code, code_folded, user_id, status, created_at)
      with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
      select 'CODE' || i, 'code' || i, 3, 'active', 0 from n`),
  );

let orders = 0;

async function order(...coupon_codes: string[]): Promise<void> {
  orders += 1;
  const date = '2026-03-01T10:00:00';
  const json = { date, status: 'completed', subtotal: 100, total: 100, coupon_codes };
  const path = `${STORE}/orders/${orders}`;
  const { status, text } = await app.call(path, { method: 'PUT', key: admin, json });
  assert.equal(status, 201, text);
}

/** What looks for coupons by their codes, one by one and as a list. */
const lookUps = {
  'an order': () => order('CODE7'),
  'an order with ten codes': () => order(...Array.from({ length: 10 }, (_, i) => `CODE${i + 1}`)),
  'a click': () => app.call('~/r/CODE8'),
};

async function measure(): Promise<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const [name, work] of Object.entries(lookUps)) {
    await work();
    all[name] = (await stepsOf(work)).values().reduce((sum, steps) => sum + steps, 0);
  }
  return all;
}

test('looking for a coupon by its code takes the same work among many coupons as among few', async () => {
  await fill(1, FEW);
  const few = await measure();
  await fill(FEW + 1, MANY);
  const many = await measure();
  for (const [name, steps] of Object.entries(many))
    assert.ok(steps <= GROWTH_MAX * few[name]!, `${name}: ${few[name]} steps, then ${steps}`);
});
