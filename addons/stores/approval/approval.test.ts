import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { StoreApp } from '../test/store-app.ts';
import { FAKE_KEYS, FakeWooCommerce } from '../test/woocommerce/fake-woocommerce.ts';
import { delivery } from '../test/woocommerce/recorded.ts';
import { finishApprovals } from './finish-approvals.ts';

const PUBLIC = 'https://partners.example:8443';
const stores = await StoreApp.open({ config: { publicUrl: PUBLIC } });
const { app } = stores;
const fake = await FakeWooCommerce.start(app.site.clock());
after(() => fake.close());

async function request(json: Record<string, unknown> = {}) {
  const given = { kind: 'woocommerce', name: 'Outdoor shop', url: `${fake.url}/wp-admin/` };
  const { status, body, text } = await stores.post('/connection-requests', { ...given, ...json });
  assert.equal(status, 201, text);
  const page = new URL(body.approve_url);
  const callback = new URL(page.searchParams.get('callback_url')!);
  return { id: body.id as number, page, callback };
}

/** As a real shop was recorded to send it: unsigned, and the shop keeps the key only if the answer is 200. */
function approve(callback: URL, body = delivery('202').body.toString()) {
  const { headers } = delivery('202');
  return app.call(`~${callback.pathname}${callback.search}`, {
    method: 'POST',
    headers,
    json: body,
  });
}

const outcome = async (id: number) => {
  const { body } = await stores.get(`/connection-requests/${id}`);
  assert.equal(body.steps.length > 0, body.state === 'connected');
  return { state: body.state, connection: body.connection_id, reason: body.reason };
};
const connections = async () => (await stores.get('/connections')).body.length;

test('an owner approves in the shop, and the store is connected with the key that it sends', async () => {
  const { id, page, callback } = await request();
  assert.equal(page.origin + page.pathname, `${fake.url}/wc-auth/v1/authorize`);
  assert.equal(page.searchParams.get('scope'), 'read_write');
  assert.equal(page.searchParams.get('return_url'), `${PUBLIC}/console/stores?request=${id}`);
  assert.equal(callback.origin, PUBLIC);
  assert.deepEqual(await outcome(id), { state: 'waiting', connection: null, reason: '' });

  assert.deepEqual((await approve(callback)).status, 200);
  const approved = await outcome(id);
  assert.equal(approved.state, 'approved');
  // The shop waits for the answer, so it is called afterwards; a shop that is busy is called again.
  fake.errors.push({ status: 503, json: {} });
  await finishApprovals.run(app.site);
  assert.equal((await outcome(id)).state, 'approved');
  app.advance(60_000);
  await finishApprovals.run(app.site);
  assert.deepEqual(await outcome(id), { ...approved, state: 'connected' });
  const { state, has_credentials, name } = await stores.connection(approved.connection);
  assert.deepEqual([state, has_credentials, name], ['connected', true, 'Outdoor shop']);
  assert.equal(fake.shop.webhooks.size, 4);
  const { body } = await stores.get(`/connection-requests/${id}`);
  assert.match(body.steps[0], /accepts the key/);
  assert.match(body.warnings[0], /only to the ports 80, 443 and 8080/);

  const again = await approve(callback);
  assert.equal(again.status, 404, 'the state is valid once');
  assert.equal(await connections(), 1);
});

test('two answers at the same moment make one connection', async () => {
  const before = await connections();
  const { callback } = await request({ url: 'https://second.example' });
  const statuses = await Promise.all(
    [1, 2, 3, 4].map(async () => (await approve(callback)).status),
  );
  assert.deepEqual(statuses.toSorted(), [200, 404, 404, 404]);
  assert.equal(await connections(), before + 1);
});

