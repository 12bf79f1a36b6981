import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp({ config: { currency: 'EUR' } });
const admin = await app.key('admin', 'read,write');
const reader = await app.key('admin', 'read');
const STORE = '/svc/store/v1';
const post = (path: string, json: unknown) =>
  app.call(STORE + path, { method: 'POST', key: admin, json });
const summary = (query = '', key = admin) => app.call(`/reports/summary${query}`, { key });

for (const [code, login] of [
  ['A', 'maya'],
  ['B', 'maya'],
  ['C', 'tomas'],
] as const) {
  await post('/coupons', { code, user_id: idOf(login) });
}
const order = (
  order_id: number,
  day: number,
  total: number,
  codes: string[],
  status = 'completed',
) => ({
  order_id,
  date: `2026-07-0${day}T10:00:00`,
  status,
  total,
  coupon_codes: codes,
});
await post('/orders/batch', {
  orders: [
    order(1, 1, 100, ['a']),
    order(2, 2, 50, ['b'], 'processing'),
    order(3, 2, 400, ['c']),
    order(4, 3, 10, ['a', 'c']),
    order(5, 3, 999, ['a'], 'cancelled'),
    order(6, 3, 999, []),
  ],
});
await post('/clicks', [
  { code: 'A', date: '2026-07-01T09:00:00' },
  { code: 'C', date: '2026-07-02T09:00:00' },
]);

describe('GET /reports/summary', () => {
  test('200: totals of referred orders, each once; balances; top affiliates by commission', async () => {
    const { body } = await summary('?top=5');
    assert.equal(body.currency, 'EUR');
    assert.deepEqual(body.totals, {
      affiliates: 2,
      coupons: 3,
      orders_count: 4,
      total_sales: 560,
      total_discount: 0,
      total_shipping: 0,
      total_commission: 57,
      upline_commission: 0,
      unpaid_commission: 52,
      pending_order_commission: 5,
      pending_payout_commission: 0,
    });
    assert.deepEqual(
      body.top_affiliates.map((t: any) => [t.user.login, t.orders_count, t.total_commission]),
      [
        ['tomas', 2, 41],
        ['maya', 3, 16],
      ],
    );
    assert.deepEqual(body.clicks, { clicks: 2, conversions: 0, conversion_rate: 0 });
  });

  test('200: a range, its ends included', async () => {
    const { body } = await summary('?from=2026-07-01&to=2026-07-02');
    assert.deepEqual([body.totals.orders_count, body.totals.total_sales], [3, 550]);
    assert.deepEqual(
      body.top_affiliates.map((t: any) => [t.user.login, t.total_sales]),
      [
        ['tomas', 400],
        ['maya', 150],
      ],
    );
    assert.equal(body.clicks.clicks, 2);
    const none = (await summary('?from=2026-07-01&to=2026-07-02&top=0')).body;
    assert.deepEqual(none.top_affiliates, []);
  });

  test('200: cached for five minutes, unless it is refreshed', async () => {
    const count = async (query: string) => {
      const { body } = await summary(query);
      return [body.cached, body.totals.orders_count];
    };
    assert.deepEqual(await count('?top=7'), [false, 4]);
    await post('/orders/batch', { orders: [order(7, 4, 20, ['b'])] });
    assert.deepEqual(await count('?top=7'), [true, 4]);
    assert.deepEqual(await count('?top=7&refresh=true'), [false, 5]);
    assert.deepEqual(await count('?top=7'), [true, 5]);
    app.advance(301_000);
    assert.deepEqual(await count('?top=7'), [false, 5]);
  });

  test('200: the section of an add-on is present while the add-on is active', async () => {
    const hasPayouts = async () => Object.hasOwn((await summary('?top=3')).body, 'payouts');
    assert.equal(await hasPayouts(), true);
    await app.set({ 'addons.disabled': ['payouts'] });
    assert.equal(await hasPayouts(), false);
    await app.set({ 'addons.disabled': [] });
    assert.equal(await hasPayouts(), true);
  });

  test('200: the number of pending applications, regardless of the range', async () => {
    const waiting = async (query: string) => (await summary(query)).body.pending_registrations;
    assert.equal(await waiting('?refresh=true'), 0);
    const apply = async (login: string) => {
      const json = { login, email: `${login}@test.example` };
      return (await app.call(`${STORE}/registrations`, { method: 'POST', json })).body;
    };
    await apply('ann');
    const { id } = await apply('ben');
    assert.equal(await waiting('?from=2020-01-01&to=2020-01-02&refresh=true'), 2);
    const decision = { method: 'POST', key: admin, json: { status: 'declined' } };
    await app.call(`/registrations/${id}/status`, decision);
    assert.equal(await waiting('?refresh=true'), 1);
  });

  test('200: commissions of a coupon without an owner are owed, but rank no affiliate', async () => {
    const { body: coupon } = await post('/coupons', { code: 'GIFT', user_id: idOf('maya') });
    await post('/orders/batch', { orders: [order(8, 5, 9_000, ['gift'])] });
    const read = async (query: string) => {
      const { body } = await summary(`?refresh=true${query}`);
      const logins = body.top_affiliates.map((t: any) => t.user.login);
      return [body.totals.unpaid_commission, logins];
    };
    const range = '&from=2026-07-05&to=2026-07-05';
    const [owed] = await read('');
    assert.deepEqual(await read(range), [owed, ['maya']]);
    await app.call(`${STORE}/coupons/${coupon.id}`, {
      method: 'PATCH',
      key: admin,
      json: { user_id: null, move_balance: true },
    });
    assert.deepEqual(await read(''), [owed, ['tomas', 'maya']]);
    assert.deepEqual(await read(range), [owed, []]);
  });

  test('400: top beyond 50, invalid days', async () => {
    for (const query of [
      '?top=51',
      '?top=-1',
      '?from=2026-13-01',
      '?from=2026-07-02&to=2026-07-01',
    ]) {
      assert.equal(refusal(await summary(query)), '400 rest_invalid_param', query);
    }
  });

  test('403: refresh without the write scope', async () => {
    assert.equal(refusal(await summary('?refresh=true', reader)), '403 svc_api_insufficient_scope');
  });
});
