import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { assertBalanced, figuresOf, send, settle } from './compared-stores.ts';
import type { FakeOrder } from './shopify/fake-orders.ts';
import { CLIENT, FakeShopify } from './shopify/fake-shopify.ts';
import { StoreApp } from './store-app.ts';

const DAY_MS = 86_400_000;

/** A shop whose app may not read all orders, so that it shows none that is older than 60 days. */
async function openShop() {
  const stores = await StoreApp.open();
  await stores.coupon('MAYA10');
  const fake = await FakeShopify.open();
  after(() => fake.api.close());
  fake.scopes = fake.scopes.filter((scope) => scope !== 'read_all_orders');
  const now = () => stores.app.site.clock();
  fake.nowMs = now();
  const store = await stores.connect({ kind: 'shopify', url: fake.api.url, credentials: CLIENT });
  /** Delivers what waits, or only these topics. */
  const deliver = async (...topics: string[]) => {
    for (const delivery of fake.queue.splice(0)) {
      if (topics.length > 0 && !topics.includes(delivery.headers['x-shopify-topic']!)) continue;
      assert.equal((await send(stores, store, delivery)).status, 200);
    }
    await settle(stores);
  };
  const pass = async (ms: number) => {
    stores.app.advance(ms);
    fake.nowMs = now();
    await stores.sync();
  };
  const place = async () => {
    const order = fake.place({ code: 'MAYA10' });
    fake.change(order, { shipped: true });
    await deliver();
    return order;
  };
  const orderOf = async ({ id }: FakeOrder): Promise<any> =>
    (await figuresOf(stores, store))[String(id)];
  const notShown = async (): Promise<string> => (await stores.connection(store.id)).not_shown;
  return { stores, fake, deliver, pass, place, orderOf, notShown };
}

describe('an order that Shopify does not show any more', () => {
  test('a refund of 1.00 after 70 days takes back the share of it, by its own payload', async () => {
    const { fake, stores, deliver, pass, place, orderOf, notShown } = await openShop();
    const order = await place();
    assert.partialDeepStrictEqual(await orderOf(order), { earned: [{ commission: 18.05 }] });
    await pass(70 * DAY_MS);
    assert.equal(await notShown(), '');
    fake.refund(order, 0, 100);
    await deliver('refunds/create');
    const refunded = {
      status: 'completed',
      refunded: 1,
      earned: [{ commission: 17.96, state: 'granted' }],
    };
    assert.partialDeepStrictEqual(await orderOf(order), refunded);
    assert.match(
      await notShown(),
      /^The store says that it does not have 1 order .*read_all_orders/,
    );
    // The same refund in another delivery, and days of asking.
    fake.queue.push(fake.delivery('orders/edited', { order_edit: { order_id: order.id } }));
    await deliver();
    for (let day = 0; day < 3; day += 1) await pass(DAY_MS + 60_000);
    assert.partialDeepStrictEqual(await orderOf(order), refunded);
    // A second one, of a product: the same as by the complete order, which follows.
    fake.refund(order, 1);
    const queue = fake.queue.splice(0);
    fake.queue.push(queue[0]!);
    await deliver();
    const alone = await orderOf(order);
    assert.partialDeepStrictEqual(alone, { refunded: 78.76, status: 'completed' });
    fake.queue.push(queue[1]!);
    await deliver();
    assert.deepEqual(await orderOf(order), alone);
    await assertBalanced(stores);
  });

  test('the complete order wins over the missing answer, whichever is first', async () => {
    const { fake, deliver, pass, place, orderOf } = await openShop();
    const orders = [await place(), await place(), await place()];
    await pass(70 * DAY_MS);
    for (const order of orders) fake.refund(order, 0, 100);
    const queue = fake.queue.splice(0);
    const refunded = { status: 'completed', refunded: 1, earned: [{ commission: 17.96 }] };
    fake.queue.push(...queue.toReversed());
    await deliver();
    for (const order of orders) assert.partialDeepStrictEqual(await orderOf(order), refunded);
    // What is sent last counts, also without the refunds.
    fake.refund(orders[0]!, 2);
    fake.change(orders[0]!, { cancelled: true });
    await deliver('orders/updated');
    assert.partialDeepStrictEqual(await orderOf(orders[0]!), { status: 'cancelled' });
  });

  test('it is refunded whole, or deleted, when a delivery says so', async () => {
    const { fake, deliver, pass, place, orderOf } = await openShop();
    const [refunded, deleted] = [await place(), await place()];
    await pass(70 * DAY_MS);
    fake.refund(refunded, 0, 99_999);
    await deliver('refunds/create');
    assert.partialDeepStrictEqual(await orderOf(refunded), {
      status: 'refunded',
      earned: [{ commission: 0, state: 'void' }],
    });
    fake.delete(deleted);
    await deliver();
    assert.partialDeepStrictEqual(await orderOf(deleted), {
      status: 'cancelled',
      earned: [{ state: 'void' }],
    });
  });

  test('a young one counts as deleted after two days, and not if it is seen in between', async () => {
    const { fake, deliver, pass, place, orderOf, notShown } = await openShop();
    const [deleted, restored] = [await place(), await place()];
    for (const order of [deleted, restored]) fake.refund(order, 0, 100);
    fake.orders.delete(deleted.id);
    fake.orders.delete(restored.id);
    await deliver('refunds/create');
    const kept = { status: 'completed', earned: [{ commission: 17.96, state: 'granted' }] };
    assert.match(await notShown(), /2 orders that are stored here/);
    await pass(DAY_MS / 2);
    fake.orders.set(restored.id, restored);
    fake.change(restored, { shipped: true });
    await deliver();
    fake.orders.delete(restored.id);
    assert.partialDeepStrictEqual(await orderOf(deleted), kept);
    await pass(DAY_MS / 2 + 3_600_000);
    assert.partialDeepStrictEqual(await orderOf(deleted), { status: 'cancelled' });
    assert.partialDeepStrictEqual(await orderOf(restored), kept);
    assert.match(await notShown(), /1 order that is stored here/);
    await pass(DAY_MS + 3_600_000);
    assert.partialDeepStrictEqual(await orderOf(restored), { status: 'cancelled' });
    // Restored for good.
    fake.orders.set(restored.id, restored);
    fake.change(restored, { shipped: true });
    await deliver();
    assert.partialDeepStrictEqual(await orderOf(restored), kept);
    assert.equal(await notShown(), '');
  });
});