test('nothing else is accepted', async () => {
  const before = await connections();
  const { id, callback } = await request({ url: 'https://third.example' });
  for (const body of [
    '',
    '[]',
    '{}',
    '{"consumer_key":"ck_x","consumer_secret":7}',
    'x'.repeat(9_000),
  ]) {
    assert.equal((await approve(callback, body)).status, 400, body.slice(0, 50));
  }
  const odd = JSON.stringify({ ...FAKE_KEYS, consumer_key: 'ck_short' });
  assert.equal((await approve(callback, odd)).status, 400);
  assert.equal((await approve(callback, 'x'.repeat(20_000))).status, 413);
  const other = new URL(callback);
  other.searchParams.set('state', 'guessed');
  assert.equal((await approve(other)).status, 404);
  assert.equal((await approve(new URL('/connect/http/keys?state=x', callback))).status, 404);
  assert.equal((await approve(new URL('/connect/woocommerce/keys', callback))).status, 400);

  app.advance(10 * 60_000 + 1);
  assert.equal((await approve(callback)).status, 404);
  assert.equal((await outcome(id)).state, 'expired');
  assert.equal(await connections(), before);
});

test('a shop that is connected already is refused, unless it is taken over', async () => {
  const given = { kind: 'woocommerce', url: `${fake.url}/wp-admin/` };
  const refused = await stores.post('/connection-requests', given);
  assert.deepEqual([refused.status, refused.body.code], [409, 'svc_api_store_connected']);
  const all = (await stores.get('/connections')).body;
  const connected = all.find(({ state }: any) => state === 'connected');
  assert.equal(refused.body.data.connection_id, connected.id);
  const { id, callback } = await request({ replace: true, name: 'Taken over' });
  assert.equal((await approve(callback)).status, 200);
  await finishApprovals.run(app.site);
  assert.partialDeepStrictEqual(await outcome(id), {
    state: 'connected',
    connection: connected.id,
  });
  const record = await stores.connection(connected.id);
  assert.deepEqual([record.name, record.state], ['Taken over', 'connected']);
  assert.equal(fake.shop.webhooks.size, 4);
});

test('of two requests for one shop, the second answer is refused', async () => {
  const [first, second] = [
    await request({ url: 'https://fourth.example' }),
    await request({ url: 'http://www.fourth.example:443/' }),
  ];
  const before = await connections();
  const answers = await Promise.all([approve(first.callback), approve(second.callback)]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  assert.equal(await connections(), before + 1);
});

test('why a shop is not connected yet is shown while it is called again', async () => {
  const { id, callback } = await request({ replace: true });
  assert.equal((await approve(callback)).status, 200);
  fake.errors.push({ status: 500, json: {} });
  await finishApprovals.run(app.site);
  const waiting = await outcome(id);
  assert.deepEqual([waiting.state, waiting.reason], ['approved', 'The store answered 500.']);
  app.advance(60_000);
  await finishApprovals.run(app.site);
  assert.deepEqual(await outcome(id), { ...waiting, state: 'connected', reason: '' });
});

test('a key that the shop refuses fails with its reason', async () => {
  const { id, callback } = await request({ replace: true });
  const wrong = JSON.stringify({ ...FAKE_KEYS, consumer_secret: `cs_${'0'.repeat(40)}` });
  assert.equal((await approve(callback, wrong)).status, 200);
  await finishApprovals.run(app.site);
  const { state, reason, connection } = await outcome(id);
  assert.equal(state, 'failed');
  assert.match(reason, /refused the credentials/);
  // The connection that it should have taken over works on with the key that it has.
  const works = await stores.connection(connection);
  assert.deepEqual([works.state, works.reason], ['connected', '']);
  const check = await stores.post(`/connections/${connection}/check`);
  assert.equal(check.body.works, true, check.text);
});

test('only kinds with such a page, and only with a public https address', async () => {
  const given = { kind: 'http', name: 'x', url: 'https://shop.example' };
  assert.equal((await stores.post('/connection-requests', given)).status, 400);
  assert.equal((await stores.get('/connection-requests/999')).status, 404);
});
