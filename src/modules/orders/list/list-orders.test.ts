import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { statementsOf } from '../../../../bench/recorded.ts';
import { idOf, openTestApp, refusal } from '../../../../test/support/harness.ts';
import { postgresPlan } from '../../../../test/support/postgres-plan.ts';
import { findOrderNumbers, orderSorts } from './order-list-rows.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({ config: { timezone: 'America/New_York' } });
const admin = await app.key('admin', 'read,write');
const maya = idOf('maya');
const tomas = idOf('tomas');

async function coupon(code: string, user_id: number): Promise<number> {
  const json = { code, user_id };
  return (await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json })).body.id;
}
const one = await coupon('MAYA10', maya);
await coupon('MAYA-VIP', maya);
await coupon('TOM5', tomas);

/** Day of March, status, total, codes. */
const sent: [id: number, day: number, status: string, total: number, codes: string[]][] = [
  [1, 1, 'completed', 50, ['MAYA10']],
  [2, 2, 'completed', 300, ['TOM5']],
  [3, 3, 'cancelled', 20, ['MAYA10']],
  [4, 3, 'processing', 90, ['MAYA-VIP', 'TOM5']],
  [5, 4, 'completed', 10, []],
  [6, 5, 'failed', 70, []],
  [1042, 5, 'completed', 120, ['MAYA10', 'MAYA-VIP']],
];
await app.call(`${STORE}/orders/batch`, {
  method: 'POST',
  key: admin,
  json: {
    orders: sent.map(([order_id, day, status, total, coupon_codes]) => {
      const date = `2026-03-0${day}T23:30:00`;
      const own = { external_id: `WEB-${order_id}`, number: `EU-${order_id + 3}` };
      return { order_id, date, status, total, coupon_codes, ...own };
    }),
  },
});

const list = (search = '') => app.call(`${STORE}/orders?${search}`, { key: admin });
const ids = async (search = '') =>
  (await list(search)).body.map((order: any) => order.order_id) as number[];

describe('GET /orders', () => {
  test('200: an order with its coupons, their affiliates and what each earns', async () => {
    const { body } = await list('search=4');
    const [order] = body;
    assert.deepEqual(
      { ...order, referrals: undefined },
      {
        order_id: 4,
        external_id: 'WEB-4',
        number: 'EU-7',
        store: null,
        date: '2026-03-03T23:30:00',
        status: 'processing',
        currency: 'USD',
        order_currency: 'USD',
        total: 90,
        refunded: 0,
        commission: 18,
        referrals: undefined,
      },
    );
    assert.deepEqual(
      order.referrals.map((r: any) => [r.coupon_code, r.affiliate.login, r.commission, r.state]),
      [
        ['MAYA-VIP', 'maya', 9, 'awaiting'],
        ['TOM5', 'tomas', 9, 'awaiting'],
      ],
    );
  });

  test('200: each sort, with and without a filter', async () => {
    const expected: [search: string, ids: number[]][] = [
      ['', [1042, 6, 5, 4, 3, 2, 1]],
      ['sort=date', [1, 2, 3, 4, 5, 6, 1042]],
      ['sort=-amount', [2, 1042, 4, 6, 1, 3, 5]],
      ['sort=amount', [5, 3, 1, 6, 4, 1042, 2]],
      ['sort=-commission', [2, 1042, 4, 1, 3]],
      ['sort=commission', [3, 1, 4, 1042, 2]],
      ['status=completed', [1042, 5, 2, 1]],
      ['status=completed&sort=-amount', [2, 1042, 1, 5]],
      ['status=completed&sort=-commission', [2, 1042, 1]],
      ['from=2026-03-03&to=2026-03-04', [5, 4, 3]],
      ['from=2026-03-03&to=2026-03-04&sort=amount', [5, 3, 4]],
      ['from=2026-03-03&to=2026-03-04&sort=-commission', [4, 3]],
      ['min_amount=50&max_amount=120', [1042, 6, 4, 1]],
      ['min_amount=50&max_amount=120&sort=amount&status=completed', [1, 1042]],
      [`affiliate=${maya}`, [1042, 4, 3, 1]],
      [`affiliate=${maya}&sort=-amount`, [1042, 4, 1, 3]],
      [`affiliate=${maya}&sort=commission`, [3, 1, 4, 1042]],
      [`affiliate=${maya}&min_amount=60`, [1042, 4]],
      [`affiliate=${maya}&coupon=${one}&status=completed`, [1042, 1]],
      [`affiliate=${tomas}&coupon=${one}`, []],
      [`affiliate=${maya}&from=2026-03-05`, [1042]],
      ['search=maya', [1042, 4, 3, 1]],
      ['search=TOM', [4, 2]],
      ['search=maya-v', [1042, 4]],
      [`search=maya&affiliate=${tomas}`, []],
      ['search=nobody', []],
      ['search=%231042', [1042]],
      ['search=1042&status=failed', []],
      ['search=777', []],
      ['search=EU-1045', [1042]],
      ['search=%23eu-4', [1]],
      ['search=EU-4&status=failed', []],
      [`search=EU-5&affiliate=${maya}`, []],
    ];
    for (const [search, found] of expected) assert.deepEqual(await ids(search), found, search);
  });

  test('200: pages; a search that ends at the depth of the list says so', async () => {
    const { body, headers } = await list('per_page=2&page=2');
    assert.deepEqual(
      body.map((order: any) => order.order_id),
      [5, 4],
    );
    const total = ['x-svc-total', 'x-svc-totalpages', 'x-svc-more'];
    assert.deepEqual(
      total.map((name) => headers.get(name)),
      ['7', '4', 'false'],
    );
    assert.deepEqual(await ids('per_page=100&page=9'), []);
    const orders = Array.from({ length: 1000 }, (_, i) => i);
    for (const first of [10_000, 20_000, 30_000]) {
      await app.call(`${STORE}/orders/batch`, {
        method: 'POST',
        key: admin,
        json: {
          orders: orders.map((i) => {
            const date = '2026-04-01T10:00:00';
            return { order_id: first + i, date, status: 'completed', total: 1, coupon_codes: [] };
          }),
        },
      });
    }
    const deep = await list('per_page=100&page=20');
    assert.deepEqual(
      total.map((name) => deep.headers.get(name)),
      ['2000', '20', 'true'],
    );
    assert.equal(deep.body.length, 100);
    assert.deepEqual(await ids('per_page=100&page=21'), []);
  });

  test('400: amounts that cannot be, or cannot be sorted by', async () => {
    for (const search of [
      'min_amount=0.001',
      'min_amount=-1',
      'max_amount=5&sort=commission',
      'sort=name',
      'status=lost',
      'from=2026-03-02&to=2026-03-01',
    ]) {
      assert.equal(refusal(await list(search)), '400 rest_invalid_param', search);
    }
  });
});

