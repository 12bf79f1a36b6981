import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CLIENT, FakeShopify } from '../test/shopify/fake-shopify.ts';
import { StoreApp } from '../test/store-app.ts';
import { FakeStripe, SECRET_KEY } from '../test/stripe/fake-stripe.ts';
import { FAKE_KEYS, FakeWooCommerce } from '../test/woocommerce/fake-woocommerce.ts';
import { add } from './store-command.ts';
import { hostAndFolderOf } from './store-identity.ts';

const stores = await StoreApp.open();
const { app } = stores;
await stores.coupon('ADA10');

const storeApiOf = async () => {
  // Orders of different shops are placed at different seconds.
  app.advance(60_000);
  const fake = await FakeWooCommerce.start(app.site.clock());
  after(() => fake.close());
  return fake;
};
const withKeys = (fake: FakeWooCommerce, more: object = {}) => ({
  kind: 'woocommerce',
  url: fake.url,
  credentials: FAKE_KEYS,
  ...more,
});
const receiving = (url: string, more: object = {}) => ({ kind: 'woocommerce', url, ...more });

/** Our numbers of all orders of the fake shop, and what they earn. */
async function earned(): Promise<{ orders: number; commission: number }> {
  const { body } = await stores.get('/orders?per_page=100');
  const commission = body.reduce((sum: number, order: any) => sum + order.commission, 0);
  return { orders: body.length, commission: Math.round(commission * 100) };
}

async function assertRefused(given: object, id: number): Promise<void> {
  const { status, body } = await stores.post('/connections', given);
  assert.deepEqual([status, body.code], [409, 'svc_api_store_connected'], JSON.stringify(body));
  assert.equal(body.data.connection_id, id);
  assert.match(body.message, new RegExp(`connection ${id}\\)`));
}

test('an address is the same with www., in other cases, with usual ports, a final dot and a final slash', () => {
  for (const url of [
    'https://Shop.Example',
    'http://www.shop.example/',
    'https://shop.example:443//',
    'http://shop.example:443',
    'https://shop.example.',
    'https://WWW.shop.example.:80/?y',
  ]) {
    assert.equal(hostAndFolderOf(url), 'shop.example', url);
  }
  assert.equal(hostAndFolderOf('https://shop.example:8443'), 'shop.example:8443');
  assert.equal(hostAndFolderOf('https://www2.shop.example'), 'www2.shop.example');
  assert.equal(hostAndFolderOf('https://bücher.example'), 'xn--bcher-kva.example');
  assert.equal(hostAndFolderOf('https://www.shop.example/de/'), 'shop.example/de');
  assert.equal(hostAndFolderOf(''), null);
});

test('the same shop is connected once, in every way', async () => {
  const { id, body } = await stores.connect(receiving('https://one.example', { name: undefined }));
  assert.equal(body.name, 'one.example', 'the name is that of the host');
  await assertRefused(receiving('http://WWW.One.example:80/wp-admin/'), id);
  await assertRefused({ ...receiving('https://one.example'), credentials: FAKE_KEYS }, id);
  await assert.rejects(
    add(
      { withSite: (work) => work(app.site), print: () => assert.fail('nothing is printed') },
      { kind: 'woocommerce', url: 'one.example' },
    ),
    /already connected/,
  );
  const other = await stores.connect(receiving('https://two.example'));
  const moved = await stores.send('PATCH', `/connections/${other.id}`, { url: 'one.example' });
  assert.deepEqual([moved.status, moved.body.data?.connection_id], [409, id]);
  assert.equal((await stores.connection(other.id)).url, 'https://two.example');
  const free = await stores.send('PATCH', `/connections/${other.id}`, { url: 'three.example' });
  assert.deepEqual([free.status, free.body.url], [200, 'https://three.example']);
  await stores.connect(receiving('https://two.example'));
  // Another kind of store on the same host is another store.
  await stores.connect({ kind: 'http', url: 'https://one.example' });
});

test('an owner can say that a shop at the same address is another one', async () => {
  const { id } = await stores.connect(receiving('https://twins.example'));
  const both = { replace: true, another: true };
  const unclear = await stores.post('/connections', receiving('https://twins.example', both));
  assert.deepEqual([unclear.status, Object.keys(unclear.body.data.params)], [400, ['another']]);
  const other = await stores.connect(receiving('https://twins.example', { another: true }));
  assert.notEqual(other.id, id);
  // New credentials of it do not make it the first one again.
  const changed = await stores.send('PATCH', `/connections/${other.id}`, { credentials: {} });
  assert.equal(changed.status, 200, changed.text);
  await assertRefused(receiving('https://twins.example'), id);
});

test('of requests at the same moment one connects the shop', async () => {
  const replies = await Promise.all(
    ['https://', 'http://www.', 'https://', 'HTTPS://'].map((prefix) =>
      stores.post('/connections', receiving(`${prefix}crowd.example`)),
    ),
  );
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
});

