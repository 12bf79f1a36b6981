import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { MINUTE_MS, DAY_MS } from '../../../src/shared/durations.ts';
import { idOf } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { reportBrokenStores } from '../connections/report-broken.ts';
import { createCouponsInStores } from '../coupons/create-in-stores.ts';
import { assertBalanced, figuresOf } from '../test/compared-stores.ts';
import { ShopletServer, TOKEN } from '../test/shoplet-server.ts';
import { StoreApp, type ConnectedStore } from '../test/store-app.ts';
import { LEASE_MS, readNextPage } from './run-sync.ts';
import { claimSync } from './sync-rows.ts';

const extensions = join(import.meta.dirname, '../../../examples/store-connector/shoplet.ts');
const stores = await StoreApp.open({ config: { extensions } });
const { app } = stores;
await stores.coupon('MAYA10');
const now = () => app.site.clock();

/** A store of its own, connected. */
async function connected(): Promise<{ server: ShopletServer; store: ConnectedStore }> {
  const server = await new ShopletServer().listen();
  const url = server.url;
  const store = await stores.connect({ kind: 'shoplet', url, credentials: { token: TOKEN } });
  await stores.sync();
  return { server, store };
}

const eventsOf = async (id: number) =>
  (await app.call('/events?per_page=100', { key: stores.key })).body
    .filter(({ event, object_id }: any) => event.startsWith('store.') && object_id === id)
    .map(({ event }: any) => event);

/** The mails about a store that does not work, or works again, after the job has run twice at the same moment. */
const mailsAbout = async (id: number, about = 'store-broken') => {
  await Promise.all([reportBrokenStores.run(app.site), reportBrokenStores.run(app.site)]);
  return (await outbox(app.site)).filter(
    ({ template, text }) => template === about && text.includes(`/console/stores/${id}\n`),
  );
};

const send = (server: ShopletServer, store: ConnectedStore, event: string, order: number) => {
  const { text, headers } = server.delivery(event, order);
  return app.call(store.receiver, { method: 'POST', json: text, headers });
};

describe('connecting', () => {
  test('calls the store, creates its webhook, and tells each step', async () => {
    const { server, store } = await connected();
    assert.equal(server.hooks[0]!.secret, store.secret);
    const record = await stores.connection(store.id);
    assert.deepEqual(
      [record.state, record.reason, record.webhooks_active, record.has_credentials],
      ['connected', '', true, true],
    );
    assert.equal(record.lag_s, 0);
    assert.deepEqual(await eventsOf(store.id), ['store.connected']);
    assert.equal((await mailsAbout(store.id, 'store-connected')).length, 1);
    const reply = await stores.send('DELETE', `/connections/${store.id}`);
    assert.deepEqual([reply.body, server.hooks], [{ deleted: true, note: '' }, []]);
    assert.deepEqual((await eventsOf(store.id)).toSorted(), [
      'store.connected',
      'store.disconnected',
    ]);
  });

  test('refuses what the store refuses, and keeps nothing of it', async () => {
    const server = await new ShopletServer().listen();
    const before = (await stores.get('/connections')).body.length;
    const json = { kind: 'shoplet', name: 'No', url: server.url };
    const wrong = await stores.post('/connections', {
      ...json,
      credentials: { token: 'wrongwrong' },
    });
    assert.deepEqual([wrong.status, wrong.body.code], [502, 'svc_api_store_failed']);
    assert.match(wrong.body.message, /refused the credentials \(401\)/);
    for (const [fields, invalid] of [
      [{ credentials: { token: 'UPPER CASE' } }, 'credentials.token'],
      [{ credentials: { key: 'x' } }, 'credentials.key'],
      [{ kind: 'unknown' }, 'kind'],
      [{ url: 'http://[' }, 'url'],
    ] as const) {
      const reply = await stores.post('/connections', { ...json, ...fields });
      assert.deepEqual(
        [reply.status, Object.keys(reply.body.data.params).includes(invalid)],
        [400, true],
      );
    }
    await app.set({ 'stores.allow_private': false });
    const inside = await stores.post('/connections', { ...json, credentials: { token: TOKEN } });
    assert.equal(inside.status, 502);
    await app.set({ 'stores.allow_private': true });
    assert.equal((await stores.get('/connections')).body.length, before);
  });
});

