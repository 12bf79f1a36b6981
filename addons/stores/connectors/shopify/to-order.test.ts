import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../../test/support/seeded-random.ts';
import { map, orderOf, paid, refund, sample } from '../../test/shopify/samples.ts';
import type { Verification } from '../connector.ts';
import { shopify } from './connector.ts';
import { signatureOf } from './verify.ts';

describe('what is not an order', () => {
  test('test orders and drafts are ignored', () => {
    assert.equal(map({ ...paid, test: true }).result, 'ignored');
    assert.equal(map(paid, 'draft_orders/create').result, 'ignored');
    const draft = { ...paid, admin_graphql_api_id: 'gid://shopify/DraftOrder/1' };
    assert.equal(map(draft).result, 'ignored');
  });

  test('refunds and edits lead to the order, a deleted one is gone', () => {
    assert.partialDeepStrictEqual(map(refund, 'refunds/create'), {
      result: 'ask',
      externalId: paid.id.toString(),
    });
    assert.equal(map(refund, 'refunds/create', { canAsk: false }).result, 'ignored');
    assert.partialDeepStrictEqual(map({ order_edit: { order_id: 7 } }, 'orders/edited'), {
      result: 'ask',
      externalId: '7',
    });
    assert.partialDeepStrictEqual(map({ id: 7 }, 'orders/delete'), {
      result: 'gone',
      externalId: '7',
    });
    assert.equal(map({}, 'orders/create').result, 'failed');
    assert.equal(map({ id: 1 }, 'products/update').result, 'ignored');
    // The topic is not signed.
    assert.equal(map(paid, 'orders/delete').result, 'order');
  });

  test('the requests of privacy law are acted on', () => {
    assert.partialDeepStrictEqual(map(sample('customers-redact'), 'customers/redact'), {
      result: 'redact',
      externalIds: ['5814203449562'],
    });
    const shop = { shop_id: 548380009, shop_domain: 'northern-trail.myshopify.com' };
    assert.partialDeepStrictEqual(map(shop, 'shop/redact'), {
      result: 'redact',
      externalIds: 'all',
    });
    const request = map({ ...shop, orders_requested: [7, 8] }, 'customers/data_request');
    assert.ok(request.result === 'ignored' && /7, 8/.test(request.reason));
  });

  test('any payload gets an answer', () => {
    const topics = ['orders/create', 'refunds/create', 'orders/delete', 'customers/redact', 'x'];
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom(...Object.keys(paid)),
        fc.constantFrom(...topics),
        (value, field, topic) => {
          assert.ok(map(value, topic).result);
          assert.ok(map({ ...paid, [field]: value }, topic).result);
          assert.ok(map({ ...paid, refunds: [{ ...refund, transactions: value }] }).result);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a delivery of Shopify', () => {
  const body = Buffer.from(JSON.stringify(paid));
  const connection: Verification = {
    secrets: ['key-of-the-notifications'],
    credentials: { client_secret: 'client-secret' },
    url: 'https://northern-trail.myshopify.com',
    nowMs: Date.now(),
  };
  const headersFor = (key: string, prefix = 'x-shopify-') => ({
    [`${prefix}topic`]: 'orders/create',
    [`${prefix}hmac-sha256`]: signatureOf(body, key),
    [`${prefix}shop-domain`]: 'northern-trail.myshopify.com',
  });

  test('is genuine with either key and either set of headers', () => {
    for (const key of ['client-secret', 'key-of-the-notifications']) {
      for (const prefix of ['x-shopify-', 'shopify-']) {
        const verdict = shopify.verify({ headers: headersFor(key, prefix), body }, connection);
        assert.partialDeepStrictEqual(verdict, {
          outcome: 'genuine',
          topic: 'orders/create',
          externalId: '5814203449562',
        });
      }
    }
  });

  test('is the same delivery whatever its webhook id', () => {
    const keyOf = (change: object, of = body) => {
      const headers = {
        ...headersFor('client-secret'),
        'x-shopify-hmac-sha256': signatureOf(of, 'client-secret'),
        ...change,
      };
      const verdict = shopify.verify({ headers, body: of }, connection);
      assert.ok(verdict.outcome === 'genuine');
      return verdict.dedupeKey;
    };
    assert.equal(keyOf({ 'x-shopify-webhook-id': 'a' }), keyOf({ 'x-shopify-webhook-id': 'b' }));
    assert.notEqual(keyOf({}), keyOf({ 'x-shopify-topic': 'orders/paid' }));
    assert.notEqual(keyOf({}), keyOf({}, Buffer.from('{"id":1}')));
  });

  test('is refused unsigned, with another key, changed, or from another shop', () => {
    const headers = headersFor('client-secret');
    for (const [delivery, reason] of [
      [{ headers: {}, body }, /no signature/],
      [{ headers: headersFor('another'), body }, /neither/],
      [{ headers, body: Buffer.concat([body, Buffer.from(' ')]) }, /neither/],
      [
        { headers: { ...headers, 'x-shopify-shop-domain': 'other.myshopify.com' }, body },
        /another shop/,
      ],
    ] as const) {
      const verdict = shopify.verify(delivery, connection);
      assert.ok(verdict.outcome === 'refused');
      assert.match(verdict.reason, reason);
    }
    const without = { ...connection, secrets: [], credentials: {} };
    assert.equal(shopify.verify({ headers, body }, without).outcome, 'refused');
  });

  test('of a test order is genuine and an order with the code', () => {
    const delivery = shopify.exampleDelivery(connection, {
      code: 'MAYA10',
      total: 50,
      currency: 'USD',
    });
    const verdict = shopify.verify(delivery, connection);
    assert.equal(verdict.outcome, 'genuine');
    assert.partialDeepStrictEqual(orderOf(JSON.parse(delivery.body.toString())), {
      status: 'completed',
      total: 50,
      coupon_codes: ['MAYA10'],
    });
  });
});

describe('the address of a shop', () => {
  for (const typed of [
    'northern-trail',
    'Northern-Trail.myshopify.com',
    ' https://northern-trail.myshopify.com/admin/orders ',
    'https://admin.shopify.com/store/northern-trail/settings',
  ]) {
    test(`"${typed}" is understood`, () => {
      assert.equal(shopify.normalizeUrl?.(typed), 'https://northern-trail.myshopify.com');
    });
  }

  test('an address outside Shopify is refused with a sentence', () => {
    for (const typed of ['', 'https://shop.example', 'https://myshopify.com', 'a b']) {
      assert.throws(() => shopify.normalizeUrl?.(typed), /myshopify\.com/);
    }
  });
});
