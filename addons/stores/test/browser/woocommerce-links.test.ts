import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { idOf } from '../../../../test/support/harness.ts';
import { STORE } from '../../../../test/support/payouts.ts';
import { signatureOf } from '../../connectors/woocommerce/verify.ts';
import { send } from '../compared-stores.ts';
import { StoreApp, type ConnectedStore } from '../store-app.ts';
import { foundPhp, startPhpShop, unpack } from '../woocommerce/php-shop.ts';
import { attributed } from '../woocommerce/recorded.ts';

/**
 * Links in a shop that remembers visits as WooCommerce was recorded to do, with and without the plugin, which PHP
 * runs as the service has packed it.
 */
const stores = await StoreApp.open();
const { app } = stores;
const ada = await stores.coupon('ADA10');
const bob = await stores.coupon('BOB15', idOf('tomas'));
const browser = await openBrowser();
const found = foundPhp();
const { php } = found;
const skip = found.skip || browser.needed.skip;
const DAY_MS = 86_400_000;

async function pluginOf({ id }: ConnectedStore): Promise<string> {
  const headers = { authorization: `Bearer ${stores.key}`, 'x-forwarded-proto': 'https' };
  const response = await fetch(`${app.url}${STORE}/connections/${id}/plugin`, { headers });
  const name = 'tributary-for-woocommerce';
  return join(unpack(new Uint8Array(await response.arrayBuffer())), name, `${name}.php`);
}

interface Shop {
  readonly url: string;
  readonly store: ConnectedStore;
}

let connected = 0;

async function openShop(options: {
  plugin: boolean;
  asks?: boolean;
  script?: boolean;
}): Promise<Shop> {
  const url = `https://shop-${++connected}.test`;
  const store = await stores.connect({ kind: 'woocommerce', url });
  const address = await startPhpShop(php!, {
    ...options,
    plugin: options.plugin ? await pluginOf(store) : '',
    script: options.script ? `${app.url}/t.js` : '',
  });
  await app.set({ 'site.store_url': address });
  return { url: address, store };
}

const open = (address: string, shop: Shop) =>
  browser.open(address, {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36',
    hosts: [new URL(app.url).host, new URL(shop.url).host],
  });

const linkTo = (code: string) => `${app.url}/r/${code}`;

/** Ends the session of the browser: what was to end with it is gone, and days pass. */
async function comeBack(page: Page, address: string): Promise<Page> {
  const context = page.context();
  await page.close();
  for (const { name, expires } of await context.cookies()) {
    if (expires === -1) await context.clearCookies({ name });
  }
  app.advance(8 * DAY_MS);
  const later = await context.newPage();
  await later.goto(address);
  return later;
}

let lastId = 5_000;

/** Buys, lets the shop send the order, and returns what it is credited to: the coupon, and by what. */
async function buy(page: Page, { store }: Shop, checkout = 'Classic checkout') {
  // That of an earlier purchase on the same page.
  await page.locator('output').evaluate((output) => (output.textContent = ''));
  await page.getByRole('button', { name: checkout }).click();
  const written = page.getByText(/^\{.*\}$/);
  const meta = JSON.parse((await written.textContent())!) as Record<string, string>;
  const now = new Date(app.site.clock()).toISOString().slice(0, 19);
  const order = {
    ...attributed.at(0)!.order,
    id: ++lastId,
    currency: 'USD',
    date_created_gmt: now,
    date_modified_gmt: now,
    meta_data: Object.entries(meta).map(([key, value], id) => ({ id, key, value })),
  };
  const body = Buffer.from(JSON.stringify(order));
  const headers = {
    'x-wc-webhook-topic': 'order.created',
    'x-wc-webhook-signature': signatureOf(body, store.secret),
  };
  assert.equal((await send(stores, store, { headers, body })).status, 200);
  await stores.process();
  const [delivery] = await stores.deliveries(store.id);
  assert.equal(delivery.state, 'done', delivery.reason);
  const { referrals } = (await stores.get(`/orders/${delivery.order_id}/commission`)).body;
  return referrals.map((one: any) => [one.coupon_id, one.credited_by]);
}

const clicksOf = async (coupon: number) =>
  (await app.call(`/clicks/stats?coupon_id=${coupon}`, { key: stores.key })).body.clicks;