describe('reconciling', () => {
  test('finds what no delivery brought, and counts only that', async () => {
    const { server, store } = await connected();
    app.advance(MINUTE_MS);
    for (let id = 101; id <= 107; id += 1) server.put(id, now());
    await send(server, store, 'order', 101);
    await stores.process();
    await send(server, store, 'order', 102);
    const { body } = await stores.post(`/connections/${store.id}/reconcile`, {});
    assert.deepEqual([body.read, body.changed, body.missed, body.complete], [7, 6, 5, true]);
    assert.match(body.summary, /^7 orders read, 6 of them were new or changed\.$/);
    await stores.process();
    assert.equal((await stores.order(107)).referrals[0].commission, 10);
    // Nothing is due before 15 minutes have passed, and the overlap finds nothing again.
    server.requests.splice(0);
    app.advance(14 * MINUTE_MS);
    await stores.sync();
    assert.deepEqual(server.requests, []);
    app.advance(2 * MINUTE_MS);
    server.put(103, now(), { state: 'cancelled' });
    await stores.sync();
    assert.equal((await stores.order(103)).referrals[0].commission, 0);
    const record = await stores.connection(store.id);
    assert.deepEqual([record.missed_found, record.lag_s], [6, 0]);
  });

  test('on request takes over from a process that died while it read', async () => {
    const { server, store } = await connected();
    app.advance(DAY_MS);
    await stores.sync();
    // The cursor has passed this order, and the dead process holds the lease.
    server.put(151, now() - DAY_MS / 2);
    app.advance(20 * MINUTE_MS);
    const key = { connection_id: store.id, task: 'reconcile' as const };
    const lease = { lease: 'dead', now: now(), until: now() + LEASE_MS };
    assert.ok(await app.site.database.transaction((tx) => claimSync(tx, key, lease)));
    const since = new Date(now() - DAY_MS).toISOString();
    const { body } = await stores.post(`/connections/${store.id}/reconcile`, { since });
    assert.deepEqual([body.changed, body.missed, body.complete], [1, 1, true]);
    assert.equal((await stores.order(151)).store, store.id);
  });

  test('a store that was down for a day becomes complete again without help', async () => {
    const { server, store } = await connected();
    server.isDown = true;
    for (let hour = 0; hour < 24; hour += 1) {
      app.advance(DAY_MS / 24);
      server.put(200 + hour, now());
      await stores.sync();
      // Not in the first hour: most stores are back within minutes. Then once.
      assert.equal((await mailsAbout(store.id)).length, Math.min(hour, 1));
    }
    const down = await stores.connection(store.id);
    assert.equal(down.state, 'degraded');
    assert.match(down.reason, /closed the connection/);
    assert.ok(down.lag_s > 23 * 60 * 60);
    const { body } = await app.call('/svc/store/v1/overview', { key: stores.key });
    assert.ok(body.needs.find(({ name }: any) => name === 'stores_failing').count > 0);
    server.isDown = false;
    server.hooks[0]!.active = false;
    app.advance(20 * MINUTE_MS);
    await stores.sync();
    for (let hour = 0; hour < 24; hour += 1) {
      assert.equal((await stores.order(200 + hour)).store, store.id);
    }
    const up = await stores.connection(store.id);
    assert.deepEqual([up.state, up.reason, up.missed_found], ['connected', '', 24]);
    // The store had disabled its webhook.
    assert.equal(server.hooks[0]!.active, true);
    const [works, ...more] = await mailsAbout(store.id, 'store-recovered');
    assert.deepEqual([works!.subject, more], ['The store Test store works again', []]);
    const events = ['store.connected', 'store.degraded', 'store.recovered'];
    assert.deepEqual((await eventsOf(store.id)).toSorted(), events);

    server.isDown = true;
    const language = await stores.send('PATCH', '/account', { language: 'de' });
    assert.equal(language.status, 200, language.text);
    for (const minutes of [20, 20, 20]) {
      app.advance(minutes * MINUTE_MS);
      await stores.sync();
    }
    const [first, again, ...others] = await mailsAbout(store.id);
    assert.deepEqual([first!.to_address, others], [again!.to_address, []]);
    assert.equal(first!.subject, 'The store Test store needs your attention');
    assert.equal(again!.subject, 'Der Shop Test store braucht Ihre Aufmerksamkeit');
    assert.match(first!.text, /Reason: .*closed the connection/);
    // It is unknown whether one works that was paused.
    for (const state of ['paused', 'active']) {
      await stores.send('PATCH', `/connections/${store.id}`, { state });
    }
    assert.equal((await mailsAbout(store.id, 'store-recovered')).length, 1);
    await stores.send('DELETE', `/connections/${store.id}`);
  });

  test('refused credentials fail the connection until new ones work', async () => {
    const { server, store } = await connected();
    server.token = 'another1another1';
    app.advance(16 * MINUTE_MS);
    await stores.sync();
    assert.equal((await stores.connection(store.id)).state, 'failed');
    const checked = await stores.post(`/connections/${store.id}/check`);
    assert.deepEqual([checked.body.works, checked.body.notes.length], [false, 1]);
    const path = `/connections/${store.id}`;
    const wrong = await stores.send('PATCH', path, { credentials: { token: 'wrongwrong' } });
    assert.equal(wrong.status, 502);
    const right = await stores.send('PATCH', path, { credentials: { token: server.token } });
    assert.deepEqual([right.status, right.body.state], [200, 'connected']);
    assert.deepEqual(right.body.steps, ['The token works.', 'The webhook exists.']);
    assert.equal((await stores.post(`${path}/check`)).body.works, true);
  });

  test('reads orders with refunds again once a day, and takes deleted orders back', async () => {
    const { server, store } = await connected();
    app.advance(MINUTE_MS);
    server.put(301, now(), { refunds: [{ id: 1, amount: 40 }] });
    server.put(302, now(), { refunds: [{ id: 2, amount: 100 }] });
    await stores.post(`/connections/${store.id}/reconcile`, {});
    assert.equal((await stores.order(301)).referrals[0].commission, 6);
    // Deleting a refund leaves the time of change alone, and a deleted order is in no list.
    server.orders.get(301)!.refunds = [];
    server.orders.delete(302);
    app.advance(DAY_MS + MINUTE_MS);
    await stores.sync();
    assert.equal((await stores.order(301)).referrals[0].commission, 10);
    assert.equal((await stores.order(302)).status, 'completed');
    app.advance(DAY_MS + MINUTE_MS);
    await stores.sync();
    assert.equal((await stores.order(302)).status, 'cancelled');
    server.requests.splice(0);
    app.advance(DAY_MS + MINUTE_MS);
    await stores.sync();
    assert.equal(
      server.requests.some((line) => line.includes('/orders/30')),
      false,
    );
  });

  test('a payload that cannot be stored is in the inbox, and stops no other', async () => {
    const { server, store } = await connected();
    app.advance(MINUTE_MS);
    server.put(401, now(), { currency: 'GBP' });
    server.put(402, now(), { amount: -5 });
    server.put(403, now());
    const { body } = await stores.post(`/connections/${store.id}/reconcile`, {});
    assert.deepEqual([body.read, body.changed], [3, 1]);
    const failed = await stores.deliveries(store.id, '&state=failed');
    assert.deepEqual(
      failed.map(({ topic }) => topic),
      ['sync', 'sync'],
    );
    assert.equal(failed.filter(({ reason }) => /no exchange rate/.test(reason)).length, 1);
  });
});

