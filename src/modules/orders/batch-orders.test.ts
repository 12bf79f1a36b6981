import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'read');
const tomas = await app.key('tomas', 'read');
const STORE = '/svc/store/v1';
const json = { code: 'BATCH', user_id: idOf('maya') };
const coupon = (await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json })).body;

const batch = (orders: unknown) =>
  app.call(`${STORE}/orders/batch`, { method: 'POST', key: admin, json: { orders } });
const order = (order_id: unknown, changes: object = {}) => ({
  order_id,
  date: '2026-04-01T10:00:00Z',
  status: 'completed',
  total: 10,
  coupon_codes: ['batch'],
  ...changes,
});

describe('POST /orders/batch', () => {
  test('200: one result per order, in the same order; only a faulty one is rejected', async () => {
    const { status, body } = await batch([
      order(1),
      order('two'),
      order(3, { total: 0.001 }),
      order(1),
      'nonsense',
      order(4, { coupon_codes: [] }),
    ]);
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map((r: any) => [r.order_id, r.status, r.code]),
      [
        [1, 201, undefined],
        ['two', 400, 'rest_invalid_param'],
        [3, 400, 'rest_invalid_param'],
        [1, 200, undefined],
        [null, 400, 'rest_invalid_param'],
        [4, 201, undefined],
      ],
    );
    assert.deepEqual(Object.keys(body.results[2].params), ['total']);
    assert.equal(body.results[0].referrals[0].commission, 1);
    assert.equal((await app.call(`${STORE}/orders/3`, { key: admin })).status, 404);
    assert.equal((await app.call(`${STORE}/orders/4`, { key: admin })).status, 200);
  });

  test('400: no orders, too many, or not an array', async () => {
    for (const orders of [[], Array.from({ length: 1001 }, (_, i) => order(i + 1)), 'x']) {
      assert.equal(refusal(await batch(orders)), '400 rest_invalid_param');
    }
  });

  test('the same orders sent concurrently by many clients count once', async () => {
    const orders = Array.from({ length: 20 }, (_, i) => order(1000 + i));
    const before = (await app.call(`/coupons/${coupon.id}`, { key: admin })).body;
    await Promise.all(Array.from({ length: 8 }, () => batch(orders)));
    const after = (await app.call(`/coupons/${coupon.id}`, { key: admin })).body;
    assert.equal(after.stats.orders_count - before.stats.orders_count, 20);
    assert.equal(after.unpaid_commission - before.unpaid_commission, 20);
    const { body } = await app.call(`${STORE}/ledger/verify`, { key: admin });
    assert.equal(body.ok, true);
  });
});

describe('GET /orders/{order_id}/commission', () => {
  const explain = (id: number, key = admin) =>
    app.call(`${STORE}/orders/${id}/commission`, { key });

  test('200: base, rate and its source, refunds, rounding, each step with its amount', async () => {
    await batch([
      order(500, {
        total: 40,
        items: [{ product_id: 7, quantity: 2, subtotal: 33.33, total: 33.33 }],
        refunds: [{ id: 1, amount: 10 }],
      }),
    ]);
    const { body } = await explain(500, maya);
    assert.equal(body.currency, 'USD');
    const [referral] = body.referrals;
    assert.equal(referral.commission, 2.5);
    assert.deepEqual(
      referral.steps.map((s: any) => [s.step, s.amount]),
      [
        ['base', 24.9975],
        ['refund', -10],
        ['percent', 2.49975],
        ['rounding', 2.5],
      ],
    );
    assert.match(referral.steps[2].explanation, /10 % of product 7 \(rate of the store\)/);
  });

  test("404: no such order, or another affiliate's", async () => {
    await batch([order(501)]);
    assert.equal(refusal(await explain(999_999)), '404 svc_api_not_found');
    const other = await explain(501, tomas);
    assert.equal(other.text, (await explain(999_999, tomas)).text);
  });
});
