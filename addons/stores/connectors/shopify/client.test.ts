import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { directShop } from '../../test/direct-shop.ts';
import { CLIENT, FakeShopify } from '../../test/shopify/fake-shopify.ts';
import { StoreError, type StoreApi } from '../connector.ts';
import { shopify } from './connector.ts';

const fake = await FakeShopify.open();
after(() => fake.api.close());
const shop = (more: Partial<StoreApi> = {}) =>
  directShop({ url: fake.api.url, credentials: CLIENT, nowMs: fake.nowMs, ...more });
const { connect, check, disconnect, fetchOrder, changedSince, createCoupon, changeCoupon } =
  shopify as Required<typeof shopify>;

test('connecting checks the app, creates the webhooks once and removes them', async () => {
  const report = await connect(shop());
  assert.match(report.steps.join(' '), /Northern Trail.*read orders.*Created 5 webhooks/);
  assert.equal(fake.webhooks.length, 5);
  assert.match((await connect(shop())).steps.join(' '), /already exist/);
  // Shopify removes those that failed for hours.
  fake.webhooks = fake.webhooks.slice(2);
  assert.match((await check(shop())).notes.join(' '), /removed: orders\/create, orders\/updated/);
  const foreign = { id: 'gid://1', topic: 'ORDERS_CREATE', uri: 'https://other.example/hook' };
  fake.webhooks.push(foreign);
  await disconnect(shop());
  assert.deepEqual(fake.webhooks, [foreign]);
  fake.webhooks = [];
});

test('the app is named that lacks a scope, is not installed, or has no credentials', async () => {
  const { scopes } = fake;
  fake.scopes = ['write_discounts'];
  const message = /the scope read_orders, read_customers, read_products: add/;
  await assert.rejects(connect(shop()), { code: 'credentials', message });
  fake.scopes = ['write_orders', 'read_customers', 'write_products'];
  assert.match((await connect(shop())).warnings!.join(' '), /60 days.*write_discounts/);
  fake.scopes = scopes;
  const wrong = { ...CLIENT, client_secret: 'another-secret' };
  await assert.rejects(connect(shop({ credentials: wrong })), { code: 'credentials' });
  await assert.rejects(connect(shop({ credentials: {} })), {
    code: 'credentials',
    message: /client ID/,
  });
});

test('a token lasts a day, and one that was withdrawn is requested again', async () => {
  const grants = () => fake.api.requests.filter((each) => each.endsWith('access_token')).length;
  const id = String(fake.place().id);
  await fetchOrder(shop(), id);
  const before = grants();
  assert.partialDeepStrictEqual(await fetchOrder(shop(), id), { id });
  assert.equal(grants(), before);
  fake.revoke();
  assert.partialDeepStrictEqual(await fetchOrder(shop(), id), { id });
  assert.equal(grants(), before + 1);
  await fetchOrder(shop({ nowMs: fake.nowMs + 86_400_000 }), id);
  assert.equal(grants(), before + 2);
  assert.equal(await fetchOrder(shop(), '1'), undefined);
});

test('changed orders come in pages, the oldest change first, with a total for an import', async () => {
  fake.orders.clear();
  fake.pageSizeMax = 3;
  const orders = Array.from({ length: 8 }, () => fake.place());
  fake.change(orders[0]!, { shipped: true });
  const seen: number[] = [];
  let page: string | null = null;
  let total: number | undefined;
  do {
    const nowMs = fake.nowMs + 2 * 86_400_000;
    const answer = await changedSince(shop({ nowMs }), { sinceMs: orders[0]!.createdMs, page });
    seen.push(...answer.payloads.map((order: any) => Number(order.id)));
    total ??= answer.total;
    page = answer.next;
  } while (page !== null);
  assert.deepEqual(
    seen,
    [...orders.slice(1), orders[0]!].map(({ id }) => id),
  );
  assert.equal(total, 8);
  fake.pageSizeMax = 250;
  const later = await changedSince(shop(), { sinceMs: fake.nowMs, page: null });
  assert.deepEqual([later.payloads.length, later.next], [1, null]);
});

test('failures of the store reach the add-on', async () => {
  const since = { sinceMs: 0, page: null };
  for (const [failure, expected] of [
    ['busy', { code: 'busy', retryAfterMs: 2_000 }],
    ['down', { code: 'failed' }],
    ['reset', { code: 'unreachable' }],
    ['garbage', { code: 'failed' }],
  ] as const) {
    fake.api.fail(failure);
    await assert.rejects(changedSince(shop(), since), (error) => {
      assert.ok(error instanceof StoreError);
      const { code, retryAfterMs } = error;
      assert.partialDeepStrictEqual({ code, retryAfterMs }, expected);
      return true;
    });
  }
});

test('codes are created, paused and resumed, and those that exist are left alone', async () => {
  const percent = {
    code: 'MAYA10',
    discount: { type: 'percent', amount: 12.5 },
    currency: 'USD',
  } as const;
  await createCoupon(shop(), percent);
  await createCoupon(shop(), { ...percent, code: 'maya10' });
  assert.deepEqual(
    fake.discounts.map(({ code, value }) => [code, value]),
    [['MAYA10', { percentage: 0.125 }]],
  );
  await changeCoupon(shop(), { ...percent, active: false });
  assert.equal(fake.discounts[0]!.active, false);
  await changeCoupon(shop(), { ...percent, active: true });
  assert.equal(fake.discounts[0]!.active, true);
  const fixed = { code: 'FIVE', discount: { type: 'fixed', amount: 5 }, currency: 'USD' } as const;
  await changeCoupon(shop(), { ...fixed, active: false });
  assert.equal(fake.discounts.length, 1);
  await changeCoupon(shop(), { ...fixed, active: true });
  assert.deepEqual(fake.discounts[1]!.value, {
    discountAmount: { amount: '5.00', appliesOnEachItem: false },
  });
  await assert.rejects(
    createCoupon(shop(), { ...fixed, code: 'SIX', currency: 'EUR' }),
    /EUR.*USD/,
  );
});

test('one version of the GraphQL API is asked, which the guide names, and nothing else', () => {
  const paths = new Set(fake.api.requests.filter((each) => !each.endsWith('/access_token')));
  const [path, ...others] = paths;
  assert.deepEqual(others, []);
  const [, version] = /^POST \/admin\/api\/(\d{4}-\d{2})\/graphql\.json$/.exec(path!)!;
  const guide = readFileSync(join(import.meta.dirname, '../../guides/shopify.md'));
  assert.deepEqual([...new Set(guide.toString().match(/\b20\d{2}-\d{2}\b/g))], [version]);
});
