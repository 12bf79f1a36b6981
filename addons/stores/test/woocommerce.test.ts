import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { StoreApp } from './store-app.ts';
import { FAKE_KEYS, FakeWooCommerce } from './woocommerce/fake-woocommerce.ts';
import { deliveries, RECORDED_SECRET, RECORDED_SHOP } from './woocommerce/recorded.ts';

const DAY_MS = 24 * 60 * 60_000;

const stores = await StoreApp.open();
const { app } = stores;
for (const code of ['ADA10', 'FIVE', 'MUG2', 'ALLFREE']) await stores.coupon(code);

const fake = await FakeWooCommerce.start(app.site.clock());
after(() => fake.close());

/** The orders of a connection by the shop's own id: status, refunded, and commission by state. */
async function ordersOf(store: number): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (let page = 1; ; page += 1) {
    const { body } = await stores.get(`/orders?per_page=100&page=${page}`);
    for (const { order_id, store: from } of body) {
      if (from !== store) continue;
      const { external_id, status, referrals } = await stores.order(order_id);
      const earned = referrals.map(
        ({ state, commission }: { state: string; commission: number }) => `${state} ${commission}`,
      );
      all[external_id] = [status, ...earned.toSorted()].join(', ');
    }
    if (body.length < 100) return all;
  }
}

describe('everything that a real shop was recorded to send', () => {
  let id: number;
  const failed = () => stores.deliveries(id, '&state=failed');

  test('is received and becomes orders with commissions', async () => {
    const given = { url: RECORDED_SHOP, webhook_secret: RECORDED_SECRET };
    const store = await stores.connect({ kind: 'woocommerce', ...given });
    ({ id } = store);
    assert.equal(store.body.state, 'receiving');
    for (const { name, headers, body } of deliveries) {
      const { status } = await app.call(store.receiver, {
        method: 'POST',
        headers,
        json: body.toString(),
      });
      assert.equal(status, /^(?:202|230)-/.test(name) ? 401 : 200, name);
    }
    await stores.process();
    assert.deepEqual(await ordersOf(id), {
      23: 'processing, awaiting 3.6',
      24: 'completed, granted 3.61',
      25: 'processing, awaiting 6.69, awaiting 6.69, awaiting 6.69',
      26: 'processing, awaiting 0',
      27: 'on-hold, void 0, void 0',
      28: 'on-hold, void 0',
      29: 'processing, awaiting 3.2',
      30: 'cancelled, void 0',
      31: 'refunded, void 0',
      36: 'refunded, void 0',
      // Set back to completed, with its refund.
      38: 'completed, granted 0',
      // Restored from the trash; the first coupon was removed from it.
      40: 'completed, granted 4.84, void 0',
      41: 'cancelled, void 0',
      48: 'completed, granted 1.71',
      50: 'pending',
      55: 'cancelled',
      58: 'completed, granted 3.61',
    });
  });

  test('fails only without an exchange rate, says so, and succeeds with one', async () => {
    const waiting = await failed();
    assert.deepEqual(
      new Set(waiting.map(({ external_id }) => external_id)),
      new Set(['42', '43', '44', '46']),
    );
    for (const { reason } of waiting)
      assert.match(reason, /no exchange rate from (?:JPY|KWD) to USD/);
    const rates = { exchange_rates: { JPY: 0.01, KWD: 3 } };
    assert.equal((await stores.send('PATCH', `/connections/${id}`, rates)).status, 200);
    for (const delivery of waiting.toReversed()) {
      await stores.post(`/connections/${id}/deliveries/${delivery.id}/retry`);
    }
    await stores.process();
    assert.deepEqual(await failed(), []);
    const orders = await ordersOf(id);
    assert.deepEqual(
      [orders[42], orders[44], orders[46]],
      ['processing', 'processing, awaiting 5.61', 'processing, awaiting 3.84'],
    );
  });

  test('changes nothing when it is sent again', async () => {
    const before = await ordersOf(id);
    for (const { headers, body } of deliveries.toReversed()) {
      await app.call(`~/connect/woocommerce/${id}`, {
        method: 'POST',
        headers,
        json: body.toString(),
      });
    }
    await stores.process();
    assert.deepEqual(await ordersOf(id), before);
  });
});

