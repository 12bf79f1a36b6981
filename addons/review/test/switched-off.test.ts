import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { openOrJoin } from '../cases/open-case.ts';

const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
const { app, admin } = payouts;

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

await send('PATCH', '/review/rules/throwaway_mail', { action: 'hold', domains: ['trash.example'] });

let names = 0;
let lastOrder = 0;

async function join() {
  const login = `ann${++names}`;
  const { id } = await send('POST', '/affiliates', { login, email: `${login}@test.example` });
  const coupon = await send('POST', '/coupons', { code: login, user_id: id });
  return { id: id as number, couponId: coupon.id as number, code: login };
}

async function put(id: number, code: string, changes: object = {}) {
  await send('PUT', `/orders/${id}`, {
    date: app.site.calendar.toLocal(app.site.clock()),
    status: 'completed',
    total: 100,
    coupon_codes: [code],
    customer: { email: `c${id}@trash.example` },
    ...changes,
  });
}

/** An affiliate with an order whose case is open. */
async function held() {
  const affiliate = await join();
  const orderId = ++lastOrder;
  await put(orderId, affiliate.code);
  const [found] = await send('GET', `/cases?order_id=${orderId}`);
  return { ...affiliate, orderId, caseId: found.id as number };
}

const decide = (id: number, decision: string) =>
  send('POST', `/cases/${id}/decide`, { decision, note: 'Fraud.' });
const off = () => app.set({ 'addons.disabled': ['review'] });
const on = () => app.set({ 'addons.disabled': [] });

test('a rejected order stays rejected, and a held one held, however they change', async () => {
  const [rejected, open] = [await held(), await held()];
  await decide(rejected.caseId, 'reject');
  await off();
  for (const { orderId, code } of [rejected, open]) {
    await put(orderId, code, { status: 'processing' });
    await put(orderId, code, { total: 300 });
  }
  assert.deepEqual(await payouts.pools(rejected.couponId), [0, 0, 0]);
  assert.deepEqual(await payouts.pools(open.couponId), [0, 0, 0]);
  const [shown] = await send('GET', `/affiliates/${rejected.id}/orders`);
  assert.equal(shown.reason, 'rejected');
  const unseen = ++lastOrder;
  await put(unseen, open.code);
  assert.deepEqual(await payouts.pools(open.couponId), [10, 0, 0], 'no new case');
  await on();
  assert.deepEqual(await send('GET', `/cases?order_id=${unseen}`), []);
  assert.equal((await send('GET', `/cases/${open.caseId}`)).held, 30);
  await decide(open.caseId, 'clear');
  assert.deepEqual(await payouts.pools(open.couponId), [40, 0, 0]);
  await send('POST', `/cases/${rejected.caseId}/reopen`);
  await decide(rejected.caseId, 'clear');
  assert.deepEqual(await payouts.pools(rejected.couponId), [30, 0, 0]);
  await payouts.assertClean();
});

test('a payment that comes back is held, and a payout of a case is not sent', async () => {
  const { couponId, caseId } = await held();
  await decide(caseId, 'clear');
  const { body: payout } = await payouts.request(couponId);
  await payouts.change(payout.id, 'paid');
  await send('POST', `/cases/${caseId}/reopen`);
  await off();
  await payouts.change(payout.id, 'pending');
  assert.equal(await payouts.select(payout.id, 'paid'), 'svc_api_payout_in_review');
  await payouts.change(payout.id, 'cancel');
  assert.deepEqual(await payouts.pools(couponId), [0, 0, 0]);
  await on();
  assert.equal((await send('GET', `/cases/${caseId}`)).held, 10);
  await payouts.assertClean();
});

test('an open case about an affiliate goes on holding new orders', async () => {
  const { id, code, couponId } = await join();
  const nowMs = app.site.clock();
  const finding = {
    hit: { rule: 'many_refunds', at: nowMs, figures: { refunded: 9, orders: 15, percent: 60 } },
    action: 'hold',
    subject: { type: 'affiliate', id },
    userId: id,
    holdsNew: true,
  } as const;
  const found = await app.site.database.transaction((tx) =>
    openOrJoin(tx, app.site, finding, nowMs),
  );
  await off();
  await put(++lastOrder, code, { customer: { email: 'c@shop.example' } });
  assert.deepEqual(await payouts.pools(couponId), [0, 0, 0]);
  await on();
  assert.equal((await send('GET', `/cases/${found.id}`)).held, 10);
  await decide(found.id, 'clear');
  assert.deepEqual(await payouts.pools(couponId), [10, 0, 0]);
  await payouts.assertClean();
});
