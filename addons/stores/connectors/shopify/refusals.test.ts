import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { directShop } from '../../test/direct-shop.ts';
import { orderJson } from '../../test/shopify/fake-orders.ts';
import { CLIENT, FakeShopify } from '../../test/shopify/fake-shopify.ts';
import { orderOf } from '../../test/shopify/samples.ts';
import type { StoreApi } from '../connector.ts';
import { queryShopify } from './client.ts';
import { createCoupon } from './discounts.ts';
import { changedSince, fetchOrder } from './orders.ts';
import { connect } from './webhooks.ts';

const fake = await FakeShopify.open();
after(() => fake.api.close());
const { scopes, plan } = fake;
const shop = (more: Partial<StoreApi> = {}) =>
  directShop({ url: fake.api.url, credentials: CLIENT, nowMs: fake.nowMs, ...more });
const order = fake.place();
const id = String(order.id);
const whole = { sinceMs: 0, page: null };

beforeEach(() => Object.assign(fake, { scopes, plan }));

describe('what Shopify does not answer', () => {
  test('is named: a field that its schema does not have, also beside data', async () => {
    const query = 'query Wrong { shop { id nickname } }';
    await assert.rejects(queryShopify(shop(), query), {
      code: 'failed',
      message: /^Shopify did not answer the request: Cannot query field "nickname" on type "Shop"/,
    });
    const answer = { data: { order: null }, errors: [{ message: 'Timeout', path: ['order'] }] };
    await assert.rejects(fetchOrder(answering(200, answer), id), {
      code: 'failed',
      message: /Timeout/,
    });
  });

  for (const [name, scope] of [
    ['the products of lines', 'read_products'],
    ['the customer', 'read_customers'],
  ] as const) {
    test(`without the scope for ${name} no order is read, rather than another one`, async () => {
      fake.scopes = scopes.filter((each) => each !== scope);
      const refused = { code: 'credentials', message: new RegExp(scope) };
      await assert.rejects(fetchOrder(shop(), id), refused);
      await assert.rejects(changedSince(shop(), whole), refused);
    });
  }

  test('personal data that the plan of the shop withholds is missing from the order', async () => {
    fake.plan = 'Basic';
    const { customer, country, ...read } = orderOf(await fetchOrder(shop(), id));
    const { customer: delivered, country: known, ...rest } = orderOf(orderJson(order));
    assert.deepEqual([customer, country], [{ id: delivered!.id }, undefined]);
    assert.deepEqual([read, known], [rest, 'CH']);
  });

  for (const [status, code, message] of [
    [402, 'failed', /frozen.*402/],
    [404, 'failed', /404/],
    [423, 'failed', /locked.*423/],
  ] as const) {
    test(`the status ${status} is a failure, and no shop without orders`, async () => {
      const refused = { code, message };
      await assert.rejects(fetchOrder(answering(status, { errors: 'No' }), id), refused);
      await assert.rejects(changedSince(answering(status, {}), whole), refused);
    });
  }

  test('a part that is missing is a failure, too', async () => {
    for (const data of [
      null,
      {},
      { order: {}, orders: {} },
      { orders: { edges: [], pageInfo: {} } },
      { orders: { edges: [], pageInfo: { hasNextPage: true } } },
      { orders: { edges: [{ cursor: 'a', node: { id } }], pageInfo: { hasNextPage: false } } },
    ]) {
      await assert.rejects(fetchOrder(answering(200, { data }), id), { code: 'failed' });
      await assert.rejects(changedSince(answering(200, { data }), whole), { code: 'failed' });
    }
  });
});

test('what a mutation refuses is named with its field', async () => {
  await assert.rejects(connect(shop({ receiverUrl: 'http://program.example/connect/1' })), {
    code: 'failed',
    message:
      'Shopify refused http://program.example/connect/1 as the address of a webhook: ' +
      'webhookSubscription.uri: Address must use https',
  });
  const discount = { type: 'percent', amount: 10 } as const;
  const code = 'A'.repeat(256);
  await assert.rejects(createCoupon(shop(), { code, discount, currency: 'USD' }), {
    code: 'failed',
    message: /: basicCodeDiscount\.code: Code is too long/,
  });
  fake.scopes = ['read_orders'];
  await assert.rejects(createCoupon(shop(), { code: 'TEN', discount, currency: 'USD' }), {
    code: 'credentials',
    message: /write_discounts/,
  });
});

/** A shop that answers its API with the same, whatever is asked. */
function answering(status: number, json: object): StoreApi {
  const credentials = { access_token: 'shpat_example' };
  const response = { status, headers: {}, json, text: JSON.stringify(json) };
  return shop({ credentials, request: async () => response });
}