describe('a shop without the plugin', { skip }, () => {
  test('the link first, then a purchase: credited', async () => {
    const shop = await openShop({ plugin: false });
    const tab = await open(linkTo('ADA10'), shop);
    await tab.page.getByRole('link', { name: 'Lamp' }).click();
    assert.deepEqual(await buy(tab.page, shop), [[ada, 'click_id']]);
    await tab.close();
  });

  test('the shop was open before: credited by the campaign; the last of two links earns', async () => {
    const shop = await openShop({ plugin: false });
    const tab = await open(shop.url, shop);
    const { page } = tab;
    await page.goto(linkTo('ADA10'));
    assert.match(page.url(), /[?&]utm_source=tributary&utm_medium=affiliate&utm_campaign=ADA10/);
    await page.getByRole('link', { name: 'Lamp' }).click();
    assert.deepEqual(await buy(page, shop), [[ada, 'click_id']]);
    await page.goto(linkTo('BOB15'));
    assert.deepEqual(await buy(page, shop, 'Block checkout'), [[bob, 'click_id']]);
    await tab.close();
  });

  test('the browser was closed in between: not credited', async () => {
    const shop = await openShop({ plugin: false });
    const tab = await open(linkTo('ADA10'), shop);
    const later = await comeBack(tab.page, shop.url);
    assert.deepEqual(await buy(later, shop), []);
    await tab.close();
  });
});

describe('a shop with the plugin', { skip }, () => {
  test('the browser was closed, the purchase is a week later: credited', async () => {
    const shop = await openShop({ plugin: true });
    const tab = await open(linkTo('ADA10'), shop);
    const later = await comeBack(tab.page, shop.url);
    assert.deepEqual(await buy(later, shop), [[ada, 'click_id']]);
    assert.deepEqual(await buy(later, shop, 'Block checkout'), [[ada, 'click_id']]);
    await tab.close();
  });

  test('the shop was open before, and the link of another affiliate comes last: that one earns', async () => {
    const shop = await openShop({ plugin: true });
    const tab = await open(shop.url, shop);
    const { page } = tab;
    // Directly to the shop: neither a campaign nor a click.
    await page.goto(`${shop.url}/?ref=ADA10`);
    assert.deepEqual(await buy(page, shop), [[ada, 'referral_code']]);
    await page.goto(linkTo('ADA10'));
    await page.goto(linkTo('BOB15'));
    const later = await comeBack(page, shop.url);
    assert.deepEqual(await buy(later, shop, 'Block checkout'), [[bob, 'click_id']]);
    await tab.close();
  });

  test('consent refused: nothing is stored; given on the landing page: credited', async () => {
    const shop = await openShop({ plugin: true, asks: true });
    const tab = await open(shop.url, shop);
    const { page } = tab;
    await page.goto(linkTo('ADA10'));
    const stored = async () => {
      const all = await page.context().cookies(shop.url);
      return all.map(({ name }) => name).filter((name) => name.startsWith('tributary'));
    };
    assert.deepEqual(await stored(), []);
    await page.evaluate(() => (document.cookie = 'wp_consent_marketing=allow;path=/;max-age=999'));
    await page.getByRole('link', { name: 'Lamp' }).click();
    await page.waitForURL('**/lamp');
    assert.deepEqual(await stored(), ['tributary_origin']);
    assert.equal(await page.evaluate(() => document.cookie.includes('tributary_origin')), false);
    const later = await comeBack(page, shop.url);
    assert.deepEqual(await buy(later, shop), [[ada, 'click_id']]);
    await tab.close();
  });

  test('beside the script, a visit counts once, and the order has its visitor', async () => {
    const shop = await openShop({ plugin: true, script: true });
    const before = [await clicksOf(ada), await clicksOf(bob)];
    const tab = await open(linkTo('ADA10'), shop);
    const { page } = tab;
    const counted = page.waitForResponse((response) => response.url().endsWith('/t'));
    await page.goto(`${shop.url}/?ref=BOB15`);
    await counted;
    const later = await comeBack(page, shop.url);
    assert.deepEqual(await buy(later, shop), [[bob, 'visitor']]);
    assert.deepEqual([await clicksOf(ada), await clicksOf(bob)], [before[0] + 1, before[1] + 1]);
    await tab.close();
  });
});
