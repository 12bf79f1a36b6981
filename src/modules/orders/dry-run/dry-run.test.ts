import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import type { RewardRule } from '../../rewards/index.ts';
import { dryRun } from './dry-run.ts';
import type { TriedReferral } from './try-orders.ts';

/** Dry runs of many orders run in a thread, which must compute the same. */
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
  const pages = await Array.fromAsync(dryRun(app.site, plan, { threadFrom }));
  return pages.flatMap((page) => page.tried);
}

test('a thread computes what the process itself does', async () => {
  const [own, inThread] = [await tried(ORDERS + 1), await tried(ORDERS)];
  assert.ok(own.length > 250, 'more than a page');
  assert.ok(own.some(({ before, after }) => after > before));
  assert.deepEqual(inThread, own);
});

test('what customers had ordered is known from one page to the next', async () => {
  const limited = { ...rule, order: {}, limit: { payments: 5 } };
  const pages = await Array.fromAsync(dryRun(app.site, { ...plan, rules: [limited] }));
  const after = new Map(pages.flatMap((page) => page.tried.map((one) => [one.orderId, one.after])));
  const nth = new Map<number, number>();
  const byDay = Array.from({ length: ORDERS }, (_, i) => i).sort(
    (a, b) => (a % 28) - (b % 28) || a - b,
  );
  let beyond = 0;
  for (const i of byDay) {
    const customer = i % 50;
    nth.set(customer, (nth.get(customer) ?? 0) + 1);
    if (dayOf(i) < plan.from || dayOf(i) > plan.to) continue;
    const isWithin = nth.get(customer)! <= 5;
    if (!isWithin) beyond++;
    assert.equal(
      after.get(i + 1),
      isWithin ? Math.round((10 + (i % 7)) * 33) : 0,
      `order ${i + 1}`,
    );
  }
  assert.ok(beyond > 50 && after.size - beyond > 50, `${beyond} of ${after.size}`);
});

test('a thread ends when the dry run is cancelled', async () => {
  let thread: Worker | undefined;
  process.once('worker', (worker) => (thread = worker));
  for await (const { share } of dryRun(app.site, plan, { threadFrom: 1 })) {
    assert.ok(share < 1, 'there is more to do');
    break;
  }
  assert.equal(thread!.threadId, -1);
});

test('an error in the thread is the error of the dry run', async () => {
  const wrong = { ...plan, from: 'never' };
  await assert.rejects(
    Array.fromAsync(dryRun(app.site, wrong, { threadFrom: 1 })),
    /Invalid time value/,
  );
});
