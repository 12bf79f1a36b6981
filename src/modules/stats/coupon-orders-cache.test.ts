import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { openSecondProcess } from '../../../test/support/second-process.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { putOrder } from '../orders/put-order.ts';

const app = await openTestApp();
const beside = await openSecondProcess(app);
const admin = await app.key('admin', 'read,write');
const maya = await app.key('maya', 'read');
const STORE = '/svc/store/v1';

const coupon = (
  await app.call(`${STORE}/coupons`, {
    method: 'POST',
    key: admin,
    json: { code: 'CACHED', user_id: idOf('maya') },
  })
).body.id;

const RANGE = '?from=2026-07-01&to=2026-07-31';
const list = (query: string, key = maya) => app.call(`/coupons/${coupon}/orders${query}`, { key });

const order = (changes: object = {}) => ({
  date: '2026-07-03T10:00:00',
  status: 'completed',
  total: 100,
  coupon_codes: ['CACHED'],
  ...changes,
});
const put = (id: number, changes: object = {}) =>
  app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json: order(changes) });

for (let id = 1; id <= 30; id++) await put(id);

describe('fixed ranges of GET /coupons/{id}/orders', () => {
  test("the second call reads the coupon's row and nothing else, whatever the page and the status", async () => {
    const { database } = app.site;
    const rowAlone = await statementsOf(database, () =>
      app.call(`/coupons/${coupon}`, { key: maya }),
    );
    for (const more of ['', '&page=2', '&per_page=100', '&status=completed', '&status=failed']) {
      const first = await list(RANGE + more);
      const again = await list(RANGE + more);
      assert.deepEqual(again.body, first.body);
      assert.equal(again.headers.get('x-svc-total'), first.headers.get('x-svc-total'));
      const statements = await statementsOf(database, () => list(RANGE + more));
      assert.equal(statements, rowAlone, more);
    }
  });

  test('a page cached for an affiliate shows admins the fields for admins only, and vice versa', async () => {
    await put(31, { external_id: 'WEB-31' });
    const shown = async (key: string) => (await list(`${RANGE}&per_page=1`, key)).body[0];
    assert.equal(Object.hasOwn(await shown(maya), 'external_id'), false);
    assert.equal((await shown(admin)).external_id, 'WEB-31');
    assert.equal(Object.hasOwn(await shown(maya), 'external_id'), false);
  });

  /** Each changes what the list shows; most change no sum. */
  const changes: [string, object, (row: any) => unknown, unknown][] = [
    ['a new order', { status: 'pending', total: 7 }, (row) => row.status, 'pending'],
    [
      'the total of an order that does not count',
      { status: 'pending', total: 8 },
      (row) => row.total,
      8,
    ],
    [
      'the time of day',
      { status: 'pending', total: 8, date: '2026-07-03T23:00:00' },
      (row) => row.date,
      '2026-07-03T23:00:00',
    ],
    [
      'its own name',
      { status: 'pending', total: 8, date: '2026-07-03T23:00:00', external_id: 'A' },
      (row) => row.external_id,
      'A',
    ],
    ['the status', { status: 'completed', total: 8 }, (row) => row.commission, 0.8],
    ['a refund', { total: 8, refunds: [{ id: 1, amount: 3 }] }, (row) => row.refunded, 3],
    ['the coupon is taken off', { total: 8, coupon_codes: [] }, (row) => row, undefined],
    ['and used again', { total: 9 }, (row) => row.total, 9],
    [
      'another day, out of the range',
      { total: 9, date: '2026-08-01T10:00:00' },
      (row) => row,
      undefined,
    ],
  ];

  for (const [who, send] of [
    ['here', (json: object) => put(99, json)],
    [
      'by another process',
      (json: object) => invoke(beside, putOrder, { order_id: 98, ...order(json) }),
    ],
  ] as const) {
    test(`a change ${who} is visible immediately`, async () => {
      const id = who === 'here' ? 99 : 98;
      for (const [what, json, read, expected] of changes) {
        await list(`${RANGE}&per_page=100`, admin);
        await send(json);
        const { body, headers } = await list(`${RANGE}&per_page=100`, admin);
        const row = body.find((one: any) => one.order_id === id);
        assert.deepEqual(read(row), expected, what);
        assert.equal(Number(headers.get('x-svc-total')), body.length, what);
      }
    });
  }

  test('more pages than fit in the cache: responses stay correct', async () => {
    for (let page = 1; page <= 31; page++) {
      const { body } = await list(`${RANGE}&per_page=1&page=${page}`);
      assert.equal(body.length, 1);
    }
    const { body } = await list(`${RANGE}&per_page=1&page=32`);
    assert.deepEqual(body, []);
  });
});
