import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

const order = (changes: object = {}) => ({
  date: '2026-03-29T12:00:00',
  status: 'completed',
  total: 90,
  ...changes,
});

const put = (json: object, id = 1) =>
  app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json });
const batch = async (orders: object[]) =>
  (await app.call(`${STORE}/orders/batch`, { method: 'POST', key: admin, json: { orders } })).body
    .results;

async function assertNothingStored(): Promise<void> {
  const reply = await app.call(`${STORE}/orders/1`, { key: admin });
  assert.equal(refusal(reply), '404 svc_api_not_found');
}

describe('a response names every faulty field of an order', () => {
  const cases: [name: string, json: object, missing: string[], invalid: string[]][] = [
    [
      'what the schema finds beside what it cannot tell',
      order({ date: 'soon', status: 'done', total: -1, discount: 0.001 }),
      [],
      ['status', 'total', 'date', 'discount'],
    ],
    [
      'missing fields beside faulty times and amounts',
      { date: '2026-02-30', shipping: 1.005 },
      ['status', 'total'],
      ['date', 'shipping'],
    ],
    [
      'every time of it',
      order({
        date: 'x',
        date_modified: 'x',
        refunds: [
          { id: 1, amount: 1, date: '2026-03-30' },
          { id: 2, amount: 1, date: 'x' },
        ],
      }),
      [],
      ['date', 'date_modified', 'refunds[1].date'],
    ],
    [
      'every amount of it',
      order({
        subtotal: 0.001,
        total: 0.001,
        items: [{ product_id: 1, quantity: 1, subtotal: 0.001, total: 0.001 }],
        refunds: [{ id: 1, amount: 0.001, items: [{ product_id: 1, quantity: 1, total: 0.001 }] }],
      }),
      [],
      [
        'subtotal',
        'total',
        'items[0].subtotal',
        'items[0].total',
        'refunds[0].amount',
        'refunds[0].items[0].total',
      ],
    ],
    [
      'a rate that is needed, beside others',
      order({ currency: 'EUR', date: 'x', status: 'done' }),
      [],
      ['status', 'date', 'exchange_rate'],
    ],
    [
      'a faulty currency: which amounts are right is not known then',
      order({ currency: 'kwd', total: 1.234, date: 'x' }),
      [],
      ['currency', 'date'],
    ],
    [
      'a rate that makes amounts too large',
      order({ currency: 'EUR', exchange_rate: 1e9, total: 1e9 }),
      [],
      ['exchange_rate'],
    ],
  ];

  for (const [name, json, missing, invalid] of cases) {
    test(name, async () => {
      const reply = await put(json);
      assert.equal(reply.status, 400, reply.text);
      const { params, invalid: beside } = reply.body.data;
      const named = missing.length > 0 ? beside : params;
      assert.deepEqual(Object.keys(named).sort(), invalid.toSorted());
      if (missing.length > 0) assert.deepEqual(params, missing);
      const [result] = await batch([{ order_id: 1, ...json }]);
      assert.deepEqual([result.status, result.code], [400, reply.body.code]);
      assert.deepEqual([result.params, result.invalid], [params, beside], 'a batch says the same');
      await assertNothingStored();
    });
  }
});