describe('deliveries that need the store', () => {
  test('a deletion that was delivered before the order was read again deletes nothing', async () => {
    const { server, store } = await connected();
    server.put(511, now());
    await send(server, store, 'order', 511);
    await stores.process();
    await send(server, store, 'deleted', 511);
    app.advance(MINUTE_MS);
    const [, reconciled] = await Promise.all([
      stores.process(),
      stores.post(`/connections/${store.id}/reconcile`, { since: '2020-01-01' }),
    ]);
    assert.equal(reconciled.status, 200, reconciled.text);
    assert.equal((await stores.order(511)).status, 'completed');
  });

  test('wait for it, each with the reason, and delay no other', async () => {
    const { server, store } = await connected();
    server.put(501, now());
    server.put(502, now(), { refunds: [{ id: 1, amount: 100 }] });
    server.isDown = true;
    for (const id of [501, 502, 503]) await send(server, store, 'refund', id);
    await send(server, store, 'order', 501);
    await send(server, store, 'note', 501);
    await send(server, store, 'deleted', 599);
    server.requests.splice(0);
    await stores.process();
    assert.equal(server.requests.length, 1);
    const states = async () => (await stores.deliveries(store.id)).map(({ state }) => state);
    assert.deepEqual(await states(), [
      'done',
      'ignored',
      'done',
      'received',
      'received',
      'received',
    ]);
    assert.equal((await stores.connection(store.id)).state, 'degraded');
    server.isDown = false;
    server.errors.push({ status: 429, headers: { 'retry-after': '90' } });
    app.advance(10_000);
    await stores.process();
    app.advance(60_000);
    server.requests.splice(0);
    await stores.process();
    assert.deepEqual(server.requests, []);
    app.advance(60_000);
    await stores.process();
    assert.deepEqual((await states()).slice(3), ['ignored', 'done', 'done']);
    assert.equal((await stores.order(502)).refunded, 100);
    // The store has no order 503.
    assert.match((await stores.deliveries(store.id))[3].reason, /shows no such order/);
  });
});