describe('an order counts once', () => {
  test('when its shop is removed and connected again, and when it is taken over', async () => {
    const fake = await storeApiOf();
    const first = await stores.connect(withKeys(fake));
    const orders = [1, 2, 3].map(() => fake.shop.place({ codes: ['ada10'] }));
    await fake.deliver();
    await stores.process();
    const before = await earned();
    assert.equal(before.orders, 3);
    const numbers = await Promise.all(orders.map(({ id }) => stores.order(id)));

    const removed = await stores.send('DELETE', `/connections/${first.id}`);
    assert.equal(removed.status, 200);
    // While it is not connected, one of them is placed at another time: an import of the shop's owner.
    const [moved] = orders;
    fake.shop.orders.set(moved!.id, { ...moved!, createdMs: moved!.createdMs + 5_000 });
    fake.shop.setStatus(orders[1]!.id, 'cancelled');
    const again = await stores.connect(withKeys(fake));
    assert.equal(again.id, first.id, 'the connection continues');
    await stores.post(`/connections/${again.id}/import`, {});
    await stores.sync();
    const later = await earned();
    assert.equal(later.orders, 3);
    assert.ok(later.commission < before.commission, 'one of the three was cancelled');
    assert.equal((await stores.order(numbers[1].order_id)).status, 'cancelled');

    const taken = await stores.connect(withKeys(fake, { replace: true, name: 'Taken over' }));
    assert.deepEqual(
      [taken.id, taken.body.name, taken.body.state],
      [first.id, 'Taken over', 'connected'],
    );
    assert.notEqual(taken.secret, again.secret);
    assert.equal(fake.shop.webhooks.size, 4);
    await stores.post(`/connections/${taken.id}/import`, {});
    await stores.sync();
    fake.shop.setStatus(orders[2]!.id, 'completed');
    assert.deepEqual(await fake.deliver(), [200, 200]);
    await stores.process();
    assert.equal((await earned()).orders, 3);
    assert.equal((await stores.order(orders[2]!.id)).status, 'completed');
  });

  test('access that does not work replaces nothing', async () => {
    const fake = await storeApiOf();
    const { id } = await stores.connect(withKeys(fake, { name: 'Works' }));
    const wrong = { ...FAKE_KEYS, consumer_secret: `cs_${'0'.repeat(40)}` };
    const refused = await stores.post('/connections', {
      ...withKeys(fake, { replace: true, name: 'Does not' }),
      credentials: wrong,
    });
    assert.equal(refused.status, 502);
    const { name, state } = await stores.connection(id);
    assert.deepEqual([name, state], ['Works', 'connected']);
    fake.shop.place();
    assert.deepEqual(await fake.deliver(), [200, 200], 'with the secret of before');
  });

  test('also of a shop under two addresses', async () => {
    const fake = await storeApiOf();
    const { id } = await stores.connect(withKeys(fake));
    fake.shop.place({ codes: ['ada10'] });
    await fake.deliver();
    await stores.process();
    const before = await earned();
    const twin = await stores.connect({
      ...withKeys(fake),
      url: fake.url.replace('127.0.0.1', 'localhost'),
    });
    await stores.post(`/connections/${twin.id}/import`, {});
    await stores.sync();
    assert.deepEqual(await earned(), before);
    const [failed] = await stores.deliveries(twin.id, '&state=failed');
    assert.match(failed.reason, new RegExp(`connection ${id}\\), .* connected twice`));
    await stores.send('DELETE', `/connections/${id}`);
    await stores.post(`/connections/${twin.id}/deliveries/${failed.id}/retry`);
    await stores.process();
    assert.deepEqual(await earned(), before);
    assert.equal((await stores.deliveries(twin.id, '&state=failed')).length, 0);
  });
});

test('two shops in folders of one host are two, and a copy of their orders shows that they are one', async () => {
  const fake = await storeApiOf();
  const first = await stores.connect(withKeys(fake));
  fake.folder = '/en';
  const second = await stores.connect({ ...withKeys(fake), url: `${fake.url}/en/` });
  assert.notEqual(second.id, first.id);
  await assertRefused({ ...withKeys(fake), url: `${fake.url}/en` }, second.id);
  fake.shop.place({ codes: ['ada10'] });
  await fake.deliver();
  await stores.process();
  // Both have got the order of the one fake shop, and are processed side by side.
  const failedOf = (id: number) => stores.deliveries(id, '&state=failed');
  const isFirstKept = (await failedOf(first.id)).length === 0;
  const [kept, other] = isFirstKept ? [first, second] : [second, first];
  const [failed] = await failedOf(other.id);
  assert.match(failed.reason, new RegExp(`connection ${kept.id}\\), .* connected twice`));
  const { body: counted } = await stores.get('/orders?per_page=100');
  const of = (id: number) => counted.filter(({ store }: any) => store === id).length;
  assert.deepEqual([of(kept.id), of(other.id)], [1, 0]);
});

test('an account of Stripe and a shop of Shopify are known by their own ids', async () => {
  const stripe = await FakeStripe.open();
  const shopify = await FakeShopify.open();
  after(() => Promise.all([stripe.api.close(), shopify.api.close()]));
  const account = {
    kind: 'stripe',
    url: stripe.api.url,
    credentials: { secret_key: SECRET_KEY },
  };
  const { id } = await stores.connect(account);
  await assertRefused(account, id);
  assert.equal(stripe.account.all('webhook_endpoint').length, 1);
  stripe.accountAnswer = { body: { id: 'acct_another', object: 'account' } };
  const other = await stores.connect(account);
  const keys = { credentials: account.credentials };
  stripe.accountAnswer = { body: { id: 'acct_1FakeAccount', object: 'account' } };
  const changed = await stores.send('PATCH', `/connections/${other.id}`, keys);
  assert.equal(changed.status, 400);
  assert.match(changed.body.data.params.credentials, /another account/);
  stripe.accountAnswer = { status: 403, body: { error: { code: 'more_permissions_required' } } };
  await stores.connect(account);

  const shop = { kind: 'shopify', url: shopify.api.url, credentials: CLIENT };
  const connected = await stores.connect(shop);
  await assertRefused(shop, connected.id);
  // Its domain was changed since.
  await assertRefused(
    { ...shop, url: shopify.api.url.replace('127.0.0.1', 'localhost') },
    connected.id,
  );
});
