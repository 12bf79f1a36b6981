import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp({
  settings: { 'payouts.details_required': false, 'commission.renewals': 'always' },
});
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

const first = (code: string) => ({
  order_id: ++lastOrder,
  date: app.site.calendar.toLocal(app.site.clock()),
  status: 'completed',
  total: 100,
  coupon_codes: [code],
  customer: { email: 'c@trash.example' },
  subscription: { id: code, payment: 1 },
});
const renewal = (code: string) => ({
  order_id: ++lastOrder,
  date: app.site.calendar.toLocal(app.site.clock()),
  status: 'completed',
  total: 100,
  subscription: { id: code, renewal: true },
});

type Order = ReturnType<typeof first> | ReturnType<typeof renewal>;

async function put({ order_id, ...order }: Order): Promise<number> {
  await send('PUT', `/orders/${order_id}`, order);
  return order_id;
}

async function onlyCase(affiliateId: number) {
  const cases = await send('GET', `/cases?affiliate_id=${affiliateId}`);
  assert.equal(cases.length, 1);
  const found = await send('GET', `/cases/${cases[0].id}`);
  const orders = found.orders.map(({ order_id }: { order_id: number }) => order_id);
  return { id: found.id as number, held: found.held as number, orders };
}

const decide = (id: number, decision: string) =>
  send('POST', `/cases/${id}/decide`, { decision, note: 'Fraud.' });

test('a renewal of a rejected payment is rejected, and one of a held payment is held', async () => {
  const { id, couponId, code } = await join();
  const start = await put(first(code));
  const second = await put(renewal(code));
  const open = await onlyCase(id);
  assert.deepEqual([open.held, open.orders], [20, [start, second]]);
  await decide(open.id, 'reject');
  const third = await put(renewal(code));
  await app.set({ 'addons.disabled': ['review'] });
  const fourth = await put(renewal(code));
  await app.set({ 'addons.disabled': [] });
  assert.deepEqual(await payouts.pools(couponId), [0, 0, 0]);
  await send('POST', `/cases/${open.id}/reopen`);
  const again = await onlyCase(id);
  assert.deepEqual([again.held, again.orders], [40, [start, second, third, fourth]]);
  await decide(open.id, 'clear');
  assert.deepEqual(await payouts.pools(couponId), [40, 0, 0]);
  await put(renewal(code));
  assert.deepEqual(await payouts.pools(couponId), [50, 0, 0]);
  await payouts.assertClean();
});

test('a renewal in the same batch, and one after the payment was paid out', async () => {
  const { id, couponId, code } = await join();
  const [start, second] = [first(code), renewal(code)];
  await send('POST', '/orders/batch', { orders: [start, second] });
  const open = await onlyCase(id);
  assert.deepEqual([open.held, open.orders], [20, [start.order_id, second.order_id]]);
  await decide(open.id, 'clear');
  const { body } = await payouts.request(couponId);
  await payouts.change(body.id, 'paid');
  await send('POST', `/cases/${open.id}/reopen`);
  await put(renewal(code));
  assert.equal((await onlyCase(id)).held, 10);
  assert.deepEqual(await payouts.pools(couponId), [0, 0, 20]);
  await payouts.assertClean();
});
