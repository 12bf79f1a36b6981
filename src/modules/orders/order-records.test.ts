import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { idOf, openTestApp, refusal } from '../../../test/harness.ts';

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
  test("its currency is the store's, as its amounts are; its own stands beside", async () => {
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

  test("in the store's own the rate is 1, whatever was sent", async () => {
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
