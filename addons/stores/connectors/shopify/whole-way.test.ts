import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { query } from '../../../../src/db/statements/query.ts';
import { idOf } from '../../../../test/support/harness.ts';
import { fc } from '../../../../test/support/seeded-random.ts';
import { createCouponsInStores } from '../../coupons/create-in-stores.ts';
import { assertBalanced, figuresOf, reconcile, send, settle } from '../../test/compared-stores.ts';
import { orderJson, type FakeOrder } from '../../test/shopify/fake-orders.ts';
import { CLIENT, FakeShopify } from '../../test/shopify/fake-shopify.ts';
import { StoreApp } from '../../test/store-app.ts';
import type { RawDelivery } from '../connector.ts';

const payloads = query<
  { connection_id: number },
  { topic: string; external_id: string | null; body: string }
>((db, p) =>
  db
    .selectFrom('store_deliveries')
    .select(['topic', 'external_id', 'body'])
    .where('connection_id', '=', p.connection_id),
);

/** A site of its own: the same shop is connected to each only once. */
async function openStores(): Promise<StoreApp> {
  const opened = await StoreApp.open();
  await opened.coupon('MAYA10');
  await opened.coupon('JONAS', idOf('tomas'));
  return opened;
}

const stores = await openStores();
const fake = await FakeShopify.open();
after(() => fake.api.close());
fake.nowMs = stores.app.site.clock();
const connect = async (
  at = stores,
  values: object = { url: fake.api.url, credentials: CLIENT },
) => ({
  ...(await at.connect({ kind: 'shopify', ...values })),
  at,
});
const shop = await connect();

const deliver = async (deliveries: readonly RawDelivery[], store = shop) => {
  for (const delivery of deliveries)
    assert.equal((await send(store.at, store, delivery)).status, 200);
};
const takeQueue = () => fake.queue.splice(0);
const orderOf = async (order: FakeOrder, store = shop): Promise<any> =>
  (await figuresOf(store.at, store))[String(order.id)];

test('what the plan and the scopes take away is on the connection, as of the last check', async () => {
  const limits = async (): Promise<string[]> => (await stores.connection(shop.id)).limits;
  assert.deepEqual(await limits(), []);
  const { plan, scopes } = fake;
  fake.plan = 'basic';
  fake.scopes = scopes.filter((scope) => scope !== 'read_all_orders');
  assert.equal((await stores.post(`/connections/${shop.id}/check`)).body.works, true);
  const [byPlan, byScope, ...more] = await limits();
  assert.match(byPlan!, /plan "basic".*email addresses.*Own orders/);
  assert.match(byScope!, /read_all_orders.*neither imported nor compared/);
  assert.deepEqual(more, []);
  Object.assign(fake, { plan, scopes });
  await stores.post(`/connections/${shop.id}/check`);
  assert.deepEqual(await limits(), []);
});

test('an order earns, follows refunds by money, and ends when it is cancelled or deleted', async () => {
  assert.equal(shop.body.state, 'connected');
  assert.equal(fake.webhooks.length, 5);
  const order = fake.place({ code: 'MAYA10' });
  await deliver(takeQueue());
  await settle(stores);
  // 10 % of two tents at 72.00 and a mat at 36.45, without tax and shipping.
  assert.deepEqual(await orderOf(order), {
    status: 'processing',
    total: 204.79,
    refunded: 0,
    earned: [{ coupon_id: 1, commission: 18.05, state: 'awaiting' }],
  });
  fake.change(order, { shipped: true });
  fake.refund(order, 1);
  await deliver(takeQueue());
  await settle(stores);
  assert.partialDeepStrictEqual(await orderOf(order), {
    status: 'completed',
    refunded: 77.76,
    earned: [{ commission: 10.85, state: 'granted' }],
  });
  // Back in stock without money: nothing changes.
  fake.refund(order, 1, 0);
  await deliver(takeQueue());
  await settle(stores);
  assert.partialDeepStrictEqual(await orderOf(order), { earned: [{ commission: 10.85 }] });
  fake.change(order, { cancelled: true });
  await deliver(takeQueue());
  await settle(stores);
  assert.partialDeepStrictEqual(await orderOf(order), {
    status: 'cancelled',
    earned: [{ state: 'void' }],
  });
  const other = fake.place({ ref: 'jonas' });
  await deliver(takeQueue());
  fake.delete(other);
  await deliver(takeQueue());
  await settle(stores);
  assert.partialDeepStrictEqual(await orderOf(other), {
    status: 'cancelled',
    earned: [{ coupon_id: 2, state: 'void' }],
  });
  await assertBalanced(stores);
});

