import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertBalanced, figuresOf, send, settle } from './compared-stores.ts';
import { StoreApp } from './store-app.ts';
import { FakeStripe, SECRET_KEY, signed } from './stripe/fake-stripe.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';

const DAY_MS = 86_400_000;

/** A shop with WooCommerce Subscriptions, where renewals earn. */
async function openWoo() {
  const stores = await StoreApp.open({ settings: { 'commission.renewals': 'always' } });
  await stores.coupon('MAYA10');
  const { app } = stores;
  const fake = await FakeWooCommerce.start(app.site.clock());
  after(() => fake.close());
  const { shop } = fake;
  shop.subscriptions = new Map();
  const connect = async (at = stores) => ({
    at,
    store: await at.connect({ kind: 'woocommerce', url: fake.url, credentials: FAKE_KEYS }),
  });
  const first = await connect();
  const deliver = async () => {
    for (const { webhook: _, ...sent } of shop.takeQueue(fake.url)) {
      assert.equal((await send(stores, first.store, sent)).status, 200);
    }
    await settle(stores);
  };
  /** The way of a checkout: the order is there before it is paid. */
  const checkOut = async (given: Parameters<typeof shop.place>[0] = {}) => {
    const { id } = shop.place({ ...given, status: 'pending' });
    await deliver();
    for (const status of ['processing', 'completed']) {
      shop.setStatus(id, status);
      await deliver();
    }
    return id;
  };
  const pass = (ms: number) => {
    app.advance(ms);
    shop.nowMs = Math.floor(app.site.clock() / 1_000) * 1_000;
  };
  const renew = async (subscription: number) => {
    pass(30 * DAY_MS);
    const meta_data = [{ id: 1, key: '_subscription_renewal', value: String(subscription) }];
    return checkOut({ fields: { created_via: 'subscription', meta_data } });
  };
  /** A subscription begins with an order that does not name it. */
  const subscribe = async (codes: string[]) => {
    const parent_id = await checkOut({ codes });
    const id = shop.nextId();
    const start_date_gmt = new Date(shop.nowMs).toISOString().slice(0, 19);
    shop.subscriptions!.set(id, { id, parent_id, start_date_gmt });
    return { id, parent: parent_id };
  };
  return { stores, shop, connect, first, deliver, subscribe, renew, pass };
}

const commissionsOf = (figures: Record<string, any>, ids: readonly unknown[]) =>
  ids.map((id) => figures[String(id)].earned.map(({ commission }: any) => commission));

describe('a subscription of WooCommerce', () => {
  test('renewals without a code earn for the affiliate of the first order', async () => {
    const { stores, shop, first, deliver, subscribe, renew } = await openWoo();
    const { id, parent } = await subscribe(['maya10']);
    const unrelated = await subscribe([]);
    const orders = [parent, await renew(id), await renew(id)];
    const others = [unrelated.parent, await renew(unrelated.id)];
    const earned = async (ids: readonly number[]) =>
      commissionsOf(await figuresOf(stores, first.store), ids);
    assert.deepEqual(await earned(orders), [[4.8], [4.8], [4.8]]);
    assert.deepEqual(await earned(others), [[], []]);
    // Later versions of the first order do not name the subscription either.
    shop.refundAmount(parent, 100);
    await deliver();
    orders.push(await renew(id));
    assert.deepEqual((await earned(orders)).slice(1), [[4.8], [4.8], [4.8]]);
    await assertBalanced(stores);
  });

  test('the history, imported, earns the same', async () => {
    const { stores, connect, first, subscribe, renew } = await openWoo();
    const { id } = await subscribe(['maya10']);
    await renew(id);
    await renew(id);
    const other = await StoreApp.open({ settings: { 'commission.renewals': 'always' } });
    await other.coupon('MAYA10');
    other.app.advance(stores.app.site.clock() - other.app.site.clock());
    const second = await connect(other);
    await other.post(`/connections/${second.store.id}/import`, {});
    await other.sync();
    assert.deepEqual(await figuresOf(other, second.store), await figuresOf(stores, first.store));
  });
});

test('a subscription of Stripe is numbered from its first payment, though the newest is read first', async () => {
  const stores = await StoreApp.open();
  await stores.coupon('MAYA10');
  const { app } = stores;
  const fake = await FakeStripe.open();
  after(() => fake.api.close());
  const { account } = fake;
  const rule = { name: 'A year', rate: { percent: 10 }, limit: { payments: 12 } };
  assert.equal((await stores.post('/rewards/rules', rule)).status, 201);
  const startS = Math.floor(app.site.clock() / 1_000);
  account.nowS = startS;
  const subscription = account.subscribe({ code: 'MAYA10' });
  for (let payment = 2; payment <= 40; payment += 1) {
    account.nowS += 30 * 86_400;
    account.bill(subscription);
  }
  app.advance((account.nowS - startS) * 1_000 + DAY_MS);
  account.nowS = Math.floor(app.site.clock() / 1_000);
  const { id } = await stores.connect({
    kind: 'stripe',
    credentials: { secret_key: SECRET_KEY },
    url: fake.api.url,
  });
  await stores.post(`/connections/${id}/import`, {});
  await stores.sync();
  const invoices = account.all('invoice').map((invoice) => invoice['id']);
  const earned = commissionsOf(await figuresOf(stores, { id }), invoices).map(([one]) => one > 0);
  assert.deepEqual(
    earned,
    invoices.map((_, i) => i < 12),
  );
  // The next one comes by itself.
  fake.takeEvents();
  account.bill(subscription);
  const secret = `whsec_${account.all('webhook_endpoint').at(-1)!['id']}`;
  for (const event of fake.takeEvents()) {
    const store = { id, kind: 'stripe', secret, receiver: `~/connect/stripe/${id}` };
    await send(stores, store, signed(event, secret, app.site.clock()));
  }
  await settle(stores);
  assert.equal((await stores.order(await lastOrder(stores))).referrals[0].commission, 0);
});

async function lastOrder(stores: StoreApp): Promise<number> {
  const { body } = await stores.get('/orders?per_page=1');
  return body[0].order_id;
}
