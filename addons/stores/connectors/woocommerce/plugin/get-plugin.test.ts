import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { refusal } from '../../../../../test/support/harness.ts';
import { STORE } from '../../../../../test/support/payouts.ts';
import { StoreApp } from '../../../test/store-app.ts';
import { foundPhp, runPhp, startPhpShop, unpack } from '../../../test/woocommerce/php-shop.ts';

const stores = await StoreApp.open({
  settings: {
    'attribution.parameter': 'by',
    'attribution.code_parameters': ['ref', 'a-b_1'],
    'attribution.cookie_days': 45,
  },
});
const store = await stores.connect({ kind: 'woocommerce', url: 'https://shop.example' });
const pathOf = (id: number) => `${stores.app.url}${STORE}/connections/${id}/plugin`;

async function download() {
  const headers = { authorization: `Bearer ${stores.key}`, 'x-forwarded-proto': 'https' };
  const response = await fetch(pathOf(store.id), { headers });
  assert.equal(response.status, 200);
  return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

const { php, skip } = foundPhp();
const { headers, bytes } = await download();
const file = join(unpack(bytes), 'tributary-for-woocommerce', 'tributary-for-woocommerce.php');

describe('GET /connections/{id}/plugin', () => {
  test('200: a ZIP with one file, which has the settings of links', () => {
    assert.equal(headers.get('content-type'), 'application/zip');
    assert.match(headers.get('content-disposition')!, /filename="tributary-for-woocommerce\.zip"$/);
    const text = readFileSync(file, 'utf8');
    assert.match(text, /^\tconst PARAMETERS = array\( 'by', 'ref', 'a-b_1' \);$/m);
    assert.match(text, /^\tconst DAYS {7}= 45;$/m);
    assert.ok(!text.includes(store.secret));
  });

  test('the same settings give the same bytes', async () => {
    assert.deepEqual((await download()).bytes, bytes);
  });

  test('404 for another kind and an unknown connection, 403 for an affiliate, 401', async () => {
    const http = await stores.connect({ kind: 'http' });
    const get = (id: number, key?: string) =>
      stores.app.call(`${STORE}/connections/${id}/plugin`, key === undefined ? {} : { key });
    assert.equal(refusal(await get(http.id, stores.key)), '404 svc_api_store_no_plugin');
    assert.equal(refusal(await get(999, stores.key)), '404 svc_api_not_found');
    assert.equal((await get(store.id, await stores.app.key('maya', 'read'))).status, 403);
    assert.equal((await get(store.id)).status, 401);
  });
});

describe('the plugin, run by PHP', { skip }, () => {
  /** Requests to a shop, with what its responses say about cookies and caches. */
  async function shopWith(options: { asks?: boolean } = {}) {
    const url = await startPhpShop(php!, { plugin: file, ...options });
    return {
      url,
      async visit(path: string, sent: Record<string, string> = {}) {
        const { headers: got } = await fetch(url + path, { headers: sent });
        const [set = ''] = got.getSetCookie();
        const [pair = '', ...attributes] = set.split('; ');
        const uncached = got.get('x-page-cache') === 'never';
        return { cookie: pair, attributes: attributes.join('; '), uncached, headers: got };
      },
      async buy(cookie: string, checkout = '/classic') {
        const sent = { method: 'POST', headers: { cookie }, body: '{"source_type":"typein"}' };
        const meta = (await (await fetch(url + checkout, sent)).json()) as Record<string, unknown>;
        const { _wc_order_attribution_source_type: type, ...ours } = meta;
        assert.equal(type, 'typein', 'what others wrote stays');
        return ours;
      },
    };
  }
  const origin = (values: unknown) => encodeURIComponent(JSON.stringify(values));
  const LINK = '/?ref=ADA10&click_id=16&visitor=reeD97HAHIYzeLC-gvSjtBZ';
  const ADA = {
    _tributary_code: 'ADA10',
    _tributary_visitor: 'reeD97HAHIYzeLC-gvSjtBZ',
    _tributary_click_id: '16',
  };

  test('is valid PHP, and tells WooCommerce that it supports its tables and blocks', async () => {
    runPhp(php!, ['-l', file]);
    const shop = await shopWith();
    const features = await (await fetch(`${shop.url}/features`)).json();
    assert.deepEqual(features, { custom_order_tables: true, cart_checkout_blocks: true });
  });

  test('sets a cookie of the server for the attribution window, on a page that no cache keeps', async () => {
    const shop = await shopWith();
    const landed = await shop.visit(LINK);
    assert.match(landed.cookie, /^tributary_origin=/);
    assert.match(
      landed.attributes,
      /^expires=.+; Max-Age=3888000; path=\/; HttpOnly; SameSite=Lax$/i,
    );
    assert.ok(landed.uncached);
    assert.match(landed.headers.get('cache-control')!, /no-store/);
    const secure = await shop.visit(LINK, { 'x-forwarded-proto': 'https' });
    assert.match(secure.attributes, /; secure; HttpOnly; SameSite=Lax$/i);
    const plain = await shop.visit('/lamp', { cookie: landed.cookie });
    assert.deepEqual([plain.cookie, plain.uncached], ['', false]);
    assert.equal((await shop.visit('/wp-admin/?ref=ADA10')).cookie, '');
  });

  test('writes code, click and visitor into orders of the classic and the block checkout', async () => {
    const shop = await shopWith();
    const { cookie } = await shop.visit(LINK);
    assert.deepEqual(await shop.buy(cookie), ADA);
    assert.deepEqual(await shop.buy(cookie, '/block'), ADA);
    assert.deepEqual(await shop.buy(''), {});
  });

  test('knows the parameters of older links, keeps odd codes as they are, and takes no others', async () => {
    const shop = await shopWith();
    const codeOf = async (path: string) =>
      (await shop.buy((await shop.visit(path)).cookie))['_tributary_code'];
    assert.equal(await codeOf('/?a-b_1=OLD'), 'OLD');
    assert.equal(await codeOf('/?ref=SECOND&by=FIRST'), 'FIRST');
    const odd = `R&B "10%41" d'or\\ <b>ü`;
    assert.equal(await codeOf(`/?by=${encodeURIComponent(odd)}`), odd);
    for (const none of [
      '/?via=X',
      '/?by=',
      '/?by[]=X',
      '/?by=%00',
      '/?by=%ff',
      `/?by=${'x'.repeat(51)}`,
    ]) {
      assert.equal(await codeOf(none), undefined, none);
    }
    // The click and its visitor belong together.
    const { cookie } = await shop.visit('/?by=ADA10&visitor=v&click_id=1e3');
    assert.deepEqual(await shop.buy(cookie), { _tributary_code: 'ADA10' });
  });

  test('the last link wins, also over that of the script', async () => {
    const shop = await shopWith();
    const { cookie } = await shop.visit(LINK);
    const second = await shop.visit('/?ref=BOB15', { cookie });
    assert.deepEqual(await shop.buy(second.cookie), { _tributary_code: 'BOB15' });
    const script = (atMs: number) =>
      `${cookie}; tributary=${origin(['EVE', 't.4c1fj20x8r5m7q3kz9wa', 0, atMs])}`;
    assert.deepEqual(await shop.buy(script(Date.now() + 60_000)), {
      _tributary_code: 'EVE',
      _tributary_visitor: 't.4c1fj20x8r5m7q3kz9wa',
    });
    assert.deepEqual(await shop.buy(script(Date.now() - 60_000)), ADA);
  });

  test('ignores what is too old or not valid', async () => {
    const shop = await shopWith();
    const days = (count: number) => Date.now() - count * 86_400_000;
    const bought = (values: unknown) => shop.buy(`tributary_origin=${origin(values)}`);
    assert.deepEqual(await bought(['ADA10', '', 0, days(44)]), { _tributary_code: 'ADA10' });
    for (const values of [['ADA10', '', 0, days(46)], ['', '', 0, days(0)], [], {}, 'x', null]) {
      assert.deepEqual(await bought(values), {}, JSON.stringify(values));
    }
    const text = await bought(['ADA10', ['x'], '16', days(0)]);
    assert.deepEqual(text, { _tributary_code: 'ADA10' });
  });

  test('a landing page from a cache: the next page tells, if no link is known yet', async () => {
    const shop = await shopWith();
    const referer = shop.url + LINK;
    const { cookie, uncached } = await shop.visit('/lamp', { referer });
    assert.deepEqual([await shop.buy(cookie), uncached], [ADA, false]);
    const known = (await shop.visit('/?ref=BOB15')).cookie;
    assert.equal((await shop.visit('/lamp', { referer, cookie: known })).cookie, '');
    const foreign = await shop.visit('/lamp', { referer: `https://blog.example${LINK}` });
    assert.equal(foreign.cookie, '');
  });

  test('stores nothing before the shopper agrees, and deletes it when they withdraw', async () => {
    const shop = await shopWith({ asks: true });
    const refused = await shop.visit(LINK);
    assert.equal(refused.cookie, '');
    assert.ok(refused.uncached, 'the next shopper may agree');
    // Agreed on the landing page: its address comes with the next request.
    const agreed = 'wp_consent_marketing=allow';
    const { cookie } = await shop.visit('/lamp', { cookie: agreed, referer: shop.url + LINK });
    assert.deepEqual(await shop.buy(`${cookie}; ${agreed}`), ADA);
    const denied = `${cookie}; wp_consent_marketing=deny`;
    assert.deepEqual(await shop.buy(denied), {});
    const gone = await shop.visit('/lamp', { cookie: denied });
    assert.match(gone.attributes, /Max-Age=0/);
  });
});
