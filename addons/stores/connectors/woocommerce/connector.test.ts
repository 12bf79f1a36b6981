import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { directShop } from '../../test/woocommerce/direct-shop.ts';
import { FakeWooCommerce } from '../../test/woocommerce/fake-woocommerce.ts';
import { StoreError, type StoreApi } from '../connector.ts';
import { woocommerce } from './connector.ts';

const START_MS = Date.parse('2026-11-15T18:00:00Z');

let fake: FakeWooCommerce;
let shop: StoreApi;
before(async () => {
  fake = await FakeWooCommerce.start(START_MS);
  shop = directShop(fake);
});
after(() => fake.close());

const statuses = () => [...fake.shop.webhooks.values()].map(({ status }) => status);
const topics = () => [...fake.shop.webhooks.values()].map(({ topic }) => topic).toSorted();
const TOPICS = ['order.created', 'order.deleted', 'order.restored', 'order.updated'];

test('a host that drops the header gets the key in the query, over HTTPS and only there', async () => {
  const url = 'https://drops.example';
  const overHttps = (server: FakeWooCommerce): StoreApi => {
    const direct = directShop(server);
    const request: StoreApi['request'] = (given) =>
      direct.request({ ...given, url: given.url.replace(url, server.url) });
    return { ...direct, url, request };
  };
  const withKey = (server: FakeWooCommerce) =>
    server.requests.filter((request) => request.includes('consumer_secret=')).length;
  const dropping = await FakeWooCommerce.start(START_MS);
  after(() => dropping.close());
  dropping.dropsAuthorization = true;
  await assert.rejects(woocommerce.connect!(directShop(dropping)), { code: 'credentials' });
  assert.deepEqual([dropping.requests.length, withKey(dropping)], [1, 0]);
  const { steps } = await woocommerce.connect!(overHttps(dropping));
  assert.match(steps[0]!, /accepts the key/);
  assert.equal(dropping.requests.length - withKey(dropping), 2, 'one request without it');
});

describe('webhooks', () => {
  test('are created once, with the secret, and only ours are looked at', async () => {
    const other = { name: 'other', status: 'disabled' as const, secret: 'other', failures: 0 };
    const deliveryUrl = 'https://elsewhere.example/hook';
    fake.shop.webhooks.set(7, { id: 7, topic: 'order.updated', deliveryUrl, ...other });
    const report = await woocommerce.connect!(shop);
    assert.equal(report.webhooksActive, true);
    assert.match(report.steps[0]!, /answers and accepts the key\. It sells in USD/);
    assert.equal(report.steps.length, 5);
    await woocommerce.connect!({ ...shop, secret: 'newSecret1' });
    assert.deepEqual(topics(), [...TOPICS, 'order.updated']);
    const secrets = [...fake.shop.webhooks.values()].map(({ secret }) => secret);
    assert.deepEqual(new Set(secrets), new Set(['other', 'newSecret1']));
    assert.equal(fake.shop.webhooks.get(7)!.status, 'disabled');
    fake.shop.webhooks.delete(7);
  });

  test('that the shop disabled are active again, missing ones created, paused ones named', async () => {
    const [first, second, third] = [...fake.shop.webhooks.values()];
    first!.status = 'disabled';
    second!.status = 'paused';
    fake.shop.webhooks.delete(third!.id);
    const report = await woocommerce.check!(shop);
    assert.equal(report.webhooksActive, false);
    assert.match(report.notes.join('\n'), /disabled the webhook .* created again/);
    assert.match(report.notes.join('\n'), /is paused in the shop/);
    assert.match(report.notes.join('\n'), /was missing and has been created again/);
    assert.deepEqual(topics(), TOPICS);
    second!.status = 'active';
    assert.deepEqual(await woocommerce.check!(shop), { webhooksActive: true, notes: [] });
    assert.deepEqual(new Set(statuses()), new Set(['active']));
  });

  test('a port that WordPress does not send to is named', async () => {
    const receiverUrl = 'https://program.example:8443/connect/woocommerce/1';
    const { warnings } = await woocommerce.connect!({ ...shop, receiverUrl });
    assert.match(warnings![0]!, /only to the ports 80, 443 and 8080.* port 8443/);
    await woocommerce.disconnect!({ ...shop, receiverUrl });
  });

  test('are removed with the connection', async () => {
    await woocommerce.disconnect!(shop);
    assert.deepEqual(topics(), []);
  });
});