describe('an import', () => {
  test('reads all pages once, at the pace of the store, and goes on after a crash', async () => {
    const { server, store } = await connected();
    for (let id = 601; id <= 623; id += 1) server.put(id, now() - 100 * DAY_MS + id * MINUTE_MS);
    const path = `/connections/${store.id}`;
    const { body } = await stores.post(`${path}/import`, {});
    assert.deepEqual([body.import.state, body.import.read], ['running', 0]);
    server.requests.splice(0);
    // Another process takes the lease of the second page, and dies with it.
    await readNextPage(app.site, store.id, 'import');
    const key = { connection_id: store.id, task: 'import' as const };
    const lease = { lease: 'dead', now: now(), until: now() + LEASE_MS };
    await app.site.database.transaction((tx) => claimSync(tx, key, lease));
    // As often as they like: the lease is taken.
    await Promise.all([1, 2, 3].map(() => readNextPage(app.site, store.id, 'import')));
    await stores.sync();
    assert.equal(server.requests.length, 1);
    app.advance(3 * MINUTE_MS);
    server.errors.push({ status: 429, headers: { 'retry-after': '30' } });
    await stores.sync();
    assert.equal((await stores.connection(store.id)).import.read, 5);
    app.advance(31_000);
    await stores.sync();
    const { import: done, missed_found } = await stores.connection(store.id);
    assert.deepEqual(
      [done.state, done.read, done.changed, done.total, missed_found],
      ['done', 23, 23, 23, 0],
    );
    assert.equal((await stores.order(623)).referrals[0].commission, 10);
    const pages = server.requests.filter((line) => line.includes('page='));
    assert.equal(pages.length, 6);
  });

  test('takes over orders that were sent before, and counts none twice', async () => {
    const { server, store } = await connected();
    const placedMs = now() - 30 * DAY_MS;
    for (let id = 651; id <= 655; id += 1) server.put(id, placedMs);
    const put = async (id: number, fields: Record<string, unknown>) => {
      const date = new Date(placedMs + 60 * MINUTE_MS).toISOString();
      const order = { date, status: 'completed', total: 100, coupon_codes: ['MAYA10'], ...fields };
      return stores.send('PUT', `/orders/${id}`, order);
    };
    const sent = [
      // The same day and total; the sender knows a later version.
      await put(651, { external_id: 'WEB-651', date_modified: new Date(now()).toISOString() }),
      // The same second, another total.
      await put(652, { date: new Date(placedMs).toISOString(), total: 70 }),
      // Orders of another shop with the same number.
      await put(653, { date: new Date(placedMs - 2 * DAY_MS).toISOString() }),
      await put(654, { external_id: 'B-654', total: 70 }),
      // Who knows?
      await put(655, { total: 70 }),
    ];
    assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set([201]));
    await stores.post(`/connections/${store.id}/import`, {});
    await stores.sync();
    const ofStore = async () => {
      const numbers = Object.keys(await figuresOf(stores, store));
      const orders = await Promise.all([651, 652, 653, 654, 655].map((id) => stores.order(id)));
      return [numbers, orders.map((order) => [order.store, order.total])];
    };
    assert.deepEqual(await ofStore(), [
      ['651', '652', '653', '654'],
      [
        [store.id, 100],
        [store.id, 100],
        [null, 100],
        [null, 70],
        [null, 70],
      ],
    ]);
    assert.equal((await stores.order(652)).referrals[0].commission, 10);
    const failed = await stores.deliveries(store.id, '&state=failed');
    assert.deepEqual(
      failed.map(({ external_id }) => external_id),
      ['655'],
    );
    assert.match(failed[0].reason, /^Order 655, .* another total\. .*PUT \/orders/);
    const refused = await put(651, { total: 1 });
    assert.deepEqual([refused.status, refused.body.code], [409, 'svc_api_order_of_store']);
    // The same delivery, sent by the store, fails too, until the owner has decided.
    await send(server, store, 'order', 655);
    await stores.process();
    assert.equal((await stores.deliveries(store.id, '&state=failed')).length, 2);
    assert.equal((await put(655, {})).status, 200);
    for (const { id } of failed)
      await stores.post(`/connections/${store.id}/deliveries/${id}/retry`);
    await stores.process();
    assert.deepEqual((await ofStore())[0], ['651', '652', '653', '654', '655']);
    assert.equal((await stores.order(655)).store, store.id);
    // The same shop, connected again, goes on with its orders; another shop has an order of the same number.
    const before = await figuresOf(stores, store);
    await stores.send('DELETE', `/connections/${store.id}`);
    server.put(651, placedMs, { placed: new Date(placedMs + MINUTE_MS).toISOString() });
    const url = server.url;
    const reconnected = await stores.connect({
      kind: 'shoplet',
      url,
      credentials: { token: TOKEN },
    });
    await stores.post(`/connections/${reconnected.id}/import`, {});
    await stores.sync();
    assert.deepEqual(await figuresOf(stores, reconnected), before);
    assert.deepEqual(
      await Promise.all([651, 655].map(async (id) => (await stores.order(id)).store)),
      [store.id, reconnected.id],
    );
    await assertBalanced(stores);
  });

  test('needs credentials', async () => {
    const store = await stores.connect({ kind: 'http' });
    for (const task of ['import', 'reconcile']) {
      const { status, body } = await stores.post(`/connections/${store.id}/${task}`, {});
      assert.deepEqual([status, body.code], [409, 'svc_api_store_only_receives']);
    }
    const { body } = await stores.post(`/connections/${store.id}/check`);
    assert.equal(body.works, null);
    const wrong = await stores.post(`/connections/${store.id}/reconcile`, { since: 'soon' });
    assert.equal(wrong.status, 400);
  });
});