test('coupons with many orders have the same lists as those with few', async () => {
  const { read } = app.site.database;
  const couponIds = (await app.call('/coupons?search=maya', { key: admin })).body.map(
    ({ id }: any) => id,
  );
  const [from_ms, to_ms] = [Date.parse('2026-03-03T00:00Z'), Date.parse('2026-03-05T00:00Z')];
  for (const bounds of [{}, { from_ms, to_ms }, { status: 'completed' }] as const) {
    for (const sort of orderSorts) {
      const filter = { couponIds, ...bounds };
      const few = await findOrderNumbers(read, filter, sort);
      assert.ok(few.length > 0);
      assert.deepEqual(await findOrderNumbers(read, filter, sort, 1), few, sort);
    }
  }
});

if (app.site.database.dialect.name === 'postgresql') {
  test('PostgreSQL looks up the orders of busy coupons one by one, and joins no table', async () => {
    const { database } = app.site;
    for (const sort of orderSorts) {
      const statements = await statementsOf(async () => {
        await findOrderNumbers(database.read, { couponIds: [one] }, sort, 1);
      });
      const text = await postgresPlan(database, statements.at(-1)!);
      assert.match(text, /SubPlan/);
      assert.doesNotMatch(text, / Join/);
    }
  });
}

describe('GET /orders/{order_id}/commission', () => {
  test('200 for the affiliate that has the coupon now, 404 for the one that had it', async () => {
    const seen = async (login: string) => {
      const key = await app.key(login, 'read');
      const reply = await app.call(`${STORE}/orders/2/commission`, { key });
      return reply.status === 200 ? reply.body.referrals.length : reply.status;
    };
    assert.deepEqual([await seen('maya'), await seen('tomas')], [404, 1]);
    const coupons = await app.call(`/coupons?search=tom5`, { key: admin });
    const moved = await app.call(`${STORE}/coupons/${coupons.body[0].id}`, {
      method: 'PATCH',
      key: admin,
      json: { user_id: maya, move_balance: true },
    });
    assert.equal(moved.status, 200);
    assert.deepEqual([await seen('maya'), await seen('tomas')], [1, 404]);
    assert.deepEqual(await ids(`affiliate=${maya}&status=completed&sort=-amount`), [2, 1042, 1]);
  });
});

describe('GET /orders: what is expected', () => {
  test('200: an unpaid order earns nothing yet, and says what it will earn', async () => {
    const path = `${STORE}/orders/2001`;
    const order = { date: '2026-02-01T10:00:00', status: 'pending', coupon_codes: ['MAYA10'] };
    await app.call(path, { method: 'PUT', key: admin, json: { ...order, total: 40 } });
    const referral = async () => {
      const [{ referrals }] = (await list('search=2001')).body;
      return referrals.map((r: any) => [r.commission, r.expected, r.state]);
    };
    assert.deepEqual(await referral(), [[0, 4, 'void']]);
    await app.call(path, {
      method: 'PUT',
      key: admin,
      json: { ...order, total: 40, status: 'processing' },
    });
    assert.deepEqual(await referral(), [[4, 4, 'awaiting']]);
    await app.call(path, {
      method: 'PUT',
      key: admin,
      json: { ...order, total: 40, status: 'failed' },
    });
    assert.deepEqual(await referral(), [[0, null, 'void']]);
  });
});
