import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { query } from '../../../src/db/statements/query.ts';
import { send, settle } from './compared-stores.ts';
import { CLIENT, FakeShopify } from './shopify/fake-shopify.ts';
import { StoreApp, type ConnectedStore } from './store-app.ts';
import { FakeStripe, SECRET_KEY, signed } from './stripe/fake-stripe.ts';
import { orderJson } from './woocommerce/fake-orders.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';
import { answer } from './woocommerce/recorded.ts';

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

  test('amounts of a shop that shows no decimals are read with them', async () => {
    fake.shop.hidesDecimals = true;
    const order = fake.shop.place();
    const cents = await arrive().then(async () => (await stored(shop, order.id)).total);
    assert.equal(String(cents), orderJson(order)['total']);
    assert.ok(!Number.isInteger(cents));
    // Also in what a comparison reads.
    const missed = fake.shop.place();
    fake.shop.takeQueue(fake.url);
    await stores.post(`/connections/${shop.id}/reconcile`, {});
    assert.equal(String((await stored(shop, missed.id)).total), orderJson(missed)['total']);
    fake.shop.hidesDecimals = false;
  });

  test('the rate that plugins for several currencies note counts, if it is for our currency', async () => {
    const meta = (values: Record<string, unknown>) =>
      Object.entries(values).map(([key, value], i) => ({ id: i + 1, key, value }));
    const noted = [
      {
        _wcpay_multi_currency_order_default_currency: 'USD',
        _wcpay_multi_currency_order_exchange_rate: '0.8',
      },
      { _woocs_order_base_currency: 'USD', _woocs_order_rate: 0.8 },
      { wmc_order_info: { USD: { rate: 1, is_main: 1 }, EUR: { rate: '0.8', is_main: 0 } } },
      { _woocs_order_base_currency: 'GBP', _woocs_order_rate: 0.8 },
      { _woocs_order_base_currency: 'USD', _woocs_order_rate: '0' },
    ].map((values) => fake.shop.place({ fields: { currency: 'EUR', meta_data: meta(values) } }));
    await arrive();
    const rates = noted.map(async ({ id }) => (await stored(shop, id))?.exchange_rate);
    assert.deepEqual(await Promise.all(rates), [1.25, 1.25, 1.25, undefined, undefined]);
  });

  test('what a deposit means is asked, not guessed', async () => {
    const order = fake.shop.place({ status: 'partially-paid' });
    await arrive();
    assert.equal(await stored(shop, order.id), undefined);
    const [failed] = await stores.deliveries(shop.id, '&state=failed');
    assert.match(failed.reason, /"partially-paid".*Statuses of WooCommerce/);
  });

  test('a renewal has its subscription and when it began', async () => {
    fake.shop.subscriptions = new Map([[70, { id: 70, start_date_gmt: '2026-01-05T08:00:00' }]]);
    const renewal = fake.shop.place({ fields: renewalOf(70) });
    const ordinary = fake.shop.place();
    await arrive();
    const { subscription } = await stored(shop, renewal.id);
    assert.deepEqual(subscription, {
      id: 70,
      renewal: true,
      started_at: '2026-01-05T08:00:00.000Z',
    });
    assert.equal((await stored(shop, ordinary.id)).subscription, undefined);
  });

  test('the order that began a subscription gets it with the first renewal', async () => {
    const first = fake.shop.place({ codes: ['maya10'] });
    await arrive();
    assert.equal((await stored(shop, first.id)).subscription, undefined);
    const start_date_gmt = '2026-01-05T08:00:00';
    fake.shop.subscriptions?.set(72, { id: 72, parent_id: first.id, start_date_gmt });
    fake.shop.subscriptions?.set(73, { id: 73, parent_id: 999_999, start_date_gmt });
    const renewals = [72, 73, 72].map((id) => fake.shop.place({ fields: renewalOf(id) }));
    await arrive();
    const started_at = '2026-01-05T08:00:00.000Z';
    const begun = await stored(shop, first.id);
    assert.deepEqual(begun.subscription, { id: 72, payment: 1, started_at });
    assert.deepEqual(begun.coupon_codes, ['maya10']);
    const ids = renewals.map(async ({ id }) => (await stored(shop, id)).subscription.id);
    assert.deepEqual(await Promise.all(ids), [72, 73, 72]);
    const asked = fake.requests.filter((request) => request.endsWith(`/orders/${first.id}`));
    assert.equal(asked.length, 1);
  });

  test('lines have the categories and tags of their products while there are rules', async () => {
    const isProducts = (request: string) => request.includes('/products');
    const asked = () => fake.requests.filter(isProducts).length;
    for (const product of answer('022') as { id: number }[])
      fake.shop.products.set(product.id, product);
    const candles = { id: 21, name: 'Scented', slug: 'scented-candles' };
    const tags = [{ id: 31, name: 'Sale', slug: 'sale' }];
    fake.shop.products.set(10, { id: 10, categories: [candles], tags });
    fake.shop.categories = [
      { id: 15, slug: 'uncategorized', parent: 0 },
      { id: 20, name: 'Candles &amp; more', slug: 'candles', parent: 0 },
      { id: 21, slug: 'scented-candles', parent: 20 },
    ];
    const before = fake.shop.place();
    await arrive();
    assert.equal(asked(), 0, 'nothing is asked without rules');
    assert.equal((await stored(shop, before.id)).items[0].category_ids, undefined);
    const rule = { what: { categories: ['candles'] }, rate: { percent: 15 } };
    const created = await stores.post('/rewards/rules', rule);
    assert.equal(created.status, 201);
    assert.match(created.body.sentence, /category candles\b/, 'the store has not been asked yet');
    const orders = [fake.shop.place(), fake.shop.place()];
    await arrive();
    const later = fake.shop.place();
    await arrive();
    for (const { id } of [...orders, later]) {
      assert.partialDeepStrictEqual((await stored(shop, id)).items, [
        { category_ids: [21, 'scented-candles', 20, 'candles'], tag_ids: [31, 'sale'] },
        { category_ids: [15, 'uncategorized'], tag_ids: [] },
      ]);
    }
    assert.equal(asked(), 2, 'the products of three orders at once, and the categories');
    const { body: list } = await stores.send('GET', '/rewards/rules');
    assert.match(list.rules[0].sentence, /category Candles & more\b/);
    // The product has moved; the order earns by what it was in.
    fake.shop.products.set(10, { id: 10, categories: [], tags: [] });
    stores.app.advance(2 * 60 * 60_000);
    fake.shop.setStatus(later.id, 'completed');
    const next = fake.shop.place();
    await arrive();
    const categoriesOf = async (id: number) => (await stored(shop, id)).items[0].category_ids;
    assert.deepEqual(await categoriesOf(later.id), [21, 'scented-candles', 20, 'candles']);
    assert.deepEqual(await categoriesOf(next.id), []);
  });

  test('a translation is its original, and in the categories of it, for WPML and for Polylang', async () => {
    stores.app.advance(2 * 60 * 60_000);
    const translations = { en: 21, de: 41 };
    const { categories } = fake.shop;
    const translated = { id: 41, slug: 'duftkerzen', parent: 40, translations };
    const order = () => {
      const placed = fake.shop.place();
      placed.lines = [{ ...placed.lines[0]!, productId: 15 }];
      return placed;
    };
    const ofProduct = { lang: 'de', translations: { en: 14, de: 15 } };
    fake.shop.products.set(15, { id: 15, categories: [translated], tags: [], ...ofProduct });
    fake.shop.otherLanguage.add(15);
    const original = categories.map((one) => (one['id'] === 21 ? { ...one, translations } : one));
    const names = new Map<string, string[]>();
    const otherIds: unknown[] = [];
    for (const [plugin, listed] of [
      ['WPML', original],
      ['Polylang', [...original, translated, { id: 40, slug: 'kerzen', parent: 0 }]],
    ] as const) {
      fake.shop.categories = [...listed];
      const { id } = order();
      await arrive();
      const [item] = (await stored(shop, id)).items;
      names.set(plugin, item.category_ids);
      otherIds.push(item.other_ids);
      stores.app.advance(2 * 60 * 60_000);
    }
    assert.deepEqual(otherIds, [[14], [14]], 'rules for the original apply to the translation');
    const both = [41, 'duftkerzen', 21, 'scented-candles', 20, 'candles'];
    assert.deepEqual(names.get('WPML'), both);
    assert.deepEqual(names.get('Polylang')!.toSorted(), [...both, 40, 'kerzen'].toSorted());
    fake.shop.categories = categories;
  });

  test('an order whose products cannot be read is taken without, and completed later', async () => {
    stores.app.advance(2 * 60 * 60_000);
    const broken = { status: 500, json: {} };
    fake.errors.push(broken);
    const lines = fake.shop.place();
    lines.lines = [{ ...lines.lines[0]!, productId: 12 }];
    await arrive();
    assert.equal((await stored(shop, lines.id)).items[0].category_ids, undefined);
    stores.app.advance(2 * 60_000);
    const { body } = await stores.post(`/connections/${shop.id}/reconcile`, {});
    assert.ok(body.read > 0, JSON.stringify(body));
    assert.deepEqual([body.changed, body.missed], [0, 0], 'the store has no news of it');
    assert.deepEqual((await stored(shop, lines.id)).items[0].category_ids, [15, 'uncategorized']);
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
  fake.products.set('gid://shopify/Product/101', {
    legacyResourceId: '101',
    productType: 'Tents',
    tags: ['sale', 'New in'],
    title: 'Two-person tent',
    collections: { nodes: [{ legacyResourceId: '900', handle: 'camping', title: 'Camping gear' }] },
  });
  const RENEWAL = { source_name: 'subscription_contract' };

  test('the country is where an order is billed', async () => {
    const { id } = fake.place();
    await arrive();
    const { country, subscription } = await stored(shop, id);
    assert.deepEqual([country, subscription], ['CH', undefined]);
  });

  test('lines have the collections, the type and the tags of their products', async () => {
    for (const what of [{ categories: ['camping'] }, { products: ['101'] }]) {
      const rule = { what, rate: { percent: 15 } };
      assert.equal((await stores.post('/rewards/rules', rule)).status, 201);
    }
    const known = fake.place();
    await arrive();
    const { body: settings } = await stores.send('GET', '/settings');
    assert.equal(settings['rewards.category_names'].camping, 'Camping gear');
    assert.deepEqual(settings['rewards.product_names'], { 101: 'Two-person tent' });
    assert.partialDeepStrictEqual((await stored(shop, known.id)).items, [
      { category_ids: [900, 'camping', 'Tents'], tag_ids: ['sale', 'New in'] },
      { category_ids: [], tag_ids: [] },
    ]);
    fake.scopes = fake.scopes.filter((scope) => scope !== 'read_products');
    const noSubtotal = { current_subtotal_price: null, current_subtotal_price_set: null };
    const line_items = [lineOf({ product_id: 103 })];
    const refused = fake.place({ fields: { line_items, ...noSubtotal } });
    await arrive();
    assert.equal((await stored(shop, refused.id)).items[0].category_ids, undefined);
    const { body } = await stores.post(`/connections/${shop.id}/check`);
    assert.match(body.notes.join(' '), /lacks the scope read_products/);
  });

  test('all payments by a selling plan are of one subscription', async () => {
    const line_items = [lineOf({ selling_plan_allocation: { selling_plan: { id: 33 } } })];
    const first = fake.place({ fields: { line_items } });
    const renewal = fake.place({ fields: { line_items, ...RENEWAL } });
    await arrive();
    const id = 'plan-33-7193318457562';
    assert.deepEqual((await stored(shop, first.id)).subscription, { id, payment: 1 });
    assert.deepEqual((await stored(shop, renewal.id)).subscription, { id, renewal: true });
  });

  test('the contract that an app notes with an order goes before; a renewal that names none is one all the same', async () => {
    const value = 'gid://shopify/SubscriptionContract/42';
    const note_attributes = [{ name: 'subscription_contract_id', value }];
    const noted = fake.place({ fields: { note_attributes } });
    const properties = [{ name: '_contract_id', value: 42 }];
    const inLine = fake.place({ fields: { line_items: [lineOf({ properties })], ...RENEWAL } });
    const unnamed = fake.place({ fields: RENEWAL });
    await arrive();
    assert.deepEqual((await stored(shop, noted.id)).subscription, { id: 42, payment: 1 });
    assert.deepEqual((await stored(shop, inLine.id)).subscription, { id: 42, renewal: true });
    assert.deepEqual((await stored(shop, unnamed.id)).subscription, {
      id: `order-${unnamed.id}`,
      renewal: true,
    });
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
      renewal: true,
      started_at,
    });
  });

  test('lines have the categories and tags in the metadata of their prices', async () => {
    const { id } = account.subscribe({ code: 'MAYA10' });
    const metadata = { category: 'Plans, Yearly', tags: 'saas' };
    const items = { data: [{ price: { id: 'price_plan', product: 'prod_plan', metadata } }] };
    Object.assign(account.objects.get(id)!, { items });
    const [invoice] = account.all('invoice').slice(-1);
    const { session, payment } = account.sell({ code: 'MAYA10' });
    const [line] = account.includable.get(session['id'])!['line_items'].data;
    line.price.metadata = { category: 'Tents' };
    await arrive();
    assert.partialDeepStrictEqual((await stored(shop, invoice!['id'])).items, [
      { category_ids: ['Plans', 'Yearly'], tag_ids: ['saas'] },
    ]);
    assert.partialDeepStrictEqual((await stored(shop, payment['id'])).items, [
      { category_ids: ['Tents'], tag_ids: [] },
    ]);
  });

  test('the country of a payment by Checkout is that of the customer', async () => {
    const { session, payment } = account.sell({ code: 'MAYA10' });
    session['customer_details'].address = { country: 'NL' };
    await arrive();
    const { country, subscription } = await stored(shop, payment['id']);
    assert.deepEqual([country, subscription], ['NL', undefined]);
  });
});
