import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

/** What the records of an order show: its currency and the store's, and its own name. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'read');
const STORE = '/svc/store/v1';
const coupon = (
  await app.call(`${STORE}/coupons`, {
    method: 'POST',
    key: admin,
    json: { code: 'RECORD', user_id: idOf('maya') },
  })
).body;

const order = (changes: object = {}) => ({
  date: '2026-03-29T12:00:00',
  status: 'completed',
  total: 90,
  coupon_codes: ['RECORD'],
  ...changes,
});

let lastOrder = 0;
const put = (id: number, json: object) =>
  app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json });

/** The same order in every record that shows it. */
async function records(id: number): Promise<Record<string, any>> {
  const list = async (key: string) =>
    (await app.call(`/coupons/${coupon.id}/orders?per_page=100`, { key })).body.find(
      (row: any) => row.order_id === id,
    );
  const csv = (await app.call(`${STORE}/exports/orders.csv`, { key: admin })).text;
  const rows = parse(csv, { columns: true }) as Record<string, string>[];
  return {
    stored: (await app.call(`${STORE}/orders/${id}`, { key: admin })).body,
    forAdmin: await list(admin),
    forOwner: await list(maya),
    exported: rows.find((row) => row['order_id'] === String(id)),
  };
}

describe('an order in another currency', () => {
  test("its currency is the store's, as its amounts are; its own is next to it", async () => {
    const id = ++lastOrder;
    const json = { currency: 'JPY', exchange_rate: 0.0067, total: 10_000 };
    const { body } = await put(id, order(json));
    for (const record of [body, ...Object.values(await records(id))]) {
      assert.deepEqual(
        [
          record.currency,
          Number(record.total),
          record.order_currency,
          Number(record.exchange_rate),
        ],
        ['USD', 67, 'JPY', 0.0067],
      );
    }
  });

  test("in the store's own currency the rate is 1, whatever was sent", async () => {
    const id = ++lastOrder;
    const { body } = await put(id, order({ exchange_rate: 7 }));
    for (const record of [body, ...Object.values(await records(id))]) {
      assert.deepEqual(
        [
          record.currency,
          Number(record.total),
          record.order_currency,
          Number(record.exchange_rate),
        ],
        ['USD', 90, 'USD', 1],
      );
    }
  });
});

describe('external_id', () => {
  test('is shown to administrators wherever the order is, and changes with it', async () => {
    const id = ++lastOrder;
    const external_id = 'gid://shop/Order/4711 \u2014 \u20ac';
    const { body } = await put(id, order({ external_id }));
    assert.equal(body.external_id, external_id);
    const { stored, forAdmin, forOwner, exported } = await records(id);
    assert.deepEqual(
      [stored.external_id, forAdmin.external_id, exported.external_id],
      [external_id, external_id, external_id],
    );
    assert.ok(!('external_id' in forOwner));
    assert.equal((await put(id, order({ external_id: 'B-2' }))).body.external_id, 'B-2');
    assert.equal((await put(id, order())).body.external_id, null);
  });

  test('is 1 to 100 characters of text', async () => {
    for (const external_id of ['', 'x'.repeat(101), 5]) {
      const reply = await put(++lastOrder, order({ external_id }));
      assert.equal(refusal(reply), '400 rest_invalid_param');
      assert.deepEqual(Object.keys(reply.body.data.params), ['external_id']);
    }
    assert.equal((await put(++lastOrder, order({ external_id: 'x'.repeat(100) }))).status, 201);
  });
});

describe('ids of the store', () => {
  const items = (id: number | string) => [
    { product_id: id, quantity: 1, subtotal: 40, total: 40 },
    { product_id: 'other', quantity: 1, subtotal: 50, total: 50 },
  ];
  const refund = (refundId: number | string, productId: number | string) => ({
    refunds: [
      {
        id: refundId,
        amount: 40,
        items: [{ product_id: productId, quantity: 1, total: 40 }],
      },
    ],
  });
  const commissionOf = (reply: any) => reply.body.referrals[0].commission;
  const head = async () =>
    (await app.call('/events?per_page=1', { key: admin })).headers.get('x-svc-last-event');

  test('of products, refunds and customers are whole numbers or text', async () => {
    const id = ++lastOrder;
    const json = order({ items: items('gid://Product/7'), customer: { id: 'c-9' } });
    assert.equal(commissionOf(await put(id, json)), 9);
    const refunded = { ...json, ...refund('r-1', 'gid://Product/7') };
    assert.equal(commissionOf(await put(id, refunded)), 5);
    const { body } = await app.call(`${STORE}/orders/${id}/commission`, { key: admin });
    assert.match(JSON.stringify(body.referrals[0].steps), /product other/);
  });

  test('1 and "1" are the same id: of a product, of a refund, of a customer', async () => {
    const id = ++lastOrder;
    const numbers = order({ items: items(1), customer: { id: 5 }, ...refund(3, 1) });
    assert.equal(commissionOf(await put(id, numbers)), 5);
    const before = await head();
    const texts = order({ items: items('1'), customer: { id: '5' }, ...refund('3', '1') });
    assert.equal(commissionOf(await put(id, texts)), 5);
    assert.equal(await head(), before, 'the same order again changes nothing');
    assert.equal(commissionOf(await put(id, { ...texts, ...refund(3, '1'), items: items(1) })), 5);
  });

  test('product rates are found by number and by text, and nothing else is', async () => {
    const percents = { 1: 50, 'gid://Product/7': 20 };
    const setPercents = (value: object) =>
      app.call(`${STORE}/settings`, {
        method: 'PATCH',
        key: admin,
        json: { 'commission.product_percents': value },
      });
    assert.equal((await setPercents(percents)).status, 200);
    const of = async (product: number | string) =>
      commissionOf(await put(++lastOrder, order({ items: items(product) })));
    assert.deepEqual(
      [await of(1), await of('1'), await of('gid://Product/7'), await of('01')],
      [25, 25, 13, 9],
    );
    assert.deepEqual([await of('constructor'), await of('__proto__')], [9, 9]);
    await setPercents({});
  });

  test('the same customer is recognized by number and by text', async () => {
    await app.set({ 'attribution.lifetime': true });
    await put(++lastOrder, order({ customer: { id: 77 } }));
    const later = order({ coupon_codes: [], customer: { id: '77' } });
    const { body } = await put(++lastOrder, later);
    assert.equal(body.referrals[0].credited_via, 'lifetime');
    await app.set({ 'attribution.lifetime': false });
  });

  for (const [field, json] of [
    ['items', { items: [{ product_id: '', quantity: 1, subtotal: 1, total: 1 }] }],
    ['items', { items: [{ product_id: -1, quantity: 1, subtotal: 1, total: 1 }] }],
    ['items', { items: [{ product_id: 1.5, quantity: 1, subtotal: 1, total: 1 }] }],
    ['refunds', { refunds: [{ id: 'x'.repeat(101), amount: 1 }] }],
    ['refunds', { refunds: [{ id: null, amount: 1 }] }],
    ['customer', { customer: { id: true } }],
  ] as const) {
    test(`400: ${JSON.stringify(json).slice(0, 60)}`, async () => {
      const reply = await put(++lastOrder, order(json));
      assert.equal(refusal(reply), '400 rest_invalid_param');
      assert.deepEqual(Object.keys(reply.body.data.params), [field]);
    });
  }
});