describe('keys', () => {
  const refusedWith = (code: StoreError['code'], message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof StoreError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };

  test('wrong, read-only, and over plain HTTP', async () => {
    const wrong = { ...shop, credentials: { ...shop.credentials, consumer_secret: 'cs_wrong' } };
    await assert.rejects(woocommerce.connect!(wrong), refusedWith('credentials', /refused/));
    fake.permissions = 'read';
    await assert.rejects(
      woocommerce.connect!(shop),
      refusedWith('credentials', /may read but not change/),
    );
    fake.permissions = 'read_write';
    await assert.rejects(
      woocommerce.connect!({ ...shop, url: 'http://shop.example' }),
      refusedWith('credentials', /over HTTPS only/),
    );
  });

  test('a page that is not WooCommerce', async () => {
    fake.errors.push({ status: 404, json: { code: 'rest_no_route', message: 'No route' } });
    await assert.rejects(woocommerce.check!(shop), refusedWith('failed', /not answer like Woo/));
    const page = { status: 200, json: 'Hello' };
    fake.errors.push(page, page);
    await assert.rejects(woocommerce.check!(shop), refusedWith('failed', /not answer like Woo/));
  });
});

describe('changed orders', () => {
  async function walk(by: StoreApi, sinceMs: number, during: () => void = () => {}) {
    const ids: number[] = [];
    const totals = new Set<number | undefined>();
    let page: string | null = null;
    do {
      const found = await woocommerce.changedSince!(by, { sinceMs, page });
      ids.push(...found.payloads.map((order) => (order as { id: number }).id));
      totals.add(found.total);
      page = found.next;
      during();
      during = () => {};
    } while (page !== null);
    return { ids, totals };
  }

  const place = (count: number) => Array.from({ length: count }, () => fake.shop.place().id);

  test('at or after an instant, to the second, with the trash, oldest first', async () => {
    const [, second, third] = place(3);
    fake.shop.trash(second!);
    const { modifiedMs } = fake.shop.orders.get(third!)!;
    const { ids } = await walk(shop, modifiedMs);
    assert.deepEqual(ids, [third, second]);
    const asked = fake.requests.at(-1)!;
    assert.match(asked, /status=trash/);
    assert.match(asked, /modified_after=2026-11-15T18%3A00%3A\d\d&dates_are_gmt=true/);
    assert.deepEqual((await walk(shop, modifiedMs + 1000)).ids, [second]);
  });

  test('many pages, although an order changes during the walk or many change in one second', async () => {
    fake.shop.orders.clear();
    const ids = place(250);
    const { ids: found, totals } = await walk(shop, 0, () => fake.shop.setQuantity(ids[0]!, 3));
    assert.deepEqual(new Set(found), new Set(ids));
    assert.deepEqual(totals, new Set([250]));
    const same = fake.shop.tick();
    for (const order of fake.shop.orders.values()) order.modifiedMs = same;
    assert.deepEqual(new Set((await walk(shop, same)).ids), new Set(ids));
    fake.perPageMax = 40;
    assert.deepEqual(new Set((await walk(shop, same)).ids), new Set(ids));
    fake.perPageMax = 100;
  });

  test('a shop whose clock is slow misses nothing', async () => {
    fake.shop.orders.clear();
    const aheadMs = 40 * 60_000;
    const sinceMs = fake.shop.nowMs + aheadMs;
    const [id] = place(1);
    const ours = directShop(fake, { nowMs: fake.shop.nowMs + aheadMs });
    assert.deepEqual((await walk(ours, sinceMs)).ids, [id]);
    assert.deepEqual((await walk(directShop(fake), sinceMs)).ids, []);
  });

  test('limits and failures reach the caller', async () => {
    const wait = { status: 429, json: {}, headers: { 'Retry-After': '7' } };
    fake.errors.push(wait);
    await assert.rejects(walk(shop, 0), { code: 'busy', retryAfterMs: 7_000 });
    fake.errors.push({ status: 502, json: {} });
    await assert.rejects(walk(shop, 0), { code: 'failed' });
  });

  test('one order has the lines of its refunds; a deleted one is undefined', async () => {
    const { id } = fake.shop.place();
    fake.shop.refundLine(id, { quantity: 0, shipping: 100 });
    fake.shop.refundAmount(id, 500);
    const order = (await woocommerce.fetchOrder!(shop, String(id))) as { refunds: object[] };
    assert.deepEqual(
      order.refunds.map((refund) => 'line_items' in refund),
      [true, true],
    );
    fake.shop.deleteForGood(id);
    assert.equal(await woocommerce.fetchOrder!(shop, String(id)), undefined);
  });
});