test('deliveries need a signature of the app or of the notifications, and the same one counts once', async () => {
  const order = fake.place({ code: 'MAYA10' });
  const [delivery] = takeQueue();
  const body = JSON.parse(delivery!.body.toString());
  const forged = [
    fake.delivery('orders/create', body, { key: 'another-key' }),
    { ...delivery!, body: Buffer.from(JSON.stringify({ ...body, id: 1 })) },
    fake.delivery('customers/redact', {}, { key: 'another-key' }),
  ];
  for (const each of forged) assert.equal((await send(stores, shop, each)).status, 401);
  const before = (await stores.deliveries(shop.id)).length;
  const again = {
    ...delivery!,
    headers: { ...delivery!.headers, 'x-shopify-webhook-id': 'other' },
  };
  await deliver([delivery!, delivery!, again]);
  assert.equal((await stores.deliveries(shop.id)).length, before + 1);
  const key = 'key-of-the-notifications-page';
  const byHand = await connect(await openStores(), { url: 'northern-trail', webhook_secret: key });
  assert.deepEqual([byHand.body.state, byHand.secret], ['receiving', null]);
  await deliver([fake.delivery('orders/create', body, { key, prefix: 'shopify-' })], byHand);
  await settle(stores);
  await settle(byHand.at);
  assert.deepEqual(await orderOf(order, byHand), await orderOf(order));
});

test("orders missed while a store was down are read later, at the store's pace", async () => {
  // All that was due before is read, and the clocks of both agree.
  await stores.sync();
  fake.nowMs = stores.app.site.clock();
  const { missed_found } = await stores.connection(shop.id);
  fake.pageSizeMax = 2;
  const orders = Array.from({ length: 5 }, () => fake.place({ code: 'MAYA10' }));
  takeQueue();
  fake.api.fail('busy', 'down', 'garbage', 'reset');
  stores.app.advance(20 * 60_000);
  for (let i = 0; i < 8; i += 1) {
    await stores.sync();
    stores.app.advance(20 * 60_000);
  }
  for (const order of orders)
    assert.partialDeepStrictEqual(await orderOf(order), { status: 'processing' });
  const record = await stores.connection(shop.id);
  assert.deepEqual([record.state, record.missed_found - missed_found], ['connected', 5]);
  fake.pageSizeMax = 250;
});

test('of two versions of the same second the one that was seen later counts, whichever is stored last', async () => {
  fake.nowMs = stores.app.site.clock();
  const since = fake.nowMs - 1_000;
  const place = () => Array.from({ length: 6 }, () => fake.place({ code: 'MAYA10' }));
  const [waiting, sentAgain] = [place(), place()];
  const deliveries = takeQueue();
  await deliver(deliveries.slice(0, waiting.length));
  stores.app.advance(60_000);
  // Within the second of the version that is in the deliveries.
  for (const order of [...waiting, ...sentAgain]) order.shipped = true;
  await Promise.all([stores.process(), reconcile(stores, shop, since)]);
  stores.app.advance(60_000);
  // Shopify sends these for the first time when the service answers again.
  await deliver(deliveries.slice(waiting.length));
  await settle(stores);
  for (const order of [...waiting, ...sentAgain])
    assert.partialDeepStrictEqual(await orderOf(order), { status: 'completed' });
  const [late] = await stores.deliveries(shop.id);
  assert.match(late.reason, /same or newer/);
  // What is sent after it was read counts.
  waiting[0]!.cancelled = true;
  fake.nowMs = stores.app.site.clock();
  await deliver([fake.delivery('orders/updated', orderJson(waiting[0]!))]);
  await settle(stores);
  assert.partialDeepStrictEqual(await orderOf(waiting[0]!), { status: 'cancelled' });
});

test('the requests of privacy law empty the deliveries they name', async () => {
  const order = fake.place({ code: 'MAYA10' });
  const kept = fake.place({ code: 'MAYA10' });
  await deliver(takeQueue());
  // Orders that no delivery brought, and that cannot be mapped when they are read.
  const unread = [fake.place(), fake.place()].map(({ id }) => id);
  takeQueue();
  for (const id of unread) fake.orders.set(id, { ...fake.orders.get(id)!, shipping: Number.NaN });
  await reconcile(stores, shop, fake.nowMs - 60_000);
  for (const id of unread) fake.orders.delete(id);
  const customer = { id: 7, email: 'nina.berg@customer.example' };
  await deliver([
    fake.delivery('customers/data_request', { customer, orders_requested: [order.id] }),
    fake.delivery('customers/redact', { customer, orders_to_redact: [order.id, unread[0]] }),
  ]);
  await settle(stores);
  const bodies = async () => {
    const { read } = stores.app.site.database;
    const rows = await read.all(payloads, { connection_id: shop.id });
    return new Map(rows.map(({ topic, external_id, body }) => [`${topic} ${external_id}`, body]));
  };
  const left = await bodies();
  assert.equal(left.get(`orders/create ${order.id}`), '{}');
  assert.equal(left.get('customers/redact null'), '{}');
  assert.equal(left.get(`sync ${unread[0]}`), '{}');
  assert.match(left.get(`sync ${unread[1]}`)!, /nina\.berg/);
  assert.match(left.get(`orders/create ${kept.id}`)!, /nina\.berg/);
  const [redacted, asked] = await stores.deliveries(shop.id);
  assert.deepEqual([redacted.state, asked.state], ['done', 'ignored']);
  assert.match(asked.reason, new RegExp(`${order.id}.*keyed hash`));
  assert.partialDeepStrictEqual(await orderOf(order), { status: 'processing' });
  await deliver([fake.delivery('shop/redact', { shop_id: 1 })]);
  await settle(stores);
  assert.ok([...(await bodies()).values()].every((body) => body === '{}'));
});

