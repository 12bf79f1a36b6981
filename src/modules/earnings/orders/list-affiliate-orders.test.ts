import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({ config: { timezone: 'Europe/Berlin' } });
const admin = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'read');
const path = `${STORE}/affiliates/${idOf('maya')}/orders`;

async function coupon(code: string, login = 'maya'): Promise<number> {
  const json = { code, user_id: idOf(login) };
  return (await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json })).body.id;
}

async function order(id: number, given: object): Promise<void> {
  const json = {
    date: '2026-03-01T10:00:00',
    status: 'completed',
    subtotal: 100,
    total: 119,
    tax: 19,
  };
  const reply = await app.call(`${STORE}/orders/${id}`, {
    method: 'PUT',
    key: admin,
    json: { ...json, ...given },
  });
  assert.ok(reply.status < 300, reply.text);
}

const list = (query = '', key = maya) => app.call(`${path}?${query}`, { key });
const idsOf = async (query = ''): Promise<number[]> =>
  (await list(query)).body.map(({ order_id }: { order_id: number }) => order_id);

const first = await coupon('MAYA10');
const second = await coupon('Spring-7');
const other = await coupon('TOMAS', 'tomas');
await order(1, { coupon_codes: ['MAYA10'], date: '2026-03-01T10:00:00' });
await order(2, { coupon_codes: ['SPRING-7'], date: '2026-03-02T10:00:00', status: 'processing' });
await order(3, { coupon_codes: ['MAYA10'], date: '2026-03-03T10:00:00', status: 'refunded' });
await order(4, {
  coupon_codes: ['MAYA10', 'TOMAS'],
  date: '2026-03-04T10:00:00',
  status: 'pending',
});
await order(5, {
  coupon_codes: ['SPRING-7'],
  date: '2026-03-05T10:00:00',
  customer: { email: 'maya@test.example' },
});
await order(6, {
  coupon_codes: ['MAYA10'],
  date: '2026-03-06T10:00:00',
  refunds: [{ id: 1, amount: 119 }],
});
await order(7, { coupon_codes: ['TOMAS'], date: '2026-03-07T10:00:00' });
await app.set({ 'commission.delay_days': 5 });
await order(8, { coupon_codes: ['SPRING-7'], date: '2026-03-08T10:00:00' });

describe('GET /affiliates/{id}/orders', () => {
  test('the orders of all coupons, newest first, with what each earns', async () => {
    const { status, body, headers } = await list();
    assert.equal(status, 200);
    assert.equal(headers.get('x-svc-total'), '7');
    assert.deepEqual(
      body.map(({ order_id, coupon_code, ...o }: any) => [
        order_id,
        coupon_code,
        o.base,
        o.commission,
        o.expected,
        o.state,
        o.reason,
      ]),
      [
        [8, 'Spring-7', 100, 10, null, 'on_hold', null],
        [6, 'MAYA10', 0, 0, null, 'nothing', 'refunded'],
        [5, 'Spring-7', 100, 0, null, 'nothing', 'self_referral'],
        [4, 'MAYA10', 100, 0, 10, 'awaiting', 'order_status'],
        [3, 'MAYA10', 100, 0, null, 'reversed', 'order_status'],
        [2, 'Spring-7', 100, 10, 10, 'awaiting', null],
        [1, 'MAYA10', 100, 10, null, 'earned', null],
      ],
    );
    const until = app.site.calendar.toLocal(app.site.clock() + 5 * 24 * 60 * 60_000);
    assert.deepEqual(body[0], {
      order_id: 8,
      date: '2026-03-08T10:00:00',
      status: 'completed',
      coupon_id: second,
      coupon_code: 'Spring-7',
      currency: 'USD',
      sales: 119,
      base: 100,
      commission: 10,
      expected: null,
      state: 'on_hold',
      reason: null,
      hold_until: until,
      creative: null,
      sub1: '',
      sub2: '',
      sub3: '',
      sub4: '',
      sub5: '',
    });
  });

  test('by state, coupon, day and search, each with its total', async () => {
    const expected: [string, number[]][] = [
      ['state=earned', [1]],
      ['state=awaiting', [4, 2]],
      ['state=on_hold', [8]],
      ['state=reversed', [3]],
      ['state=nothing', [6, 5]],
      ['state=nothing&coupon=' + first, [6]],
      ['coupon=' + second, [8, 5, 2]],
      ['coupon=' + other, []],
      ['from=2026-03-03&to=2026-03-05', [5, 4, 3]],
      ['from=2026-03-03&to=2026-03-05&state=reversed', [3]],
      ['search=spring', [8, 5, 2]],
      ['search=spring&state=awaiting', [2]],
      ['search=4', [4]],
      ['search=%234', [4]],
      ['search=4&state=earned', []],
      // Order 7 is another affiliate's; the code of a coupon has a 7, too.
      ['search=7', [8, 5, 2]],
      ['search=nobody', []],
    ];
    for (const [query, ids] of expected) {
      const { body, headers } = await list(query);
      assert.deepEqual([query, body.map((o: any) => o.order_id)], [query, ids]);
      assert.equal(headers.get('x-svc-total'), String(ids.length), query);
    }
  });

  test('pages join without a gap, also far behind', async () => {
    const many = Array.from({ length: 700 }, (_, i) => ({
      order_id: 1000 + i,
      date: `2026-01-${String(1 + (i % 28)).padStart(2, '0')}T${String(i % 24).padStart(2, '0')}:00:00`,
      status: 'completed',
      subtotal: 10,
      total: 10,
      coupon_codes: [i % 3 === 0 ? 'SPRING-7' : 'MAYA10'],
    }));
    const json = { orders: many };
    await app.call(`${STORE}/orders/batch`, { method: 'POST', key: admin, json });
    const pages: any[] = [];
    for (let page = 1; page <= 8; page++) {
      pages.push(...(await list(`per_page=100&page=${page}`)).body);
    }
    assert.equal(new Set(pages.map((o) => o.order_id)).size, 707);
    assert.deepEqual(
      pages.map((o) => o.date),
      pages.map((o) => o.date).toSorted((a, b) => (a < b ? 1 : -1)),
    );
    assert.deepEqual((await list('per_page=100&page=9')).body, []);
    assert.deepEqual(
      await idsOf('per_page=100&page=6&coupon=' + first),
      await idsOf('per_page=100&page=6&search=maya'),
    );
  });

  test('an open order whose goods are excluded earns nothing, also once it is paid', async () => {
    const json = { code: 'NONE', user_id: idOf('maya'), percent_override: 0 };
    const { body } = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
    await order(10, { coupon_codes: ['NONE'], status: 'pending' });
    const { body: found } = await list(`coupon=${body.id}`);
    assert.deepEqual(
      found.map(({ state, reason, expected }: any) => [state, reason, expected]),
      [['nothing', 'zero_commission', null]],
    );
  });

  test('404 for another affiliate, 400 for an unknown state', async () => {
    const tomas = await app.key('tomas', 'read');
    assert.equal((await list('', tomas)).status, 404);
    assert.equal((await list('state=paid')).status, 400);
  });
});