test('a test order passes through every step and leaves nothing behind', async () => {
  const { server, store } = await connected();
  const own = await stores.connect({ kind: 'http' });
  for (const { id } of [store, own]) {
    const { status, body, text } = await stores.post(`/connections/${id}/test-order`, {
      code: 'MAYA10',
      total: 80,
    });
    assert.equal(status, 200, text);
    assert.equal(body.order.referrals[0].commission, 8);
    assert.equal(body.steps.length, 3);
    assert.deepEqual(await stores.deliveries(id), []);
  }
  assert.equal((await stores.get('/orders/1')).status, 404);
  const nobody = await stores.post(`/connections/${own.id}/test-order`, { code: 'NOBODY' });
  assert.match(nobody.body.steps[2], /No affiliate has the code NOBODY/);
  assert.equal(server.orders.size, 0);
});

test('codes are created and paused in the store, and failures are shown', async () => {
  const { server, store } = await connected();
  const { site } = app;
  const path = `/connections/${store.id}`;
  await stores.coupon('BEFORE');
  const coupon_discount = { type: 'percent', amount: 15 };
  await stores.send('PATCH', path, { coupon_discount });
  const id = await stores.coupon('NEW15');
  server.errors.push({ status: 500 });
  await createCouponsInStores.run(site);
  const failed = await stores.connection(store.id);
  assert.deepEqual(failed.coupon_errors, [{ code: 'NEW15', error: 'The store answered 500.' }]);
  app.advance(10_000);
  await createCouponsInStores.run(site);
  assert.deepEqual([...server.codes], [['NEW15', { active: true, discount: { percent: 15 } }]]);
  assert.deepEqual((await stores.connection(store.id)).coupon_errors, []);
  const change = { method: 'PATCH', key: stores.key, json: { status: 'disabled' } };
  assert.equal((await app.call(`/svc/store/v1/coupons/${id}`, change)).status, 200);
  await createCouponsInStores.run(site);
  assert.equal(server.codes.get('NEW15')!.active, false);
  await stores.send('PATCH', path, { coupon_discount: null });
  await stores.coupon('LATER');
  await createCouponsInStores.run(site);
  assert.equal(server.codes.size, 1);
});

