import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp({ config: { timezone: 'Europe/Berlin' } });
const admin = await app.key('admin', 'read,write,manage');
const store = (path: string) => `/svc/store/v1${path}`;

let lastCode = 0;
async function newCoupon(fields: object = {}): Promise<{ id: number; code: string }> {
  const code = `CODE${++lastCode}`;
  const json = { code, user_id: idOf('maya'), ...fields };
  const reply = await app.call(store('/coupons'), { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

let lastOrder = 1000;
const newOrderId = () => ++lastOrder;

/** 100.00 of goods, 10.00 off, 5.00 shipping. */
const order = (code: string, changes: object = {}) => ({
  date: '2026-03-29T12:00:00',
  status: 'completed',
  subtotal: 100,
  discount: 10,
  shipping: 5,
  total: 95,
  coupon_codes: [code],
  ...changes,
});

const put = (id: number, json: unknown) =>
  app.call(store(`/orders/${id}`), { method: 'PUT', key: admin, json });

async function balances(couponId: number) {
  const { body } = await app.call(`/coupons/${couponId}`, { key: admin });
  return {
    unpaid: body.unpaid_commission,
    awaiting: body.pending_order_commission,
    stats: body.stats,
  };
}

const head = async () =>
  Number((await app.call('/events?per_page=1', { key: admin })).headers.get('x-svc-last-event'));

async function assertClean() {
  const { body } = await app.call(store('/ledger/verify'), { key: admin });
  assert.deepEqual(body.differences, []);
}

describe('PUT /orders/{order_id}', () => {
  describe('201', () => {
    test('a suspended affiliate earns nothing from new orders; existing orders continue', async () => {
      const { code, id } = await newCoupon({ user_id: idOf('tomas') });
      const known = newOrderId();
      await put(known, order(code, { status: 'processing' }));
      const suspend = (status: string) =>
        app.call(store(`/affiliates/${idOf('tomas')}`), {
          method: 'PATCH',
          key: admin,
          json: { status },
        });
      await suspend('suspended');
      const { status, body } = await put(newOrderId(), order(code));
      assert.deepEqual([status, body.referrals], [201, []]);
      await put(known, order(code));
      assert.equal((await balances(id)).unpaid, 9);
      await suspend('active');
    });

    test('a completed order grants its commission: percent of the goods after discount', async () => {
      const coupon = await newCoupon();
      const reply = await put(newOrderId(), order(coupon.code.toLowerCase()));
      assert.equal(reply.status, 201);
      assert.deepEqual(reply.body.referrals, [
        {
          coupon_id: coupon.id,
          user_id: idOf('maya'),
          commission: 9,
          state: 'granted',
          credited_via: 'coupon',
        },
      ]);
      const now = await balances(coupon.id);
      assert.equal(now.unpaid, 9);
      assert.equal(now.stats.orders_count, 1);
      assert.equal(now.stats.total_sales, 95);
      assert.equal(now.stats.total_commission, 9);
      await assertClean();
    });

    test('names of products and the country are shown with the order, and change no amount', async () => {
      const { code } = await newCoupon();
      const id = newOrderId();
      const line = { product_id: 7, quantity: 2, subtotal: 100, total: 90 };
      const plain = await put(id, order(code, { items: [line] }));
      assert.deepEqual(plain.body.items, [
        { product_id: '7', name: null, quantity: 2, subtotal: 100, total: 90 },
      ]);
      assert.equal(plain.body.country, null);
      const items = [{ ...line, name: 'Beeswax candle' }];
      const named = await put(id, order(code, { items, country: 'AT' }));
      assert.equal(named.status, 200, named.text);
      assert.deepEqual(named.body.referrals, plain.body.referrals);
      const { body } = await app.call(store(`/orders/${id}`), { key: admin });
      assert.equal(body.items[0].name, 'Beeswax candle');
      assert.equal(body.country, 'AT');
      await assertClean();
    });

    test('the commission of a processing order is awaiting, another status earns nothing', async () => {
      const coupon = await newCoupon();
      await put(newOrderId(), order(coupon.code, { status: 'processing' }));
      await put(newOrderId(), order(coupon.code, { status: 'pending' }));
      const now = await balances(coupon.id);
      assert.deepEqual([now.unpaid, now.awaiting, now.stats.orders_count], [0, 9, 1]);
    });

    test('an order without a referral is stored and earns nothing', async () => {
      const reply = await put(newOrderId(), order('nobody'));
      assert.equal(reply.status, 201);
      assert.deepEqual(reply.body.referrals, []);
    });

    test('several coupons give several referrals', async () => {
      const [first, second] = [await newCoupon(), await newCoupon({ percent_override: 20 })];
      const json = order(first.code, { coupon_codes: [first.code, second.code, first.code] });
      const { body } = await put(newOrderId(), json);
      assert.deepEqual(
        body.referrals.map((referral: any) => [referral.coupon_id, referral.commission]),
        [
          [first.id, 9],
          [second.id, 18],
        ],
      );
    });

    test("an affiliate's own order earns nothing", async () => {
      const coupon = await newCoupon();
      const json = order(coupon.code, { customer: { email: 'MAYA@test.example' } });
      const id = newOrderId();
      const { body } = await put(id, json);
      assert.deepEqual([body.referrals[0].commission, body.referrals[0].state], [0, 'void']);
      const why = await app.call(store(`/orders/${id}/commission`), { key: admin });
      assert.equal(why.body.referrals[0].self_referral, true);
    });

    test('without a coupon the click within the cookie window is credited', async () => {
      const coupon = await newCoupon();
      const click = async (date: string) => {
        const json = { code: coupon.code, date };
        const reply = await app.call(store('/clicks'), { method: 'POST', key: admin, json });
        return reply.body.ids[0] as number;
      };
      const stats = async () =>
        (await app.call(`/clicks/stats?coupon_id=${coupon.id}`, { key: admin })).body;
      const late = await click('2026-02-01T12:00:00');
      const none = { coupon_codes: [], click_id: late };
      assert.deepEqual((await put(newOrderId(), order('', none))).body.referrals, []);
      const good = await click('2026-03-20T12:00:00');
      const id = newOrderId();
      const { body } = await put(id, order('', { coupon_codes: [], click_id: good }));
      assert.deepEqual(
        [body.referrals[0].coupon_id, body.referrals[0].credited_via, body.referrals[0].commission],
        [coupon.id, 'link', 9],
      );
      await put(id, order('', { coupon_codes: [], click_id: good, status: 'processing' }));
      assert.deepEqual([(await stats()).clicks, (await stats()).conversions], [2, 1]);
    });

    test('a lifetime customer stays with their first coupon, where the setting is on', async () => {
      const coupon = await newCoupon();
      const customer = { email: 'regular@shop.example' };
      await put(newOrderId(), order(coupon.code, { customer }));
      const later = order('', { coupon_codes: [], customer });
      assert.deepEqual((await put(newOrderId(), later)).body.referrals, []);
      await app.set({ 'attribution.lifetime': true });
      const { body } = await put(newOrderId(), later);
      await app.set({ 'attribution.lifetime': false });
      assert.deepEqual(
        [body.referrals[0].coupon_id, body.referrals[0].credited_via],
        [coupon.id, 'lifetime'],
      );
    });

    test('another currency needs a rate and is counted in the store currency', async () => {
      const coupon = await newCoupon();
      const json = { currency: 'JPY', subtotal: 10000, discount: 0, shipping: 0, total: 10000 };
      const refused = await put(newOrderId(), order(coupon.code, json));
      assert.equal(refusal(refused), '400 rest_invalid_param');
      assert.deepEqual(Object.keys(refused.body.data.params), ['exchange_rate']);
      const id = newOrderId();
      const { body } = await put(id, order(coupon.code, { ...json, exchange_rate: 0.0067 }));
      assert.deepEqual([body.total, body.referrals[0].commission], [67, 6.7]);
    });
  });

  describe('200', () => {
    test('the same order again changes nothing and emits nothing', async () => {
      const coupon = await newCoupon();
      const id = newOrderId();
      await put(id, order(coupon.code));
      const before = [await head(), await balances(coupon.id)];
      const { coupon_codes, ...rest } = order(coupon.code);
      const again = await put(id, { coupon_codes, ...rest });
      assert.equal(again.status, 200);
      assert.equal(again.body.referrals[0].commission, 9);
      assert.deepEqual([await head(), await balances(coupon.id)], before);
    });

    test('an older version after a newer one changes nothing', async () => {
      const coupon = await newCoupon();
      const id = newOrderId();
      await put(id, order(coupon.code, { date_modified: '2026-03-30T10:00:00Z' }));
      const before = [await head(), await balances(coupon.id)];
      const old = order(coupon.code, { status: 'pending', date_modified: '2026-03-30T09:00:00Z' });
      assert.equal((await put(id, old)).body.status, 'completed');
      assert.deepEqual([await head(), await balances(coupon.id)], before);
    });

    test('every change posts the difference, and a full refund leaves exactly zero', async () => {
      const coupon = await newCoupon();
      const id = newOrderId();
      const steps: [object, number, number][] = [
        [{ status: 'pending' }, 0, 0],
        [{ status: 'processing' }, 0, 9],
        [{ status: 'completed' }, 9, 0],
        [{ subtotal: 200, total: 195 }, 19, 0],
        [{ subtotal: 200, total: 195, refunds: [{ id: 1, amount: 19.5 }] }, 17.1, 0],
        [{ status: 'processing' }, 0, 9],
        [{ status: 'completed', refunds: [{ id: 1, amount: 95 }] }, 0, 0],
        [{ status: 'cancelled' }, 0, 0],
      ];
      for (const [changes, unpaid, awaiting] of steps) {
        await put(id, order(coupon.code, changes));
        const now = await balances(coupon.id);
        assert.deepEqual([now.unpaid, now.awaiting], [unpaid, awaiting], JSON.stringify(changes));
      }
      await assertClean();
    });

    test('new rates apply to new orders', async () => {
      const coupon = await newCoupon();
      const id = newOrderId();
      await put(id, order(coupon.code, { status: 'processing' }));
      const json = { percent_override: 50 };
      await app.call(store(`/coupons/${coupon.id}`), { method: 'PATCH', key: admin, json });
      const { body } = await put(id, order(coupon.code));
      assert.equal(body.referrals[0].commission, 9);
      assert.equal((await put(newOrderId(), order(coupon.code))).body.referrals[0].commission, 45);
    });

    test('a coupon removed from the order earns nothing any more', async () => {
      const coupon = await newCoupon();
      const id = newOrderId();
      await put(id, order(coupon.code));
      const { body } = await put(id, order(coupon.code, { coupon_codes: [] }));
      assert.deepEqual([body.referrals[0].commission, body.referrals[0].state], [0, 'void']);
      assert.equal((await balances(coupon.id)).unpaid, 0);
      assert.equal((await balances(coupon.id)).stats.orders_count, 0);
    });
  });

  describe('400', () => {
    test('the response names every faulty field, and nothing is stored', async () => {
      const before = await head();
      const id = newOrderId();
      const reply = await put(
        id,
        order('x', { date: '2026-02-30', total: 1.005, discount: 0.001 }),
      );
      assert.deepEqual(Object.keys(reply.body.data.params), ['date', 'discount', 'total']);
      const missing = await put(id, { coupon_codes: 'x', total: -1 });
      assert.equal(refusal(missing), '400 rest_missing_callback_param');
      assert.deepEqual(missing.body.data.params, ['date', 'status']);
      assert.deepEqual(Object.keys(missing.body.data.invalid), ['total', 'coupon_codes']);
      const found = await app.call(store(`/orders/${id}`), { key: admin });
      assert.equal(refusal(found), '404 svc_api_not_found');
      assert.equal(await head(), before);
    });
  });

  test('a held commission is granted after its delay', async () => {
    await app.set({ 'commission.delay_days': 14 });
    const coupon = await newCoupon();
    await put(newOrderId(), order(coupon.code));
    assert.deepEqual((await balances(coupon.id)).awaiting, 9);
    app.advance(15 * 24 * 60 * 60_000);
    await app.set({ 'commission.delay_days': 0 });
    const { releaseHeld } = await import('./resettle/release-held.ts');
    await releaseHeld.run(app.site);
    const now = await balances(coupon.id);
    assert.deepEqual([now.unpaid, now.awaiting], [9, 0]);
    await assertClean();
  });
});
