import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';

/** Orders whose coupons change after they came in. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

let made = 0;
async function newCoupon(fields: object = {}): Promise<{ id: number; code: string }> {
  const json = { code: `CHANGED${++made}`, user_id: idOf('maya'), ...fields };
  const reply = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

const order = (codes: string[], changes: object = {}) => ({
  date: '2026-03-29T12:00:00',
  status: 'completed',
  subtotal: 100,
  discount: 10,
  shipping: 5,
  total: 95,
  coupon_codes: codes,
  ...changes,
});

let lastOrder = 0;
const newOrderId = () => ++lastOrder;

async function put(id: number, json: object) {
  const reply = await app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

async function report(query = '') {
  const { body } = await app.call(`/reports/summary?refresh=true&top=0${query}`, { key: admin });
  const { orders_count, total_sales, total_discount, total_shipping, total_commission } =
    body.totals;
  return [orders_count, total_sales, total_discount, total_shipping, total_commission];
}

const ordersOf = async (couponId: number) =>
  (await app.call(`/coupons/${couponId}/stats`, { key: admin })).body.orders_count;

describe('the report of the store', () => {
  const NONE = [0, 0, 0, 0, 0];
  const ONE = [1, 95, 10, 5, 9];
  const steps: [
    name: string,
    change: (ann: string, bob: string) => [string[], object],
    number[],
  ][] = [
    ['both coupons', (ann, bob) => [[ann, bob], {}], [1, 95, 10, 5, 18]],
    ['the first is taken off', (_, bob) => [[bob], {}], ONE],
    ['a refund', (_, bob) => [[bob], { refunds: [{ id: 1, amount: 9.5 }] }], [1, 85.5, 10, 5, 8.1]],
    ['the other one instead', (ann) => [[ann], {}], ONE],
    ['both again', (ann, bob) => [[ann, bob], {}], [1, 95, 10, 5, 18]],
    ['no coupon', () => [[], {}], NONE],
    ['back again', (_, bob) => [[bob], {}], ONE],
    ['cancelled', (_, bob) => [[bob], { status: 'cancelled' }], NONE],
  ];

  test('counts an order once while any of its coupons counts', async () => {
    const [ann, bob] = [await newCoupon(), await newCoupon()];
    const id = newOrderId();
    const day = '&from=2026-03-29&to=2026-03-29';
    for (const [name, change, expected] of steps) {
      const [codes, changes] = change(ann.code, bob.code);
      await put(id, order(codes, changes));
      assert.deepEqual(await report(), expected, name);
      assert.deepEqual(await report(day), expected, `${name}, of its day`);
    }
  });

  test('an order moves to another day with the coupon that is left', async () => {
    const [ann, bob] = [await newCoupon(), await newCoupon()];
    const id = newOrderId();
    await put(id, order([ann.code, bob.code], { date: '2026-05-01T12:00:00' }));
    await put(id, order([bob.code], { date: '2026-05-02T12:00:00' }));
    assert.deepEqual(await report('&from=2026-05-01&to=2026-05-01'), NONE);
    assert.deepEqual(await report('&from=2026-05-02&to=2026-05-02'), ONE);
    assert.deepEqual([await ordersOf(ann.id), await ordersOf(bob.id)], [0, 1]);
  });

  test("counts an affiliate's own order, also next to a coupon that earns", async () => {
    const [ann, bob] = [await newCoupon(), await newCoupon({ user_id: idOf('tomas') })];
    const customer = { email: 'maya@test.example' };
    const date = '2026-06-01T12:00:00';
    const id = newOrderId();
    const day = '&from=2026-06-01&to=2026-06-01';
    await put(id, order([ann.code], { date, customer }));
    assert.deepEqual(await report(day), [1, 95, 10, 5, 0]);
    await put(id, order([ann.code, bob.code], { date, customer }));
    assert.deepEqual(await report(day), ONE);
    await put(id, order([bob.code], { date, customer }));
    assert.deepEqual(await report(day), ONE);
  });
});

describe('a coupon that is removed from an order', () => {
  const listed = async (id: number, query = '') => {
    const reply = await app.call(`/coupons/${id}/orders${query}`, { key: admin });
    assert.equal(reply.headers.get('x-svc-total'), String(reply.body.length));
    return reply.body.map((row: any) => row.order_id);
  };
  const counts = async (id: number, query = '') => {
    const { body } = await app.call(`/coupons/${id}/stats${query}`, { key: admin });
    return [body.orders_count, body.status_counts.completed, body.status_counts.cancelled];
  };
  const DAY = '?from=2026-03-29&to=2026-03-29';

  test("leaves that coupon's list, counts and status counts, and comes back with it", async () => {
    const [ann, bob] = [await newCoupon(), await newCoupon()];
    const id = newOrderId();
    await put(id, order([ann.code, bob.code]));
    await put(id, order([bob.code]));
    for (const query of ['', DAY, '?status=completed']) {
      assert.deepEqual(await listed(ann.id, query), [], query);
      assert.deepEqual(await listed(bob.id, query), [id], query);
    }
    for (const query of ['', DAY, '?refresh=true', DAY]) {
      assert.deepEqual(await counts(ann.id, query), [0, 0, 0], query);
      assert.deepEqual(await counts(bob.id, query), [1, 1, 0], query);
    }
    await put(id, order([bob.code], { status: 'cancelled' }));
    assert.deepEqual(await counts(ann.id), [0, 0, 0]);
    await put(id, order([ann.code], { status: 'cancelled' }));
    assert.deepEqual(await counts(ann.id), [0, 0, 1]);
    assert.deepEqual(await listed(ann.id), [id]);
    assert.deepEqual(await listed(bob.id), []);
  });

  test('stays with the order as a referral that earns nothing, and later versions emit no event for it', async () => {
    const [ann, bob] = [await newCoupon(), await newCoupon()];
    const id = newOrderId();
    await put(id, order([ann.code, bob.code]));
    const { referrals } = await put(id, order([bob.code]));
    const [first] = referrals;
    assert.deepEqual([first.coupon_id, first.commission, first.state], [ann.id, 0, 'void']);
    await put(id, order([bob.code], { refunds: [{ id: 1, amount: 9.5 }] }));
    const { body } = await app.call('/events?event=referral&per_page=10', { key: admin });
    const told = body.filter((event: any) => event.data.coupon_id === ann.id);
    assert.deepEqual(
      told.map((event: any) => event.event),
      ['referral.reversed', 'referral.created'],
    );
    const csv = (await app.call(`${STORE}/exports/orders.csv`, { key: admin })).text;
    const line = csv.split('\r\n').find((text) => text.startsWith(`${id},`))!;
    assert.ok(line.includes(`,${bob.code},8.1,`), line);
  });
});
