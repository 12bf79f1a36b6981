import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { releaseStoreLeases } from '../deliveries/release-leases.ts';
import { StoreApp } from '../test/store-app.ts';
import { FAKE_KEYS, FakeWooCommerce } from '../test/woocommerce/fake-woocommerce.ts';
import { catchUpStores } from './catch-up.ts';
import { remapOrders } from './remap-orders.ts';

const openShop = async (settings: Record<string, unknown> = {}) => {
  const stores = await StoreApp.open({ settings });
  await stores.coupon('ADA10');
  const fake = await FakeWooCommerce.start(stores.app.site.clock());
  after(() => fake.close());
  return { stores, fake, given: { kind: 'woocommerce', url: fake.url } };
};

for (const [name, start] of [
  ['that is alone on its database', releaseStoreLeases],
  ['of several', (site) => catchUpStores.run(site)],
] as const satisfies [string, typeof releaseStoreLeases][]) {
  test(`a server ${name} compares with its stores when it starts`, async () => {
    const { stores, fake, given } = await openShop();
    const { id } = await stores.connect({ ...given, credentials: FAKE_KEYS });
    await stores.sync();
    assert.equal((await stores.connection(id)).catching_up, false);
    // While no server answers, so that its webhooks fail; the next comparison is due in a quarter of an hour.
    const order = fake.shop.place({ codes: ['ada10'] });
    await stores.sync();
    assert.equal(await stores.order(order.id).then(({ code }) => code), 'svc_api_not_found');
    // The same installation, started again.
    const started = Object.create(stores.app.site) as typeof stores.app.site;
    await start(started);
    const record = await stores.connection(id);
    assert.deepEqual([record.state, record.catching_up], ['connected', true]);
    await stores.sync();
    assert.equal((await stores.order(order.id)).status, 'processing');
    assert.equal((await stores.connection(id)).catching_up, false);
    // Once for each start.
    const before = fake.requests.length;
    await start(started);
    await stores.sync();
    assert.equal(fake.requests.length, before);
  });
}

test('an import never reads more than all', async () => {
  const { stores, fake, given } = await openShop();
  fake.perPageMax = 7;
  for (let i = 0; i < 20; i += 1) fake.shop.place();
  const trashed = fake.shop.place();
  fake.shop.trash(trashed.id);
  const { id } = await stores.connect({ ...given, credentials: FAKE_KEYS });
  await stores.post(`/connections/${id}/import`, {});
  await stores.sync();
  const { import: done } = await stores.connection(id);
  assert.deepEqual([done.state, done.read, done.total], ['done', 21, 21]);
});

describe('a new meaning of a status applies to known orders', () => {
  const setMeaning = async (stores: StoreApp, meaning: Record<string, string>) => {
    const values = { 'stores.woocommerce.statuses': meaning };
    assert.equal((await stores.send('PATCH', '/settings', values)).status, 200);
    await remapOrders.run(stores.app.site);
  };

  test('that are read from the shop again, and to no others', async () => {
    const { stores, fake, given } = await openShop();
    const old = fake.shop.place({ codes: ['ada10'], status: 'packed' });
    fake.shop.takeQueue(fake.url);
    stores.app.advance(60 * 60_000);
    fake.shop.tick(60 * 60);
    const { id } = await stores.connect({ ...given, credentials: FAKE_KEYS });
    const order = fake.shop.place({ codes: ['ada10'], status: 'packed' });
    await fake.deliver();
    await stores.process();
    await remapOrders.run(stores.app.site);
    assert.equal((await stores.order(order.id)).status, 'processing');
    await setMeaning(stores, { packed: 'completed' });
    await stores.sync();
    assert.equal((await stores.order(order.id)).status, 'completed');
    assert.equal((await stores.order(old.id)).code, 'svc_api_not_found', 'it was not imported');
    assert.equal((await stores.connection(id)).import, null);
    await setMeaning(stores, {});
    await stores.sync();
    assert.equal((await stores.order(order.id)).status, 'processing');
  });

  test('that it has sent, of a connection that only receives', async () => {
    const { stores, fake, given } = await openShop();
    const webhook_secret = 'secretOfTheShop1';
    const { id } = await stores.connect({ ...given, webhook_secret });
    const { receiver_url: deliveryUrl } = await stores.connection(id);
    for (const topic of ['order.created', 'order.updated']) {
      const hook = { name: topic, topic, deliveryUrl, secret: webhook_secret, failures: 0 };
      const number = fake.shop.nextId();
      fake.shop.webhooks.set(number, { ...hook, id: number, status: 'active' });
    }
    const order = fake.shop.place({ codes: ['ada10'] });
    await fake.deliver();
    fake.shop.setStatus(order.id, 'packed');
    await fake.deliver();
    await stores.process();
    assert.equal((await stores.order(order.id)).status, 'processing');
    await setMeaning(stores, { packed: 'completed' });
    await stores.process();
    assert.equal((await stores.order(order.id)).status, 'completed');
  });
});

describe('what an owner can do about it is named', () => {
  test('for a shop in a private network', async () => {
    const { stores, given } = await openShop({ 'stores.allow_private': false });
    const url = given.url.replace('http:', 'https:');
    const credentials = FAKE_KEYS;
    const { status, body } = await stores.post('/connections', { ...given, url, credentials });
    assert.equal(status, 502);
    assert.match(body.message, /Settings, Stores, Allow private addresses/);
    const plain = await stores.post('/connections', { ...given, credentials });
    assert.match(plain.body.message, /Allow private addresses/);
  });

  test('for a firewall, and for a name that only the hosts file knows', async () => {
    const { stores, fake, given } = await openShop();
    fake.errors.push({ status: 403, json: {}, text: '<html>Forbidden</html>' });
    const blocked = await stores.post('/connections', { ...given, credentials: FAKE_KEYS });
    assert.match(blocked.body.message, /firewall.*user agent "Tributary"/);
    const refusal = { code: 'woocommerce_rest_cannot_view', message: 'No.' };
    fake.errors.push({ status: 403, json: refusal });
    const refused = await stores.post('/connections', { ...given, credentials: FAKE_KEYS });
    assert.match(refused.body.message, /refused the credentials \(403\)/);
    const resolved = await stores.post('/connections', {
      ...given,
      url: 'https://shop.invalid',
      credentials: FAKE_KEYS,
    });
    assert.match(resolved.body.message, /hosts file.*Settings, Stores, Allow private addresses/);
  });

  test('for plain permalinks, and for a shop that has moved', async () => {
    const { stores, fake, given } = await openShop();
    const connect = () => stores.post('/connections', { ...given, credentials: FAKE_KEYS });
    const home = { status: 301, json: {}, headers: { location: `${fake.url}/` } };
    fake.errors.push(home, home);
    const { message } = (await connect()).body;
    assert.match(message, /redirects requests to its API to another page/);
    assert.ok(!message.includes(fake.url));
    fake.errors.push({ status: 301, json: {}, headers: { location: 'https://new.example/x' } });
    assert.match((await connect()).body.message, /https:\/\/new\.example\. Connect that address/);
    // The API is reached by its path in the query.
    fake.isPlain = true;
    const connected = await connect();
    assert.equal(connected.status, 201, connected.text);
    const order = fake.shop.place({ codes: ['ada10'] });
    stores.app.advance(60_000);
    await stores.sync();
    assert.equal((await stores.order(order.id)).status, 'processing');
  });
});