test('a test order shows every step, and a bad payload does not stop the others', async () => {
  const { body } = await stores.post(`/connections/${shop.id}/test-order`, {
    code: 'MAYA10',
    total: 50,
  });
  assert.equal(body.order.referrals[0].commission, 5);
  const order = fake.place({ code: 'MAYA10' });
  const [good] = takeQueue();
  const content = JSON.parse(good!.body.toString());
  await deliver([
    fake.delivery('orders/create', { ...content, id: 77, total_price_set: null, total_price: 'x' }),
    fake.delivery('orders/create', { ...content, id: 78, currency: 'EUR' }),
    fake.delivery('orders/create', { id: 79, financial_status: 'paid', line_items: null }),
    good!,
  ]);
  await settle(stores);
  const [done, ...failed] = await stores.deliveries(shop.id);
  assert.equal(done.state, 'done');
  assert.deepEqual(
    failed.slice(0, 3).map(({ state }) => state),
    ['failed', 'failed', 'failed'],
  );
  assert.match(failed[1].reason, /EUR.*exchange rate/);
  assert.partialDeepStrictEqual(await orderOf(order), { status: 'processing' });
});

test('codes are created in the shop by themselves', async () => {
  const path = `/connections/${shop.id}`;
  const reply = await stores.send('PATCH', path, {
    coupon_discount: { type: 'percent', amount: 10 },
  });
  assert.equal(reply.status, 200, reply.text);
  await stores.coupon('NEWCODE');
  await createCouponsInStores.run(stores.app.site);
  assert.ok(fake.discounts.some(({ code, active }) => code.toUpperCase() === 'NEWCODE' && active));
});

const step = fc.record({
  order: fc.nat(2),
  act: fc.constantFrom('pay', 'ship', 'refund', 'refund-amount', 'remove', 'restock', 'cancel'),
  amount: fc.integer({ min: 1, max: 9_000 }),
});

function run({ act, amount }: { act: string; amount: number }, order: FakeOrder): void {
  const taken = order.refunds
    .flatMap(({ lines }) => lines)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const hasMore = taken < order.lines[0]!.quantity;
  if (order.cancelled) return;
  if (act === 'pay') fake.change(order, { paid: true });
  if (act === 'ship' && order.paid) fake.change(order, { shipped: true });
  if (act === 'refund' && order.paid && hasMore) fake.refund(order, 1);
  if (act === 'refund-amount' && order.paid) fake.refund(order, 0, amount);
  if (act === 'remove' && !order.paid && hasMore) fake.refund(order, 1, null);
  if (act === 'restock' && order.paid && hasMore) fake.refund(order, 1, 0);
  if (act === 'cancel') fake.change(order, { cancelled: true });
}

test('deliveries that are shuffled, doubled or missing are reconciled to the same figures', async () => {
  fake.orders.clear();
  const disturbed = await connect(await openStores());
  const inSequence = await connect(await openStores());
  const fate = fc.record({ place: fc.double({ noNaN: true, min: 0, max: 1 }), copies: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 12 }),
      fc.array(fate, { minLength: 60, maxLength: 60 }),
      fc.boolean(),
      async (steps, fates, isFailing) => {
        const since = fake.nowMs;
        const orders = [
          fake.place({ code: 'MAYA10', quantity: 3 }),
          fake.place({ ref: 'JONAS', paid: false }),
          fake.place({ code: 'MAYA10', ref: 'JONAS', paid: false }),
        ];
        for (const each of steps) run(each, orders[each.order]!);
        const queue = takeQueue();
        await deliver(queue, inSequence);
        const shuffled = queue
          .flatMap((delivery, i) =>
            Array.from({ length: fates[i]!.copies }, () => ({ delivery, place: fates[i]!.place })),
          )
          .sort((a, b) => a.place - b.place);
        if (isFailing) fake.api.fail('busy', 'down');
        for (const [i, { delivery }] of shuffled.entries()) {
          await deliver([delivery], disturbed);
          if (i % 4 === 3) await disturbed.at.process();
        }
        await Promise.all([settle(disturbed.at), settle(inSequence.at)]);
        fake.api.recover();
        await reconcile(disturbed.at, disturbed, since);
        assert.deepEqual(
          await figuresOf(disturbed.at, disturbed),
          await figuresOf(inSequence.at, inSequence),
        );
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
  await assertBalanced(disturbed.at);
});