test('a code gets the discount of its coupon, then of a group, then of the connection', async () => {
  const { server, store } = await connected();
  const ask = async (method: string, where: string, json: object) => {
    const reply = await app.call(where, { method, key: stores.key, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  await ask('POST', '/svc/store/v1/groups', { name: 'Off', percent_override: 5 });
  const group = await ask('POST', '/svc/store/v1/groups', {
    name: 'Twenty',
    discount: { type: 'percent', amount: 20 },
  });
  assert.deepEqual(group.discount, { type: 'percent', amount: 20 });
  await ask('PATCH', `/svc/store/v1/affiliates/${idOf('tomas')}`, { groups: ['Off', 'Twenty'] });
  const coupon_discount = { type: 'percent', amount: 15 };
  await stores.send('PATCH', `/connections/${store.id}`, { coupon_discount });
  const make = (code: string, more: object) =>
    ask('POST', '/svc/store/v1/coupons', { code, ...more });
  await make('OFSTORE', { user_id: idOf('maya') });
  await make('OFGROUP', { user_id: idOf('tomas') });
  const discount = { type: 'percent', amount: 30 };
  const own = await make('OWN30', { user_id: idOf('tomas'), discount });
  assert.deepEqual(own.discount, discount);
  await createCouponsInStores.run(app.site);
  const discounts = () => [...server.codes].map(([code, one]) => [code, one.discount]);
  const created = [
    ['OFSTORE', { percent: 15 }],
    ['OFGROUP', { percent: 20 }],
    ['OWN30', { percent: 30 }],
  ];
  assert.deepEqual(discounts(), created);
  // A code that is there already keeps its discount, and a change of it is no other code.
  await ask('PATCH', `/svc/store/v1/coupons/${own.id}`, { discount: null });
  await createCouponsInStores.run(app.site);
  assert.deepEqual(discounts(), created);
  const invalid = await app.call('/svc/store/v1/coupons', {
    method: 'POST',
    key: stores.key,
    json: { code: 'TOOMUCH', discount: { type: 'percent', amount: 101 } },
  });
  assert.deepEqual(invalid.body.data.params, { discount: 'must be at most 100 percent' });
  await stores.send('PATCH', `/connections/${store.id}`, { coupon_discount: null });
});