describe('a shop with keys', () => {
  let id: number;
  const reconcile = () => stores.post(`/connections/${id}/reconcile`, {});
  const stateOf = async () => {
    const { state, webhooks_active, missed_found } = await stores.connection(id);
    return { state, webhooks_active, missed_found };
  };
  const orderOf = async (externalId: number) => (await ordersOf(id))[externalId];
  const deliver = async () => {
    await fake.deliver();
    await stores.process();
  };

  test('is connected: the keys work and the webhooks are created', async () => {
    const store = await stores.connect({
      kind: 'woocommerce',
      url: fake.url,
      credentials: FAKE_KEYS,
    });
    ({ id } = store);
    assert.equal(store.body.state, 'connected');
    assert.match(store.body.steps.join(' '), /accepts the key.*order\.created was created/);
    for (const webhook of fake.shop.webhooks.values()) {
      assert.equal(webhook.deliveryUrl, store.body.receiver_url);
    }
  });

  test('a refund is by product, because its lines are read', async () => {
    const order = fake.shop.place({ codes: ['ada10'], status: 'completed' });
    await deliver();
    // 10 % of 36.00 and 12.03.
    assert.equal(await orderOf(order.id), 'completed, granted 4.8');
    fake.shop.refundLine(order.id, { shipping: 590 });
    await deliver();
    // 10 % of 18.00 and 12.03: neither tax nor shipping are taken off the goods.
    assert.equal(await orderOf(order.id), 'completed, granted 3');
  });

  test('a deleted refund, which the shop does not report, is found the next day', async () => {
    const order = fake.shop.place({ codes: ['five'], status: 'completed' });
    fake.shop.refundAmount(order.id, 1_000);
    await deliver();
    assert.equal(await orderOf(order.id), 'completed, granted 3.97');
    fake.shop.deleteRefund(order.id);
    app.advance(DAY_MS + 60_000);
    await stores.sync();
    assert.equal(await orderOf(order.id), 'completed, granted 4.8');
  });

  test('the seventh failure disables a webhook; it is created again, and nothing is missed', async () => {
    const urls = [...fake.shop.webhooks.values()].map((webhook) => webhook.deliveryUrl);
    for (const webhook of fake.shop.webhooks.values()) webhook.deliveryUrl += '999';
    const order = fake.shop.place({ codes: ['ada10'] });
    for (let i = 0; i < 7; i += 1) {
      fake.shop.setStatus(order.id, i % 2 === 0 ? 'completed' : 'processing');
      await fake.deliver();
    }
    const updated = [...fake.shop.webhooks.values()].find(
      ({ topic }) => topic === 'order.updated',
    )!;
    assert.equal(updated.status, 'disabled');
    for (const [i, webhook] of [...fake.shop.webhooks.values()].entries()) {
      webhook.deliveryUrl = urls[i]!;
    }
    assert.equal(await orderOf(order.id), undefined);
    const { missed_found } = await stateOf();
    assert.match((await reconcile()).body.summary, /1 of them was new or changed/);
    assert.equal(await orderOf(order.id), 'completed, granted 4.8');
    assert.deepEqual(await stateOf(), {
      state: 'connected',
      webhooks_active: true,
      missed_found: missed_found + 1,
    });
    // Activated again, it would keep its failures, and the next one would disable it.
    const again = [...fake.shop.webhooks.values()].find(({ topic }) => topic === 'order.updated');
    assert.deepEqual([again!.status, again!.failures], ['active', 0]);
    assert.notEqual(again!.id, updated.id);
  });

  test('a trashed order earns nothing, a restored one again; one deleted for good is found by asking', async () => {
    const { id: order } = fake.shop.place({ codes: ['ada10'], status: 'completed' });
    await deliver();
    for (const [change, expected] of [
      ['trash', 'cancelled, void 0'],
      ['restore', 'completed, granted 4.8'],
      ['trash', 'cancelled, void 0'],
      ['restore', 'completed, granted 4.8'],
    ] as const) {
      fake.shop[change](order);
      await deliver();
      assert.equal(await orderOf(order), expected);
    }
    fake.shop.trash(order);
    fake.shop.deleteForGood(order);
    await deliver();
    assert.equal(await orderOf(order), 'cancelled, void 0');
  });

  test('an order deleted without the trash, which the shop tells nothing about, is noticed on the second day', async () => {
    const place = (codes: string[]) => fake.shop.place({ codes, status: 'completed' }).id;
    const [kept, deleted, unearning] = [place(['ada10']), place(['ada10']), place([])];
    await deliver();
    fake.shop.deleteForGood(deleted);
    fake.shop.deleteForGood(unearning);
    const asked = () => fake.requests.filter((line) => line.includes('include='));
    app.advance(DAY_MS / 2);
    await stores.sync();
    assert.equal(await orderOf(deleted), 'completed, granted 4.8');
    fake.requests.splice(0);
    // The host allows small pages only.
    fake.perPageMax = 1;
    app.advance(DAY_MS / 2 + 60_000);
    await stores.sync();
    fake.perPageMax = 100;
    assert.equal(await orderOf(deleted), 'completed, granted 4.8');
    const { not_shown } = await stores.connection(id);
    assert.match(
      not_shown,
      new RegExp(`does not have 1 order that is stored here \\(${deleted}\\)`),
    );
    assert.equal(await orderOf(kept), 'completed, granted 4.8');
    const ids = new URLSearchParams(asked()[0]!.split('?')[1]).get('include')!.split(',');
    assert.deepEqual(
      [kept, deleted, unearning].map((order) => ids.includes(String(order))),
      [true, true, false],
    );
    // Asked once a day for two weeks.
    fake.requests.splice(0);
    app.advance(DAY_MS / 2);
    await stores.sync();
    assert.deepEqual(asked(), []);
    assert.equal(await orderOf(deleted), 'completed, granted 4.8');
    app.advance(DAY_MS / 2 + 60_000);
    await stores.sync();
    assert.equal(await orderOf(deleted), 'cancelled, void 0');
    assert.equal((await stores.connection(id)).not_shown, '');
    app.advance(14 * DAY_MS);
    await stores.sync();
    app.advance(DAY_MS + 60_000);
    fake.requests.splice(0);
    await stores.sync();
    assert.deepEqual(asked(), []);
  });

  test('a shop that asks to wait, fails or refuses the keys loses nothing', async () => {
    const { id: order } = fake.shop.place({ codes: ['ada10'] });
    fake.shop.takeQueue('');
    fake.errors.push({ status: 429, json: {}, headers: { 'Retry-After': '30' } });
    assert.equal((await reconcile()).status, 502);
    assert.equal((await stateOf()).state, 'connected');
    app.advance(29_000);
    await stores.sync();
    assert.equal(await orderOf(order), undefined);
    app.advance(1_000);
    fake.errors.push({ status: 500, json: {} });
    await stores.sync();
    assert.equal((await stateOf()).state, 'degraded');
    app.advance(DAY_MS);
    fake.errors.push({ status: 401, json: {} });
    await stores.sync();
    assert.equal((await stateOf()).state, 'failed');
    app.advance(DAY_MS);
    await stores.sync();
    assert.equal((await stateOf()).state, 'connected');
    assert.equal(await orderOf(order), 'processing, awaiting 4.8');
  });

  test('a delivery that needs the shop waits until it answers', async () => {
    const { id: order } = fake.shop.place({ codes: ['ada10'], status: 'completed' });
    fake.shop.refundLine(order);
    fake.errors.push({ status: 503, json: {} });
    await deliver();
    assert.equal(await orderOf(order), undefined);
    app.advance(DAY_MS);
    await stores.process();
    assert.equal(await orderOf(order), 'completed, granted 3');
  });

  test('a test order passes through every step and is taken back', async () => {
    const before = await ordersOf(id);
    const { status, body } = await stores.post(`/connections/${id}/test-order`, { code: 'ADA10' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(await ordersOf(id), before);
  });

  test('disconnecting removes the webhooks and keeps the orders', async () => {
    assert.equal((await stores.send('DELETE', `/connections/${id}`)).status, 200);
    assert.equal(fake.shop.webhooks.size, 0);
  });
});
