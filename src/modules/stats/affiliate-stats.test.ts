import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'read');
const tomas = await app.key('tomas', 'read');
const STORE = '/svc/store/v1';

async function newCoupon(code: string): Promise<number> {
  const json = { code, user_id: idOf('maya') };
  return (await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json })).body.id;
}

const first = await newCoupon('ONE');
const second = await newCoupon('TWO');
const statuses = ['completed', 'processing', 'cancelled'];
const orders = Array.from({ length: 25 }, (_, i) => ({
  order_id: i + 1,
  // Of two on a day, the one with the higher number is the older.
  date: `2026-04-${String(1 + (i % 20)).padStart(2, '0')}T${i < 20 ? '20' : '08'}:00:00`,
  status: statuses[i % 3],
  total: 10,
  coupon_codes: [i % 5 === 0 ? 'two' : 'one'],
}));
await app.call(`${STORE}/orders/batch`, { method: 'POST', key: admin, json: { orders } });

const counted = (code: string) =>
  orders.filter((o) => o.coupon_codes[0] === code && o.status !== 'cancelled').length;

describe('GET /affiliates/{id}/stats', () => {
  const stats = (query = '', key = admin) =>
    app.call(`/affiliates/${idOf('maya')}/stats${query}`, { key });

  test('200: totals across all coupons, and each of them', async () => {
    const { body } = await stats('', maya);
    assert.equal(body.source, 'snapshot');
    assert.deepEqual(
      body.coupons.map((c: any) => [c.id, c.orders_count]),
      [
        [first, counted('one')],
        [second, counted('two')],
      ],
    );
    assert.equal(body.totals.orders_count, counted('one') + counted('two'));
    assert.equal(body.totals.total_sales, body.totals.orders_count * 10);
    assert.equal(body.totals.total_commission, body.totals.orders_count);
    const { unpaid_commission, pending_order_commission } = body.totals;
    assert.equal(unpaid_commission + pending_order_commission, body.totals.orders_count);
  });

  test('200: a range, live and then from the cache', async () => {
    const range = '?from=2026-04-01&to=2026-04-05';
    const live = (await stats(range)).body;
    assert.equal(live.source, 'live');
    const expected = orders.filter(
      (o) => o.date <= '2026-04-05T24' && o.status !== 'cancelled',
    ).length;
    assert.equal(live.totals.orders_count, expected);
    const cached = (await stats(range)).body;
    assert.deepEqual(cached, { ...live, source: 'cache' });
  });

  test("404: another affiliate's, absent, or not an affiliate", async () => {
    assert.equal(refusal(await stats('', tomas)), '404 svc_api_not_found');
    for (const id of [999, idOf('carla')]) {
      const reply = await app.call(`/affiliates/${id}/stats`, { key: admin });
      assert.equal(refusal(reply), '404 svc_api_not_found');
    }
  });
});

describe('GET /coupons/{id}/orders', () => {
  const list = (query = '', key = maya) => app.call(`/coupons/${first}/orders${query}`, { key });

  test('200: newest first, in pages, without data of the customer', async () => {
    const mine = orders.filter((o) => o.coupon_codes[0] === 'one');
    const page = await list('?per_page=8');
    assert.equal(page.headers.get('x-svc-total'), String(mine.length));
    assert.equal(page.headers.get('x-svc-totalpages'), String(Math.ceil(mine.length / 8)));
    const rest = [await list('?per_page=8&page=2'), await list('?per_page=8&page=3')];
    const all = [page, ...rest].flatMap((reply) => reply.body);
    const expected = mine
      .toSorted((a, b) => b.date.localeCompare(a.date) || b.order_id - a.order_id)
      .map((o) => o.order_id);
    assert.deepEqual(
      all.map((o: any) => o.order_id),
      expected,
    );
    assert.deepEqual(Object.keys(all[0]), [
      'order_id',
      'date',
      'status',
      'currency',
      'order_currency',
      'exchange_rate',
      'total',
      'discount',
      'commission',
      'refunded',
      'credited_via',
    ]);
  });

  test('200: an order with a corrected date moves to its day', async () => {
    const code = 'MOVED';
    const id = await newCoupon(code);
    const put = (order_id: number, time: string) => {
      const json = { date: `2026-02-02T${time}`, status: 'completed', coupon_codes: [code] };
      const path = `${STORE}/orders/${order_id}`;
      return app.call(path, { method: 'PUT', key: admin, json: { ...json, total: 1 } });
    };
    const listed = async () => {
      const { body } = await app.call(`/coupons/${id}/orders`, { key: maya });
      return body.map((order: any) => order.order_id);
    };
    for (const [i, time] of ['09:00:00', '10:00:00', '11:00:00'].entries())
      await put(900 + i, time);
    assert.deepEqual(await listed(), [902, 901, 900]);
    await put(902, '08:00:00');
    assert.deepEqual(await listed(), [901, 900, 902]);
  });

  test('200: by status and range, totals right', async () => {
    const reply = await list('?status=cancelled&from=2026-04-02&to=2026-04-09');
    const expected = orders.filter(
      (o) =>
        o.coupon_codes[0] === 'one' &&
        o.status === 'cancelled' &&
        o.date >= '2026-04-02' &&
        o.date < '2026-04-10',
    );
    assert.equal(reply.headers.get('x-svc-total'), String(expected.length));
    assert.equal(reply.body.length, expected.length);
  });

  test('200: a page past the end runs no page query', async () => {
    const run = (query: string) => statementsOf(app.site.database, () => list(query));
    await run('?page=1');
    assert.equal((await run('?page=1')) - (await run('?page=1000000')), 1);
  });

  test("404: another affiliate's coupon", async () => {
    assert.equal(refusal(await list('', tomas)), '404 svc_api_not_found');
  });
});
