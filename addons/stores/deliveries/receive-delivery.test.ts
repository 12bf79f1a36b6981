import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outbox } from '../../../test/support/outbox.ts';
import { orderOf, StoreApp } from '../test/store-app.ts';
import { claimDeliveries } from './delivery-rows.ts';
import { processDeliveries } from './process-deliveries.ts';
import { releaseStoreLeases } from './release-leases.ts';

const stores = await StoreApp.open();
const { app } = stores;
await stores.coupon('MAYA10');
const shop = await stores.connect({ kind: 'http' });
const statesOf = async (id: number) =>
  (await stores.deliveries(id)).map(({ state, reason }) => ({ state, reason }));

test('a delivery becomes an order with its commission', async () => {
  assert.equal(shop.body.state, 'receiving');
  assert.match(shop.body.receiver_url, /\/connect\/http\/1$/);
  assert.match(shop.secret, /^[A-Za-z0-9]{40}$/);
  const reply = await stores.deliver(shop, orderOf('1042'));
  assert.deepEqual([reply.status, reply.body], [200, { received: true }]);
  assert.equal((await stores.deliveries(shop.id))[0].state, 'received');
  await stores.process();
  const [delivery] = await stores.deliveries(shop.id);
  assert.deepEqual([delivery.state, delivery.order_id, delivery.attempts], ['done', 1042, 1]);
  const order = await stores.order(1042);
  assert.deepEqual([order.store, order.external_id, order.total], [shop.id, '1042', 100]);
  assert.equal(order.referrals[0].commission, 10);
  const record = await stores.connection(shop.id);
  assert.ok(record.last_delivery_at && record.last_order_at);
  assert.equal('webhook_secret' in record, false);
});

describe('the receiver', () => {
  test('refuses a wrong signature, keeps nothing and counts it', async () => {
    const before = (await stores.deliveries(shop.id)).length;
    for (const headers of [{}, { 'x-tributary-signature': 'sha256=00' }]) {
      const json = orderOf('1');
      const reply = await app.call(shop.receiver, { method: 'POST', json, headers });
      assert.deepEqual([reply.status, reply.body.code], [401, 'svc_api_wrong_signature']);
    }
    const other = await stores.connect({ kind: 'http' });
    assert.equal((await stores.deliver(shop, orderOf('1'), other.secret)).status, 401);
    assert.equal((await stores.deliveries(shop.id)).length, before);
    const { rejected, rejected_reason } = await stores.connection(shop.id);
    assert.equal(rejected, 3);
    assert.match(rejected_reason, /signature/);
  });

  test('does not know other kinds, and deleted or unknown connections', async () => {
    const gone = await stores.connect({ kind: 'http' });
    assert.equal((await stores.deliver(gone, orderOf('9'))).status, 200);
    assert.equal((await stores.send('DELETE', `/connections/${gone.id}`)).status, 200);
    assert.equal((await stores.deliver(gone, orderOf('9'))).status, 404);
    for (const receiver of [
      '~/connect/http/999',
      `~/connect/other/${shop.id}`,
      '~/connect/http/x',
    ]) {
      assert.equal((await stores.deliver({ ...shop, receiver }, orderOf('9'))).status, 404);
    }
    // Its pending delivery is not processed, and its orders would stay.
    await stores.process();
    assert.equal((await stores.get('/orders/9')).status, 404);
    assert.equal((await stores.get(`/connections/${gone.id}`)).status, 404);
  });

  test('accepts 2 MiB and refuses more', async () => {
    const large = orderOf('77', 0, { note: 'x'.repeat(1_900_000) });
    assert.equal((await stores.deliver(shop, large)).status, 200);
    const reply = await stores.deliver(shop, orderOf('78', 0, { note: 'x'.repeat(10_000_000) }));
    assert.deepEqual([reply.status, reply.body.code], [413, 'rest_payload_too_large']);
    assert.match(reply.body.message, /2 MiB/);
  });

  test('has a limit per connection, for genuine deliveries', async () => {
    const busy = await stores.connect({ kind: 'http' });
    await app.set({ 'stores.deliveries_per_minute': 3 });
    for (let i = 0; i < 5; i += 1) await stores.deliver(busy, orderOf('1'), 'wrong');
    for (const i of [1, 2, 3])
      assert.equal((await stores.deliver(busy, orderOf(`${i}`))).status, 200);
    const reply = await stores.deliver(busy, orderOf('4'));
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [429, '60']);
    await app.set({ 'stores.deliveries_per_minute': 6_000 });
  });

  test('reads only so much of large forged deliveries, and every small one', async () => {
    const store = await stores.connect({ kind: 'http' });
    const large = orderOf('601', 0, { note: 'x'.repeat(1_900_000) });
    let forged = 0;
    for (; forged < 50; forged += 1) {
      const { status } = await stores.deliver(store, large, 'wrong');
      if (status === 429) break;
      assert.equal(status, 401);
    }
    assert.ok(forged >= 8 && forged <= 10, `${forged} of 1.9 MB were read`);
    // Stores of one platform share its networks: the small deliveries of the others, and pings, are read.
    for (let i = 0; i < 200; i += 1) {
      assert.equal((await stores.deliver(store, orderOf(`${700 + i}`))).status, 200);
    }
    const reply = await stores.deliver(store, large);
    assert.deepEqual([reply.status, reply.headers.get('retry-after')], [429, '60']);
    app.advance(61_000);
    assert.equal((await stores.deliver(store, large)).status, 200);
    // The other tests have nothing of it to process.
    await stores.send('DELETE', `/connections/${store.id}`);
  });

  test('reads any number of genuine large deliveries', async () => {
    const store = await stores.connect({ kind: 'http' });
    const large = (i: number) => orderOf(`${i}`, 0, { note: 'x'.repeat(1_900_000) });
    for (let i = 1_000; i < 1_020; i += 1) {
      assert.equal((await stores.deliver(store, large(i))).status, 200);
    }
    await stores.send('DELETE', `/connections/${store.id}`);
  });

  test('takes the previous secret while it overlaps', async () => {
    const store = await stores.connect({ kind: 'http' });
    const path = `/connections/${store.id}`;
    const { body } = await stores.send('PATCH', path, { new_secret: { overlap_hours: 2 } });
    const renewed = { ...store, secret: body.webhook_secret };
    const mails = (await outbox(app.site)).filter(
      ({ template }) => template === 'store-secret-changed',
    );
    assert.deepEqual(
      mails.map(({ to_address, text }) => [
        to_address,
        text.includes(`/console/stores/${store.id}\n`),
      ]),
      [['admin@test.example', true]],
    );
    assert.equal((await stores.deliver(store, orderOf('501'))).status, 200);
    assert.equal((await stores.deliver(renewed, orderOf('502'))).status, 200);
    app.advance(3 * 60 * 60_000);
    assert.equal((await stores.deliver(store, orderOf('503'))).status, 401);
    assert.equal((await stores.deliver(renewed, orderOf('504'))).status, 200);
  });
});

