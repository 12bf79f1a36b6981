import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { readFirst, readOne } from '../../../../src/db/statements/calls.ts';
import { lockOrders } from '../../../../src/modules/orders/index.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { openPayoutApp, STORE } from '../../../../test/support/payouts.ts';

const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
const { app, admin } = payouts;

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const waiting = readOne<object, { count: number }>((db) => ({
  compile: () => sql`select count(*)::int as count from pg_locks where not granted`.compile(db),
}));

const lockNow = readFirst<{ id: number }, { id: number }>((db, p) => ({
  compile: () => sql`select id from coupons where id = ${p.id} for update nowait`.compile(db),
}));

/** A paid payout of commission that is in review since then. */
async function paidInReview(orderId: number) {
  const couponId = await payouts.coupon(0);
  const { body: coupon } = await app.call(`/coupons/${couponId}`, { key: admin });
  await send('PUT', `/orders/${orderId}`, {
    date: '2026-02-01T10:00:00',
    status: 'completed',
    total: 100,
    coupon_codes: [coupon.code],
    customer: { email: 'c@trash.example' },
  });
  const [{ id: caseId }] = await send('GET', `/cases?order_id=${orderId}`);
  await send('POST', `/cases/${caseId}/decide`, { decision: 'clear' });
  const { body: payout } = await payouts.request(couponId);
  await payouts.change(payout.id, 'paid');
  await send('POST', `/cases/${caseId}/reopen`);
  return { couponId, caseId, payoutId: payout.id as number };
}

// Without this order two transactions would wait for each other until PostgreSQL ends one of them.
test('a payout that is taken back waits for orders before it locks anything that they need', async () => {
  await send('PATCH', '/review/rules/throwaway_mail', {
    action: 'hold',
    domains: ['trash.example'],
  });
  for (const [i, status] of ['pending', 'created', 'cancel'].entries()) {
    const { couponId, caseId, payoutId } = await paidInReview(i + 1);
    const taking = Promise.withResolvers<ReturnType<typeof payouts.change>>();
    await app.site.database.transaction(async (tx) => {
      await lockOrders(tx);
      taking.resolve(payouts.change(payoutId, status));
      await eventually(async () =>
        assert.ok((await waiting(app.site.database.read)).count > 0, 'the change waits'),
      );
      assert.ok(await lockNow(tx, { id: couponId }), 'an order gets its coupon');
    });
    assert.equal((await taking.promise).status, 200);
    assert.equal((await send('GET', `/cases/${caseId}`)).held, 10);
  }
  await payouts.assertClean();
});

// The harness fails a test whose database counted a deadlock.
test('orders come in while a payout with commission in review is taken back and paid again', async () => {
  const { couponId, caseId, payoutId } = await paidInReview(100);
  const { body: coupon } = await app.call(`/coupons/${couponId}`, { key: admin });
  const changes = new AbortController();
  let lastOrder = 1_000;
  const sendOrders = async () => {
    while (!changes.signal.aborted) {
      await send('PUT', `/orders/${++lastOrder}`, {
        date: '2026-02-01T10:00:00',
        status: 'completed',
        total: 10,
        coupon_codes: [coupon.code],
      });
    }
  };
  const senders = Array.from({ length: 4 }, sendOrders);
  for (const status of ['pending', 'paid', 'created', 'paid', 'pending', 'paid']) {
    const reply = await payouts.change(payoutId, status);
    assert.equal(reply.status, 200, reply.text);
  }
  changes.abort();
  await Promise.all(senders);
  assert.equal((await send('GET', `/cases/${caseId}`)).held, 10);
  await payouts.assertClean();
});
