import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { query } from '../../src/db/statements/query.ts';
import { send, settle } from './compared-stores.ts';
import { CLIENT, FakeShopify } from './shopify/fake-shopify.ts';
import { StoreApp, type ConnectedStore } from './store-app.ts';
import { FakeStripe, SECRET_KEY, signed } from './stripe/fake-stripe.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';

const stores = await StoreApp.open();
await stores.coupon('MAYA10');
const { site } = stores.app;

const contents = query<{ connection_id: number; external_id: string }, { content: string }>(
  (db, p) =>
    db
      .selectFrom('store_orders')
      .innerJoin('orders', 'orders.order_id', 'store_orders.order_id')
      .select('orders.content')
      .where('store_orders.connection_id', '=', p.connection_id)
      .where('store_orders.external_id', '=', p.external_id),
);

/** The order as it is stored, without what it has not. */
async function stored({ id: connection_id }: ConnectedStore, id: unknown): Promise<any> {
  const key = { connection_id, external_id: String(id) };
  const [row] = await site.database.read.all(contents, key);
  return row && JSON.parse(row.content);
}

describe('WooCommerce', async () => {
  const fake = await FakeWooCommerce.start(site.clock());
  after(() => fake.close());
  const connection = { kind: 'woocommerce', url: fake.url, credentials: FAKE_KEYS };
  const shop = await stores.connect(connection);
  const arrive = async () => {
    for (const { webhook: _, ...sent } of fake.shop.takeQueue(fake.url)) {
      assert.equal((await send(stores, shop, sent)).status, 200);
    }
    await settle(stores);
  };
  const renewalOf = (subscription: number) => ({
    created_via: 'subscription',
    meta_data: [{ id: 1, key: '_subscription_renewal', value: String(subscription) }],
  });

  test('the country is where an order is billed, or else sent to', async () => {
    const billed = fake.shop.place();
    const fields = { billing: { country: '' }, shipping: { country: 'fr' } };
    const sent = fake.shop.place({ fields });
    const unknown = fake.shop.place({ fields: { billing: { country: 'XYZ' }, shipping: null } });
    await arrive();
    const countries = [billed, sent, unknown].map(
      async ({ id }) => (await stored(shop, id)).country,
    );
    assert.deepEqual(await Promise.all(countries), ['DE', 'FR', undefined]);
  });

  test('a renewal has its subscription and when it began', async () => {
    await stores.app.set({ 'stores.woocommerce.renewals': 'always' });
    fake.shop.subscriptions = new Map([[70, { id: 70, start_date_gmt: '2026-01-05T08:00:00' }]]);
    const renewal = fake.shop.place({ fields: renewalOf(70) });
    const ordinary = fake.shop.place();
    await arrive();
    const { subscription } = await stored(shop, renewal.id);
    assert.deepEqual(subscription, { id: 70, payment: 2, started_at: '2026-01-05T08:00:00.000Z' });
    assert.equal((await stored(shop, ordinary.id)).subscription, undefined);
  });

  test('the payment at the end of a free trial is the first one', async () => {
    const trial_end_date_gmt = new Date(fake.shop.nowMs).toISOString().slice(0, 19);
    const start_date_gmt = '2026-01-05T08:00:00';
    fake.shop.subscriptions?.set(71, { id: 71, start_date_gmt, trial_end_date_gmt });
    const { id } = fake.shop.place({ fields: renewalOf(71) });
    await arrive();
    assert.equal((await stored(shop, id)).subscription.payment, 1);
  });
});

describe('Shopify', async () => {
  const fake = await FakeShopify.open();
  after(() => fake.api.close());
  fake.nowMs = site.clock();
  const connection = { kind: 'shopify', url: fake.api.url, credentials: CLIENT };
  const shop = await stores.connect(connection);
  const arrive = async () => {
    for (const delivery of fake.queue.splice(0)) await send(stores, shop, delivery);
    await settle(stores);
  };
  const lineOf = (fields: object) => ({
    id: 1,
    product_id: 101,
    quantity: 1,
    price: '80.00',
    ...fields,
  });
  const RENEWAL = { source_name: 'subscription_contract' };

  test('the country is where an order is billed', async () => {
    const { id } = fake.place();
    await arrive();
    const { country, subscription } = await stored(shop, id);
    assert.deepEqual([country, subscription], ['CH', undefined]);
  });

  test('all payments by a selling plan are of one subscription', async () => {
    const line_items = [lineOf({ selling_plan_allocation: { selling_plan: { id: 33 } } })];
    const first = fake.place({ fields: { line_items } });
    const renewal = fake.place({ fields: { line_items, ...RENEWAL } });
    await arrive();
    const id = 'plan-33-7193318457562';
    assert.deepEqual((await stored(shop, first.id)).subscription, { id, payment: 1 });
    assert.deepEqual((await stored(shop, renewal.id)).subscription, { id, payment: 2 });
  });

  test('the contract that an app notes with an order goes before, and without one there is none', async () => {
    const value = 'gid://shopify/SubscriptionContract/42';
    const note_attributes = [{ name: 'subscription_contract_id', value }];
    const noted = fake.place({ fields: { note_attributes } });
    const properties = [{ name: '_contract_id', value: 42 }];
    const inLine = fake.place({ fields: { line_items: [lineOf({ properties })], ...RENEWAL } });
    const unnamed = fake.place({ fields: RENEWAL });
    await arrive();
    assert.deepEqual((await stored(shop, noted.id)).subscription, { id: 42, payment: 1 });
    assert.deepEqual((await stored(shop, inLine.id)).subscription, { id: 42, payment: 2 });
    assert.equal((await stored(shop, unnamed.id)).subscription, undefined);
  });
});

describe('Stripe', async () => {
  const fake = await FakeStripe.open();
  after(() => fake.api.close());
  const { account } = fake;
  account.nowS = Math.floor(site.clock() / 1_000);
  const credentials = { secret_key: SECRET_KEY };
  const shop = await stores.connect({ kind: 'stripe', credentials, url: fake.api.url });
  const secret = `whsec_${account.all('webhook_endpoint').at(-1)!['id']}`;
  const arrive = async () => {
    for (const event of fake.takeEvents()) {
      await send(stores, shop, signed(event, secret, site.clock()));
    }
    await settle(stores);
  };

  test('invoices of a subscription have its id, number, begin and country', async () => {
    await stores.app.set({ 'stores.stripe.renewals': 'always' });
    const { id, start_date } = account.subscribe({ code: 'MAYA10' });
    const [first] = account.all('invoice').slice(-1);
    const renewal = account.bill(account.objects.get(id)!);
    await arrive();
    const started_at = new Date(start_date * 1_000).toISOString();
    assert.partialDeepStrictEqual(await stored(shop, first!['id']), {
      country: 'AT',
      subscription: { id, payment: 1, started_at },
    });
    assert.deepEqual((await stored(shop, renewal['id'])).subscription, {
      id,
      payment: 2,
      started_at,
    });
  });

  test('the country of a payment by Checkout is that of the customer', async () => {
    const { session, payment } = account.sell({ code: 'MAYA10' });
    session['customer_details'].address = { country: 'NL' };
    await arrive();
    const { country, subscription } = await stored(shop, payment['id']);
    assert.deepEqual([country, subscription], ['NL', undefined]);
  });
});