describe('coupons', () => {
  const coupon = {
    code: 'ADA10',
    discount: { type: 'percent' as const, amount: 10 },
    currency: 'USD',
  };
  const stored = () => [...fake.shop.coupons.values()];

  test('are created once, paused by their expiry date, and resumed with the one they had', async () => {
    await woocommerce.createCoupon!(shop, coupon);
    await woocommerce.createCoupon!(shop, { ...coupon, discount: { type: 'percent', amount: 50 } });
    assert.deepEqual(
      stored().map(({ code, amount, discountType }) => [code, amount, discountType]),
      [['ada10', '10', 'percent']],
    );
    const [one] = stored();
    for (const expires of [null, '2030-01-01T00:00:00']) {
      one!.dateExpires = expires;
      for (const active of [false, false, true, true]) {
        await woocommerce.changeCoupon!(shop, { ...coupon, active });
        assert.equal(one!.dateExpires, active ? expires : '2000-01-01T00:00:00');
      }
    }
  });

  test('one that the shop does not have is created when it is resumed', async () => {
    fake.shop.coupons.clear();
    await woocommerce.changeCoupon!(shop, { ...coupon, active: false });
    assert.equal(stored().length, 0);
    await woocommerce.changeCoupon!(shop, { ...coupon, active: true });
    assert.equal(stored().length, 1);
  });

  test('a fixed amount needs the currency of the shop', async () => {
    const fixed = { ...coupon, code: 'FIVE', discount: { type: 'fixed' as const, amount: 5 } };
    await woocommerce.createCoupon!(shop, fixed);
    assert.equal(stored().at(-1)!.discountType, 'fixed_cart');
    await assert.rejects(
      woocommerce.createCoupon!(shop, { ...fixed, currency: 'EUR' }),
      /sells in USD, .* amount in EUR/,
    );
  });
});

test('the address of a shop is what an owner types or pastes', () => {
  const cases: [string, string][] = [
    ['shop.example', 'https://shop.example'],
    [' https://Shop.Example/ ', 'https://shop.example'],
    ['https://shop.example/wp-admin/admin.php?page=wc-settings', 'https://shop.example'],
    ['https://example.com/store/wp-json/wc/v3/', 'https://example.com/store'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
  ];
  for (const [typed, url] of cases) assert.equal(woocommerce.normalizeUrl!(typed), url);
  for (const wrong of ['', 'ftp://shop.example', 'https://', 'https://user@shop.example', 'a b']) {
    assert.throws(() => woocommerce.normalizeUrl!(wrong), /must be the address of the shop/, wrong);
  }
});
