import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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

/** An order that earns 10 %; a suspicious one is held. */
async function order(code: string, total: number, mail = 'shop.example'): Promise<number> {
  const id = ++lastOrder;
  await send('PUT', `/orders/${id}`, {
    date: app.site.calendar.toLocal(app.site.clock()),
    status: 'completed',
    total,
    coupon_codes: [code],
    customer: { email: `c${id}@${mail}` },
  });
  return id;
}

/** A suspicious order whose case was cleared. */
async function clearedOrder(code: string, total: number): Promise<number> {
  const id = await order(code, total, 'trash.example');
  const [found] = await send('GET', `/cases?order_id=${id}`);
  await send('POST', `/cases/${found.id}/decide`, { decision: 'clear' });
  return found.id;
}

const reopen = (id: number) => send('POST', `/cases/${id}/reopen`);
const heldBy = async (id: number) => (await send('GET', `/cases/${id}`)).held;

async function payout(couponId: number, status?: string): Promise<number> {
  const { status: code, body } = await payouts.request(couponId);
  assert.equal(code, 201, JSON.stringify(body));
  if (status) await change(body.id, status);
  return body.id;
}

async function change(id: number, status: string) {
  const reply = await payouts.change(id, status);
  assert.equal(reply.status, 200, reply.text);
}

describe('a payout takes amounts, first in, first out', () => {
  test('re-opened, it takes what came first, and a case holds all of what came later', async () => {
    const { couponId, code } = await join();
    await order(code, 50);
    const small = await payout(couponId, 'cancel');
    const caseId = await clearedOrder(code, 1_000);
    await change(small, 'pending');
    await change(small, 'paid');
    assert.equal((await reopen(caseId)).held, 100);
    assert.deepEqual(await payouts.pools(couponId), [0, 0, 5]);
    assert.equal((await payouts.request(couponId)).body.code, 'svc_api_no_balance');
    await send('POST', `/cases/${caseId}/decide`, { decision: 'clear' });
    assert.deepEqual(await payouts.pools(couponId), [100, 0, 5]);
  });

  test('a commission of which it has all has left, and another one is held', async () => {
    const { couponId, code } = await join();
    const first = await clearedOrder(code, 30);
    const larger = await payout(couponId, 'cancel');
    const second = await clearedOrder(code, 50);
    const all = await payout(couponId, 'cancel');
    await change(larger, 'pending');
    await change(larger, 'paid');
    assert.equal((await reopen(first)).held, 0, 'it is in the first payout');
    assert.equal((await reopen(second)).held, 5, 'the second payout gave it back');
    assert.deepEqual(await payouts.pools(couponId), [0, 0, 3]);
    await send('POST', `/cases/${second}/decide`, { decision: 'clear' });
    await send('POST', `/cases/${first}/decide`, { decision: 'clear' });
    assert.deepEqual(await payouts.pools(couponId), [5, 0, 3]);
    assert.equal((await payouts.get(all)).status, 'cancel');
  });

  test('what was taken back after a payment is made up for first', async () => {
    const { couponId, code } = await join();
    const refunded = await order(code, 80);
    await payout(couponId, 'paid');
    await order(code, 20);
    const small = await payout(couponId, 'cancel');
    await send('PUT', `/orders/${refunded}`, {
      date: app.site.calendar.toLocal(app.site.clock()),
      status: 'refunded',
      total: 80,
      coupon_codes: [code],
    });
    const caseId = await clearedOrder(code, 100);
    // -8 and +2 and +10: the payout of 2 takes the debt, the 2, and 8 of the 10.
    await change(small, 'pending');
    await change(small, 'paid');
    assert.deepEqual(await payouts.pools(couponId), [2, 0, 10]);
    assert.equal((await reopen(caseId)).held, 10);
    assert.equal((await payouts.request(couponId)).body.code, 'svc_api_no_balance');
    await send('POST', `/cases/${caseId}/decide`, { decision: 'clear' });
    assert.deepEqual(await payouts.pools(couponId), [2, 0, 10]);
  });

  test('an older payout that comes back is there before what came later', async () => {
    const { couponId, code } = await join();
    await order(code, 40);
    const old = await payout(couponId, 'paid');
    app.advance(24 * 60 * 60_000);
    const caseId = await clearedOrder(code, 60);
    const later = await payout(couponId, 'cancel');
    await change(old, 'cancel');
    await change(old, 'pending');
    await change(old, 'paid');
    assert.equal((await reopen(caseId)).held, 6);
    await change(later, 'pending').then(
      () => assert.fail('nothing is left'),
      () => undefined,
    );
    await send('POST', `/cases/${caseId}/decide`, { decision: 'clear' });
    assert.deepEqual(await payouts.pools(couponId), [6, 0, 4]);
  });
});

test('a case of many orders is decided whole, while other requests go on, and its orders have pages', async () => {
  const { id, couponId, code } = await join();
  const nowMs = app.site.clock();
  const figures = { refunded: 9, orders: 15, percent: 60 };
  const { id: caseId } = await app.site.database.transaction((tx) =>
    openOrJoin(
      tx,
      app.site,
      {
        hit: { rule: 'many_refunds', at: nowMs, figures },
        action: 'hold',
        subject: { type: 'affiliate', id },
        userId: id,
        holdsNew: true,
      },
      nowMs,
    ),
  );
  const first = lastOrder + 1;
  for (let i = 0; i < 130; i += 1) await order(code, 10);
  const page = await send('GET', `/cases/${caseId}?page=3&per_page=50`);
  assert.deepEqual([page.held, page.orders_count, page.orders.length], [130, 130, 30]);
  assert.equal(page.orders[0].order_id, first + 100);
  for (const [work, unpaid] of [
    [() => send('POST', `/cases/${caseId}/decide`, { decision: 'clear' }), 130],
    [() => reopen(caseId), 0],
  ] as const) {
    let turns = 0;
    const count = () => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await work();
    clearImmediate(next);
    assert.ok(turns >= 130 / 20, `${turns} turns of the event loop`);
    assert.deepEqual(await payouts.pools(couponId), [unpaid, 0, 0]);
  }
  assert.equal(await heldBy(caseId), 130);
});

test('many cases and a returned payout: each case holds its own', async () => {
  const { couponId, code } = await join();
  const cases: number[] = [];
  for (let i = 0; i < 60; i += 1) cases.push(await clearedOrder(code, 10 + i));
  const id = await payout(couponId, 'paid');
  for (const one of cases) assert.equal((await reopen(one)).held, 0);
  await change(id, 'cancel');
  for (const [i, one] of cases.entries()) assert.equal(await heldBy(one), (10 + i) / 10);
  assert.deepEqual(await payouts.pools(couponId), [0, 0, 0]);
});

test('the ledger and the figures agree after all of this', () => payouts.assertClean());
