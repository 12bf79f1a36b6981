import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import type { RewardRule } from '../../rewards/index.ts';
import { runTrial } from './run-trial.ts';
import type { TriedReferral } from './compute-trial.ts';

/** Trials on many orders run in a thread, which must compute the same. */
const STORE = '/svc/store/v1';
const ORDERS = 600;
const app = await openTestApp({ settings: { 'site.timezone': 'Asia/Tokyo' } });
const admin = await app.key('admin', 'read,write,manage');
const send = async (path: string, json: unknown) => {
  const reply = await app.call(STORE + path, { method: 'POST', key: admin, json });
  assert.ok(reply.status < 300, reply.text);
};
const dayOf = (i: number) => `2026-03-${String(1 + (i % 28)).padStart(2, '0')}`;
await send('/coupons', { code: 'MAYA', user_id: idOf('maya') });
await send('/orders/batch', {
  orders: Array.from({ length: ORDERS }, (_, i) => ({
    order_id: i + 1,
    date: `${dayOf(i)}T23:30:00`,
    status: 'completed',
    total: 10 + (i % 7),
    coupon_codes: ['MAYA'],
    customer: { email: `customer-${i % 50}@shop.example` },
  })),
});

const rule: RewardRule = {
  id: 1,
  name: '',
  active: true,
  who: {},
  what: {},
  order: { customer: 'first' },
  from: null,
  to: null,
  rate: { percent: 33 },
  limit: null,
  running: false,
};
const plan = {
  from: '2026-03-02',
  to: '2026-03-20',
  rules: [rule],
  settings: { 'commission.percent': 7 },
};

async function tried(threadFrom: number): Promise<TriedReferral[]> {
  const found: TriedReferral[] = [];
  const progress = { take: (one: TriedReferral) => found.push(one), proceed: async () => true };
  assert.equal(await runTrial(app.site, plan, progress, { threadFrom }), true);
  return found;
}

test('a thread computes what the process itself does', async () => {
  const [own, inThread] = [await tried(ORDERS + 1), await tried(ORDERS)];
  assert.ok(own.length > 250, 'more than a page');
  assert.ok(own.some(({ before, after }) => after > before));
  assert.deepEqual(inThread, own);
});

test('a thread ends when the trial is cancelled', async () => {
  const shares: number[] = [];
  const progress = { take: () => {}, proceed: async (share: number) => shares.push(share) === 0 };
  assert.equal(await runTrial(app.site, plan, progress, { threadFrom: 1 }), false);
  assert.equal(shares.length, 1);
});

test('an error in the thread is the error of the trial', async () => {
  const progress = { take: () => {}, proceed: async () => true };
  const wrong = { ...plan, from: 'never' };
  await assert.rejects(
    runTrial(app.site, wrong, progress, { threadFrom: 1 }),
    /Invalid time value/,
  );
});