describe('the inbox', () => {
  test('keeps a delivery once, of 32 at the same time', async () => {
    const store = await stores.connect({ kind: 'http' });
    const replies = await Promise.all(
      Array.from({ length: 32 }, () => stores.deliver(store, orderOf('2001'))),
    );
    assert.ok(replies.every(({ status }) => status === 200));
    assert.equal((await stores.deliveries(store.id)).length, 1);
    await Promise.all([stores.process(), stores.process()]);
    assert.equal((await stores.deliveries(store.id))[0].state, 'done');
    // Again after it was processed.
    await stores.deliver(store, orderOf('2001'));
    assert.equal((await stores.deliveries(store.id)).length, 1);
  });

  test('older versions change nothing, in whatever order they arrive', async () => {
    const store = await stores.connect({ kind: 'http' });
    await stores.deliver(
      store,
      orderOf('2101', 5, { status: 'refunded', refunds: [{ id: 1, amount: 100 }] }),
    );
    await stores.deliver(store, orderOf('2101', 1));
    await stores.process();
    await stores.deliver(store, orderOf('2101', 3, { total: 50 }));
    await stores.process();
    const order = await stores.order(2101);
    assert.deepEqual([order.status, order.total, order.refunded], ['refunded', 100, 100]);
    assert.equal(order.referrals[0].commission, 0);
    assert.equal(
      (await stores.deliveries(store.id)).every(({ state }) => state === 'done'),
      true,
    );
  });

  test('a bad payload of any shape is kept, named, and stops no other', async () => {
    const store = await stores.connect({ kind: 'http' });
    const bad = [
      '{"external_id": "1", ',
      'null',
      '[1]',
      '"text"',
      '',
      JSON.stringify({ ...orderOf('3001'), total: -1 }),
      JSON.stringify({ ...orderOf('3002'), external_id: '' }),
      JSON.stringify({ ...orderOf('3003'), status: 'lost' }),
      JSON.stringify({ ...orderOf('3004'), date: 'yesterday' }),
      JSON.stringify({ ...orderOf('3005'), currency: 'GBP' }),
      JSON.stringify({ ...orderOf('x'.repeat(200)) }),
      JSON.stringify({ ...orderOf('3006'), coupon_codes: ['a\u0000b'] }),
      JSON.stringify({ external_id: 'a\u0000b', deleted: true }),
      JSON.stringify({ ...orderOf('a\u0000b') }),
    ];
    for (const text of bad) assert.equal((await stores.deliver(store, text)).status, 200, text);
    assert.equal((await stores.deliver(store, orderOf('3100'))).status, 200);
    await stores.process();
    const [good, ...failed] = await statesOf(store.id);
    assert.deepEqual(good, { state: 'done', reason: '' });
    assert.equal(failed.length, bad.length);
    for (const { state, reason } of failed) {
      assert.equal(state, 'failed');
      assert.match(reason, /\w.*\.$/);
    }
    assert.equal((await stores.get('/orders/3001')).status, 404);
  });

  test('a missing exchange rate can be added, and the delivery retried', async () => {
    const store = await stores.connect({ kind: 'http' });
    await stores.deliver(store, orderOf('3201', 0, { currency: 'GBP' }));
    await stores.process();
    const [failed] = await stores.deliveries(store.id, '&state=failed');
    assert.match(failed.reason, /is in GBP.*no exchange rate.*then retry/);
    await stores.send('PATCH', `/connections/${store.id}`, { exchange_rates: { GBP: 1.25 } });
    const path = `/connections/${store.id}/deliveries/${failed.id}/retry`;
    assert.equal((await stores.post(path)).body.state, 'received');
    await stores.process();
    assert.equal((await stores.deliveries(store.id))[0].state, 'done');
    const order = await stores.order(3201);
    assert.deepEqual([order.total, order.order_currency], [125, 'GBP']);
    assert.equal(
      (await stores.post(`/connections/${store.id}/deliveries/99999/retry`)).status,
      404,
    );
  });

  test('a refund larger than the order, and a deleted order, take back the commission', async () => {
    const store = await stores.connect({ kind: 'http' });
    await stores.deliver(store, orderOf('3301', 0, { refunds: [{ id: 1, amount: 250 }] }));
    await stores.deliver(store, orderOf('3302'));
    await stores.deliver(store, { external_id: '3302', deleted: true });
    await stores.deliver(store, { external_id: '3303', deleted: true });
    await stores.process();
    const refunded = await stores.order(3301);
    assert.deepEqual([refunded.refunded, refunded.referrals[0].commission], [100, 0]);
    const deleted = await stores.order(3302);
    assert.deepEqual([deleted.status, deleted.referrals[0].commission], ['cancelled', 0]);
    assert.equal(deleted.referrals[0].state, 'void');
    assert.equal((await stores.get('/orders/3303')).status, 404);
    // Restored by the store, with the same time of change.
    await stores.deliver(store, orderOf('3302', 0, { shipping: 1 }));
    await stores.process();
    assert.equal((await stores.order(3302)).status, 'completed');
  });

  test('what a worker was processing when it was killed is processed once, later', async () => {
    const store = await stores.connect({ kind: 'http' });
    const claimOne = () => {
      const now = app.site.clock();
      const lease = { now, until: now + 60_000, limit: 1 };
      return app.site.database.transaction((tx) => claimDeliveries(tx, store.id, lease));
    };
    for (const id of ['3351', '3352']) await stores.deliver(store, orderOf(id));
    await claimOne();
    await stores.process();
    const states = async () => (await stores.deliveries(store.id)).map(({ state }) => state);
    assert.deepEqual(await states(), ['done', 'received']);
    app.advance(61_000);
    await Promise.all([stores.process(), stores.process()]);
    const settled = await stores.deliveries(store.id);
    assert.deepEqual(
      settled.map(({ state, attempts }) => [state, attempts]),
      [
        ['done', 1],
        ['done', 1],
      ],
    );
    assert.equal((await stores.order(3351)).referrals[0].commission, 10);

    // A server that is alone on its database does not wait for the end of the lease.
    await stores.deliver(store, orderOf('3353'));
    await claimOne();
    await releaseStoreLeases(app.site);
    await stores.process();
    assert.deepEqual(await states(), ['done', 'done', 'done']);
  });

  test('a paused connection keeps deliveries for later', async () => {
    const store = await stores.connect({ kind: 'http' });
    await stores.send('PATCH', `/connections/${store.id}`, { state: 'paused' });
    assert.equal((await stores.deliver(store, orderOf('3401'))).status, 200);
    await stores.process();
    assert.equal((await stores.deliveries(store.id))[0].state, 'received');
    await stores.send('PATCH', `/connections/${store.id}`, { state: 'active' });
    assert.equal((await stores.connection(store.id)).state, 'receiving');
    await processDeliveries.run(app.site);
    await stores.process();
    assert.equal((await stores.deliveries(store.id))[0].state, 'done');
  });
});

