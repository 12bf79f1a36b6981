import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { directShop } from '../../test/direct-shop.ts';
import { orderJson } from '../../test/shopify/fake-orders.ts';
import { CLIENT, FakeShopify } from '../../test/shopify/fake-shopify.ts';
import { map } from '../../test/shopify/samples.ts';
import { changedSince, fetchOrder } from './orders.ts';
import { check, connect } from './webhooks.ts';

const fake = await FakeShopify.open();
after(() => fake.api.close());
const shop = () => directShop({ url: fake.api.url, credentials: CLIENT, nowMs: fake.nowMs });
/** Of all orders since then, as they are mapped. */
async function readAll(sinceMs: number, page: string | null = null) {
  const orders: unknown[] = [];
  const sizes: number[] = [];
  do {
    const { payloads, next } = await changedSince(shop(), { sinceMs, page });
    orders.push(...payloads.map((payload) => map(payload, 'sync')));
    sizes.push(payloads.length);
    page = next;
  } while (page !== null);
  return { orders, sizes };
}
const delivered = () => [...fake.orders.values()].map((order) => map(orderJson(order)));

beforeEach(() => {
  fake.orders.clear();
  fake.graphql.limit(2_000, 50_000);
  fake.graphql.operations.length = 0;
});

test('an order of 300 lines and 120 refunds is read whole, alone and among others', async () => {
  const sinceMs = fake.nowMs;
  const large = fake.place({ code: 'MAYA10', lineCount: 300, quantity: 60 });
  for (let i = 0; i < 60; i += 1) fake.refund(large, 1);
  for (let i = 0; i < 59; i += 1) fake.refund(large, 0, 1);
  // One of all other lines, more than a page of them.
  fake.refundLines(large, large.lines.slice(1, 200));
  fake.place();
  assert.deepEqual(map(await fetchOrder(shop(), String(large.id)), 'sync'), delivered()[0]);
  const { orders } = await readAll(sinceMs);
  assert.deepEqual(orders, delivered());
  const [mapped] = orders as any[];
  assert.deepEqual([mapped.order.items.length, mapped.order.refunds.length], [300, 120]);
  assert.equal(mapped.order.refunds.at(-1).items.length, 199);
});

describe('costs', () => {
  test('every query costs less than Shopify allows, and orders at most half of it', async () => {
    const order = fake.place({ lineCount: 60 });
    for (let i = 0; i < 20; i += 1) fake.refund(order, 0, 1);
    await connect(shop());
    await check(shop());
    await readAll(0);
    await fetchOrder(shop(), String(order.id));
    const costs = new Map(fake.graphql.operations.map(({ name, cost }) => [name, cost]));
    assert.deepEqual(
      [...costs.keys()].sort(),
      ['CreateWebhook', 'Order', 'Orders', 'Refunds', 'Rest', 'Shop', 'Webhooks'].sort(),
    );
    for (const [name, cost] of costs) assert.ok(cost <= 500, `${name} costs ${cost}`);
  });

  test('a page asks for as many orders as the costs of the pages before allow', async () => {
    for (let i = 0; i < 60; i += 1) fake.place();
    // As if Shopify took a tenth of what it documents.
    fake.graphql.discount = 10;
    const { orders, sizes } = await readAll(0);
    fake.graphql.discount = 1;
    assert.deepEqual(orders, delivered());
    assert.ok(sizes[1]! > sizes[0]! * 5, sizes.join());
    // Now that size costs too much, which is not known before it is tried.
    assert.deepEqual((await readAll(0)).orders, delivered());
    assert.ok(fake.graphql.operations.every(({ cost }) => cost <= 1_000));
  });

  test('a small bucket slows reading down, and nothing is lost or refused', async () => {
    for (let i = 0; i < 40; i += 1) fake.refund(fake.place(), 1);
    await readAll(0);
    fake.graphql.limit(1_000, 5_000);
    fake.graphql.operations.length = 0;
    assert.deepEqual((await readAll(0)).orders, delivered());
    const { operations } = fake.graphql;
    assert.ok(operations.length > 10);
    // What other queries of the app take is only known from answers.
    assert.ok(operations.filter(({ isThrottled }) => isThrottled).length <= 1);
  });

  test('a query that was throttled is sent again when there is room', async () => {
    const { id } = fake.place();
    await fetchOrder(shop(), String(id));
    fake.graphql.limit(1_000, 2_000);
    fake.graphql.empty();
    fake.graphql.operations.length = 0;
    assert.partialDeepStrictEqual(await fetchOrder(shop(), String(id)), { id: String(id) });
    assert.deepEqual(
      fake.graphql.operations.map(({ isThrottled }) => isThrottled),
      [true, false],
    );
  });

  test('an app that others keep busy is asked later', async () => {
    const { id } = fake.place();
    fake.graphql.isBusy = true;
    await assert.rejects(fetchOrder(shop(), String(id)), (error: any) => {
      assert.equal(error.code, 'busy');
      return error.retryAfterMs > 0;
    });
    fake.graphql.isBusy = false;
  });
});

test('a list of more orders than Shopify pages goes on from the last change', async () => {
  const [first, second, third] = [fake.place(), fake.place(), fake.place()];
  for (const order of [first, second, third]) fake.change(order, { shipped: true });
  const page = JSON.stringify({ sinceMs: 0, after: null, listed: 19_998 });
  fake.pageSizeMax = 2;
  const { payloads, next } = await changedSince(shop(), { sinceMs: 0, page });
  assert.partialDeepStrictEqual(JSON.parse(next!), { after: null, listed: 0 });
  const [last] = payloads.slice(-1) as any[];
  assert.equal(JSON.parse(next!).sinceMs, Date.parse(last.updated_at));
  const { orders } = await readAll(0, next);
  fake.pageSizeMax = 250;
  const ids = [...payloads.map((payload) => map(payload)), ...orders].map(
    ({ order }: any) => order.external_id,
  );
  assert.deepEqual(
    [...new Set(ids)],
    [first, second, third].map(({ id }) => String(id)),
  );
});

test('the marker of a page of the REST API begins the run again', async () => {
  fake.place();
  const { payloads } = await changedSince(shop(), { sinceMs: 0, page: 'eyJsYXN0X2lkIjo0fQ' });
  assert.equal(payloads.length, 1);
});
