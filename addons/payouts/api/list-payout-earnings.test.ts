import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp();
const { app, admin } = payouts;

const earningsOf = (id: number, query = '') =>
  app.call(`${STORE}/payouts/${id}/earnings${query}`, { key: admin });

interface Entry {
  order_id: number | null;
  kind: string;
  from: string;
  to: string;
  amount: number;
}

const signed = ({ from, amount }: Entry) => (from === 'unpaid' ? -amount : amount);
const sumOf = (entries: Entry[]) => entries.reduce((sum, entry) => sum + signed(entry), 0);

async function order(couponId: number, orderId: number, total: number): Promise<void> {
  const { body: coupon } = await app.call(`/coupons/${couponId}`, { key: admin });
  const reply = await app.call(`${STORE}/orders/${orderId}`, {
    method: 'PUT',
    key: admin,
    json: {
      date: app.site.calendar.toLocal(app.site.clock()),
      status: 'completed',
      subtotal: total,
      total,
      coupon_codes: [coupon.code],
    },
  });
  assert.ok(reply.status < 300, reply.text);
}

describe('GET /payouts/{id}/earnings', () => {
  test('orders, adjustments and returned payouts since the payout before; they add up', async () => {
    const coupon = await payouts.coupon(5);
    await order(coupon, 9001, 100);
    const first = (await payouts.request(coupon)).body;
    await order(coupon, 9002, 200);
    await payouts.change(first.id, 'cancel');
    await payouts.earn(coupon, -2);
    const second = (await payouts.request(coupon)).body;
    await order(coupon, 9003, 300);

    const { body: ofFirst } = await earningsOf(first.id);
    assert.deepEqual(
      ofFirst.map((entry: Entry) => [entry.kind, entry.order_id, signed(entry)]),
      [
        ['order', 9001, 10],
        ['adjustment', null, 5],
      ],
    );
    const { body: ofSecond, headers } = await earningsOf(second.id);
    assert.deepEqual(
      ofSecond.map((entry: Entry) => [entry.kind, entry.order_id, signed(entry)]),
      [
        ['adjustment', null, -2],
        ['payout', null, 15],
        ['order', 9002, 20],
      ],
    );
    assert.equal(headers.get('x-svc-total'), '3');
    assert.deepEqual([sumOf(ofFirst), sumOf(ofSecond)], [first.amount, second.amount]);
    const { body: paged } = await earningsOf(second.id, '?per_page=2&page=2');
    assert.deepEqual(paged, ofSecond.slice(2));
  });

  test('a payout that was taken back and reopened before the next one keeps the sum', async () => {
    const coupon = await payouts.coupon(50);
    const first = (await payouts.request(coupon)).body;
    await payouts.change(first.id, 'cancel');
    await payouts.earn(coupon, 30);
    await payouts.change(first.id, 'pending');
    await payouts.change(first.id, 'paid');
    const second = (await payouts.request(coupon)).body;
    assert.equal(second.amount, 30);
    assert.equal(sumOf((await earningsOf(second.id)).body), 30);
  });

  test('for managers and administrators only', async () => {
    const { id } = await payouts.payoutAt('pending');
    const reply = await app.call(`${STORE}/payouts/${id}/earnings`, { key: payouts.maya });
    assert.equal(reply.status, 403);
    assert.equal((await earningsOf(999_999)).status, 404);
  });
});
