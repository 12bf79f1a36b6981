import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { RawDelivery } from '../connectors/connector.ts';
import { connectorsOf } from '../connectors/connectors.ts';
import { AnsweringProxy } from './answering-proxy.ts';
import { assertBalanced, figuresOf, send } from './compared-stores.ts';
import { orderJson, refundJson } from './shopify/fake-orders.ts';
import { CLIENT, FakeShopify } from './shopify/fake-shopify.ts';
import { ShopletServer, TOKEN } from './shoplet-server.ts';
import { StoreApp, type ConnectedStore } from './store-app.ts';
import { FakeStripe, SECRET_KEY, signed } from './stripe/fake-stripe.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const extensions = join(import.meta.dirname, '../../../examples/store-connector/shoplet.ts');

/** The answers of a store that does not have what the service wants. */
const absences = {
  'a 404': { status: 404, body: { errors: 'Not Found' } },
  'a 404 that names the object': {
    status: 404,
    body: { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.', data: {} },
  },
  'an empty list': { status: 200, body: [] },
  'an empty list in an object': { status: 200, body: { object: 'list', data: [], orders: [] } },
  'an empty object': { status: 200, body: {} },
  'nothing, in GraphQL': { status: 200, body: { data: { order: null, orders: {}, nodes: [] } } },
};

/** A shop whose orders earn, at the API of a fake. */
interface Shop {
  readonly url: string;
  readonly credentials: Record<string, string>;
  /** Sells, refunds and renews. */
  trade(): void;
  /** The deliveries of that, signed, and of known orders once more; the service asks about some of them. */
  deliveries(store: ConnectedStore, round: number): RawDelivery[];
  /** What is deleted, and says so. */
  remove?(): void;
}

const shops: Record<string, (nowMs: () => number) => Promise<Shop>> = {
  async shopify(nowMs) {
    const fake = await FakeShopify.open();
    after(() => fake.api.close());
    return {
      url: fake.api.url,
      credentials: CLIENT,
      trade() {
        fake.nowMs = nowMs();
        fake.place({ code: 'MAYA10' });
        fake.refund(fake.place({ code: 'MAYA10' }), 1);
      },
      deliveries(_store, round) {
        fake.nowMs = nowMs();
        return [...fake.orders.values()].flatMap((order) => [
          fake.delivery('orders/updated', { ...orderJson(order), round }),
          fake.delivery('orders/edited', { order_edit: { order_id: order.id, round } }),
          ...order.refunds.map((refund) =>
            fake.delivery('refunds/create', { ...refundJson(order, refund), round }),
          ),
        ]);
      },
    };
  },

  async woocommerce(nowMs) {
    const fake = await FakeWooCommerce.start(nowMs());
    after(() => fake.close());
    const { shop } = fake;
    const placed: number[] = [];
    return {
      url: fake.url,
      credentials: FAKE_KEYS,
      trade() {
        const place = (fields = {}) =>
          shop.place({ codes: ['maya10'], status: 'completed', fields }).id;
        placed.push(place(), place(), place());
        shop.refundLine(placed[1]!);
        shop.refundAmount(placed[2]!, 500);
        const start_date_gmt = new Date(shop.nowMs - 40 * DAY_MS).toISOString().slice(0, 19);
        shop.subscriptions = new Map([[70, { id: 70, parent_id: placed[0], start_date_gmt }]]);
        const meta_data = [{ id: 1, key: '_subscription_renewal', value: '70' }];
        placed.push(place({ created_via: 'subscription', meta_data }));
      },
      deliveries() {
        shop.nowMs = Math.max(shop.nowMs, Math.floor(nowMs() / 1_000) * 1_000);
        for (const id of placed) shop.setCodes(id, ['maya10']);
        return shop.takeQueue(fake.url);
      },
    };
  },

  async stripe(nowMs) {
    const fake = await FakeStripe.open();
    after(() => fake.api.close());
    const { account } = fake;
    return {
      url: fake.api.url,
      credentials: { secret_key: SECRET_KEY },
      trade() {
        account.nowS = Math.floor(nowMs() / 1_000);
        account.sell({ code: 'MAYA10' });
        account.refund(account.sell({ ref: 'MAYA10' }).charge, 1_000);
        account.closeDispute(account.dispute(account.sell({ code: 'MAYA10' }).charge), 'won');
        const subscription = account.subscribe({ code: 'MAYA10' });
        account.refund(account.chargeOf(account.bill(subscription)), 500);
      },
      deliveries(_store, round) {
        const secret = `whsec_${account.all('webhook_endpoint').at(-1)!['id']}`;
        const events = account.all('event').map((event) => ({ ...event, round }));
        return events.map((event) => signed(event, secret, nowMs()));
      },
    };
  },

  async shoplet(nowMs) {
    const server = await new ShopletServer().listen();
    return {
      url: server.url,
      credentials: { token: TOKEN },
      trade() {
        server.put(1, nowMs());
        server.put(2, nowMs(), { refunds: [{ id: 1, amount: 40 }] });
      },
      deliveries({ secret }, round) {
        return [1, 2].map((order_id) => {
          const body = Buffer.from(JSON.stringify({ event: 'refund', order_id, round }));
          const signature = createHmac('sha256', secret).update(body).digest('hex');
          return {
            body,
            headers: {
              'x-shoplet-signature': signature,
              'x-shoplet-topic': 'refund',
              'x-shoplet-order': String(order_id),
            },
          };
        });
      },
    };
  },
};

/** A connected shop with orders, read over a proxy. */
async function openTrading(kind: string) {
  const stores = await StoreApp.open({
    config: { extensions },
    settings: { 'commission.renewals': 'always' },
  });
  await stores.coupon('MAYA10');
  const { app } = stores;
  const startMs = app.site.clock();
  const shop = await shops[kind]!(() => app.site.clock());
  const proxy = await AnsweringProxy.open(shop.url, after);
  const { credentials } = shop;
  const store = await stores.connect({ kind, url: proxy.url, credentials });
  app.advance(60_000);
  shop.trade();
  let round = 0;

  const read = async () => {
    await stores.process();
    const since = new Date(startMs).toISOString();
    await stores.post(`/connections/${store.id}/reconcile`, { since });
    // The daily reading follows it.
    await stores.sync();
  };
  /** Every way in which orders are read, a day later. */
  const readAll = async () => {
    app.advance(DAY_MS + HOUR_MS);
    round += 1;
    for (const delivery of shop.deliveries(store, round)) await send(stores, store, delivery);
    await read();
  };
  const figures = () => figuresOf(stores, store);
  return { stores, proxy, read, readAll, figures };
}

describe('an answer without an order changes none', () => {
  test('of all kinds of stores that can be asked', async () => {
    const stores = await StoreApp.open({ config: { extensions } });
    const asked = connectorsOf(stores.app.site).filter(({ fetchOrder }) => fetchOrder);
    assert.deepEqual(Object.keys(shops).sort(), asked.map(({ kind }) => kind).sort());
  });

  for (const kind of Object.keys(shops)) {
    for (const [name, answer] of Object.entries(absences)) {
      test(`${kind}: ${name}, to each of its calls`, async () => {
        const { stores, proxy, read, readAll, figures } = await openTrading(kind);
        await readAll();
        const before = await figures();
        const earning = Object.values(before).flatMap(({ earned }: any) => earned);
        assert.ok(earning.length >= 2);
        assert.ok(earning.every(({ state }: any) => state === 'granted' || state === 'awaiting'));
        proxy.routes.clear();
        await readAll();
        assert.deepEqual(await figures(), before);
        const routes = [...proxy.routes];
        assert.ok(routes.length >= 3, routes.join());
        for (const route of routes) {
          proxy.answer(route, answer);
          await readAll();
          assert.deepEqual(await figures(), before, `${route} is answered with ${name}`);
          proxy.answer();
          stores.app.advance(HOUR_MS);
          await read();
          assert.deepEqual(await figures(), before, `${route} is answered again`);
        }
        await assertBalanced(stores);
      });
    }
  }
});
