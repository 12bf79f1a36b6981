import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { remapOrders } from '../sync/remap-orders.ts';
import { assertBalanced, settle } from './compared-stores.ts';
import { ShopletServer, TOKEN } from './shoplet-server.ts';
import { orderOf, StoreApp } from './store-app.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';

const DAY_MS = 86_400_000;
const extensions = join(import.meta.dirname, '../../../examples/store-connector/shoplet.ts');
const stores = await StoreApp.open({ config: { extensions } });
await stores.coupon('MAYA10');
const { app } = stores;

const setRates = async (id: number, exchange_rates: Record<string, number>) => {
  const reply = await stores.send('PATCH', `/connections/${id}`, { exchange_rates });
  assert.equal(reply.status, 200, reply.text);
};
/** Rate, total and commission. */
const worth = async (id: number) => {
  const { exchange_rate, total, referrals } = await stores.order(id);
  return [exchange_rate, total, referrals[0].commission];
};

describe('the exchange rate of an order stays', () => {
  test('when the store sends it again after the rate of the connection has changed', async () => {
    const shop = await stores.connect({ kind: 'http' });
    await setRates(shop.id, { GBP: 1.2, EUR: 1.1 });
    const send = async (version: number, fields: Record<string, unknown> = {}) => {
      await stores.deliver(shop, orderOf('101', version, { currency: 'GBP', ...fields }));
      await stores.process();
      return worth(101);
    };
    assert.deepEqual(await send(0), [1.2, 120, 12]);
    await setRates(shop.id, { GBP: 1.05, EUR: 1.1 });
    assert.deepEqual(await send(1), [1.2, 120, 12]);
    assert.deepEqual(await send(2, { total: 50, refunds: [{ id: 1, amount: 25 }] }), [1.2, 60, 3]);
    // A rate that the store itself sends is one of today, too.
    assert.deepEqual(await send(3, { exchange_rate: 1.3 }), [1.2, 120, 12]);
    // Without any rate the known one is enough.
    await setRates(shop.id, { EUR: 1.1 });
    assert.deepEqual(await send(4), [1.2, 120, 12]);
    assert.deepEqual(await stores.deliveries(shop.id, '&state=failed'), []);
    // Another currency takes the rate of today, and so does a new order.
    assert.deepEqual(await send(5, { currency: 'EUR' }), [1.1, 110, 11]);
    await setRates(shop.id, { EUR: 1.5, GBP: 1.05 });
    assert.deepEqual(await send(6, { currency: 'EUR' }), [1.1, 110, 11]);
    assert.deepEqual(await send(7), [1.05, 105, 10.5]);
    await stores.deliver(shop, orderOf('102', 0, { currency: 'EUR' }));
    await stores.process();
    assert.deepEqual(await worth(102), [1.5, 150, 15]);
    await assertBalanced(stores);
  });

  test('when it is reconciled, read again each day, and imported', async () => {
    const server = await new ShopletServer().listen();
    const url = server.url;
    const shop = await stores.connect({ kind: 'shoplet', url, credentials: { token: TOKEN } });
    await setRates(shop.id, { GBP: 1.2 });
    const now = () => app.site.clock();
    app.advance(60_000);
    server.put(201, now(), { currency: 'GBP', refunds: [{ id: 1, amount: 10 }] });
    const path = `/connections/${shop.id}`;
    await stores.post(`${path}/reconcile`, {});
    assert.deepEqual(await worth(201), [1.2, 120, 10.8]);
    await setRates(shop.id, { GBP: 2 });
    app.advance(60_000);
    server.put(201, now(), { refunds: [{ id: 1, amount: 20 }] });
    await stores.post(`${path}/reconcile`, {});
    assert.deepEqual(await worth(201), [1.2, 120, 9.6]);
    // No poll sees this, only the daily reading.
    server.orders.get(201)!.refunds = [{ id: 1, amount: 30 }];
    app.advance(DAY_MS + 60_000);
    await stores.sync();
    assert.deepEqual(await worth(201), [1.2, 120, 8.4]);
    app.advance(60_000);
    server.put(201, now(), { refunds: [{ id: 1, amount: 40 }] });
    await stores.post(`${path}/import`, {});
    await stores.sync();
    assert.deepEqual(await worth(201), [1.2, 120, 7.2]);
  });

  test('when a status means another one and all orders are read again', async () => {
    const woo = await FakeWooCommerce.start(app.site.clock());
    after(() => woo.close());
    const shop = await stores.connect({
      kind: 'woocommerce',
      url: woo.url,
      credentials: FAKE_KEYS,
    });
    await setRates(shop.id, { GBP: 1.2 });
    const fields = { currency: 'GBP' };
    const { id } = woo.shop.place({ codes: ['maya10'], status: 'shipped', fields });
    app.advance(60_000);
    await stores.post(`/connections/${shop.id}/reconcile`, {});
    await settle(stores);
    const [rate, total] = await worth(id);
    assert.equal(rate, 1.2);
    await setRates(shop.id, { GBP: 1.05 });
    const values = { 'stores.woocommerce.statuses': { shipped: 'completed' } };
    assert.equal((await stores.send('PATCH', '/settings', values)).status, 200);
    await remapOrders.run(app.site);
    await stores.sync();
    const order = await stores.order(id);
    assert.deepEqual([order.status, order.exchange_rate, order.total], ['completed', rate, total]);
  });

  test('when it is sent by PUT, in a batch, more than once', async () => {
    const put = { date: '2026-01-20', status: 'completed', currency: 'GBP', total: 100 };
    const order = (order_id: number, exchange_rate: number) => ({
      ...put,
      order_id,
      coupon_codes: ['MAYA10'],
      exchange_rate,
    });
    const orders = [order(301, 1.2), order(301, 1.05), order(302, 1.05)];
    const { body } = await stores.post('/orders/batch', { orders });
    assert.deepEqual(
      body.results.map(({ status }: any) => status),
      [201, 200, 201],
    );
    assert.deepEqual(await worth(301), [1.2, 120, 12]);
    const { order_id: _, ...again } = order(301, 2);
    const reply = await stores.send('PUT', '/orders/301', again);
    assert.deepEqual([reply.status, reply.body.exchange_rate], [200, 1.2]);
    assert.deepEqual(await worth(302), [1.05, 105, 10.5]);
    await assertBalanced(stores);
  });
});