describe('numbers of orders', () => {
  test('two stores may have the same, and text has one of a high range, for ever', async () => {
    const [first, second] = [
      await stores.connect({ kind: 'http' }),
      await stores.connect({ kind: 'http' }),
    ];
    const put = {
      method: 'PUT',
      key: stores.key,
      json: { date: '2026-01-02', status: 'completed', total: 7 },
    };
    assert.equal((await app.call('/svc/store/v1/orders/4003', put)).status, 201);
    for (const store of [first, second]) {
      for (const id of ['4001', '4002', '4003', 'cs_abc']) await stores.deliver(store, orderOf(id));
    }
    // Both at once: the numbers are raced.
    await stores.process();
    const orders = [];
    for (const { id } of [first, second]) orders.push(...(await stores.deliveries(id)));
    assert.ok(
      orders.every(({ state }) => state === 'done'),
      JSON.stringify(orders),
    );
    const numbers = orders.map(({ order_id }) => order_id);
    assert.equal(new Set(numbers).size, 8);
    assert.equal(numbers.filter((number) => number < 10_000).length, 2);
    assert.ok(numbers.every((number) => number < 10_000 || number >= 8_000_000_000_000_000));
    const sent = await stores.order(4003);
    assert.deepEqual([sent.total, sent.store, sent.external_id], [7, null, null]);
    await stores.deliver(second, orderOf('cs_abc', 9, { total: 60 }));
    await stores.process();
    const [changed] = await stores.deliveries(second.id);
    const order = await stores.order(changed.order_id);
    assert.deepEqual([order.total, order.external_id, order.store], [60, 'cs_abc', second.id]);
    assert.ok(numbers.includes(changed.order_id));
    const { body } = await stores.get('/orders?sort=-amount&per_page=100');
    assert.ok(body.some((item: any) => item.store === second.id && item.external_id === 'cs_abc'));
  });

  test('only the store changes its orders while it is connected, also of those sent at the same moment', async () => {
    const store = await stores.connect({ kind: 'http', name: 'Main shop' });
    const numbers = Array.from({ length: 24 }, (_, i) => 4_100 + i);
    for (const number of numbers) await stores.deliver(store, orderOf(String(number)));
    const json = { date: '2026-01-02', status: 'completed', total: 7 };
    const put = (number: number) => stores.send('PUT', `/orders/${number}`, json);
    const [, ...replies] = await Promise.all([stores.process(), ...numbers.map(put)]);
    const delivered = await stores.deliveries(store.id);
    for (const { state, order_id } of delivered) {
      assert.equal(state, 'done');
      const order = await stores.order(order_id);
      assert.deepEqual([order.store, order.total], [store.id, 100]);
    }
    assert.equal(new Set(delivered.map(({ order_id }) => order_id)).size, numbers.length);
    for (const [i, { status, body }] of replies.entries()) {
      if (status === 201) continue;
      assert.deepEqual([status, body.code], [409, 'svc_api_order_of_store']);
      assert.match(body.message, new RegExp(`Order ${numbers[i]} .* "Main shop"`));
    }

    await stores.deliver(store, orderOf('4190'));
    await stores.process();
    const orders = [
      { ...json, order_id: 4190 },
      { ...json, order_id: 4191 },
    ];
    const { body } = await stores.post('/orders/batch', { orders });
    assert.deepEqual(
      body.results.map(({ status, code }: any) => [status, code]),
      [
        [409, 'svc_api_order_of_store'],
        [201, undefined],
      ],
    );
    assert.equal((await put(4190)).body.data.store, store.id);
    assert.equal((await stores.send('DELETE', `/connections/${store.id}`)).status, 200);
    const changed = await put(4190);
    assert.deepEqual([changed.status, changed.body.total, changed.body.store], [200, 7, store.id]);
  });
});
