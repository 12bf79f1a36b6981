import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { storeLandingPages } from '../../src/modules/clicks/count-landing-pages.ts';
import type { Tributary } from '../../web/tracker/tracker.ts';
import { eventually } from '../support/eventually.ts';
import { idOf, openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { openSmallShop } from './small-shop.ts';

/** The script `/t.js` on the pages of a shop on another host. */
const app = await openTestApp({ settings: { 'attribution.code_parameters': ['ref', 'via'] } });
const admin = await app.key('admin', 'read,write');
const browser = await openBrowser();
const STORE = '/svc/store/v1';

let lastOrder = 0;
const shop = await openSmallShop({
  tributary: app.url,
  async sendOrder(fields) {
    const date = new Date(app.site.clock()).toISOString();
    const json = { date, status: 'completed', total: 100, ...fields };
    const path = `${STORE}/orders/${++lastOrder}`;
    const reply = await app.call(path, { method: 'PUT', key: admin, json });
    assert.equal(reply.status, 201, reply.text);
    return `Order ${lastOrder}`;
  },
});
await app.set({ 'site.store_url': shop.url });

let made = 0;
async function newCoupon(): Promise<{ id: number; code: string }> {
  const json = { code: `SHOP${++made}`, user_id: idOf('maya') };
  return (await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json })).body;
}

async function clicksOf({ id }: { id: number }): Promise<number> {
  return (await app.call(`/clicks/stats?coupon_id=${id}`, { key: admin })).body.clicks;
}

const clicked = (coupon: { id: number }, clicks: number) =>
  eventually(async () => assert.equal(await clicksOf(coupon), clicks));

/** Opens a page like a person, whose browser does not call itself headless. */
const visit = (address: string) =>
  browser.open(address.startsWith('http') ? address : shop.url + address, {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36',
    hosts: [new URL(app.url).host, new URL(shop.url).host],
  });

/** In the page. */
declare const tributary: Tributary;

const orderOf = (page: Page) => page.evaluate(() => tributary.order());
const consent = (page: Page, given?: boolean) =>
  page.evaluate((value) => tributary.consent(value), given);
const storedBy = (page: Page) =>
  page.evaluate(() => [document.cookie, localStorage.length] as const);

/** The paths of the beacons that a page has sent. */
function beaconsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  return sent;
}

async function pay(page: Page) {
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText(/^Order \d+$/).waitFor();
  const { body } = await app.call(`${STORE}/orders/${lastOrder}/commission`, { key: admin });
  const [referral] = body.referrals;
  return referral && [referral.coupon_id, referral.credited_by, referral.commission];
}

describe('the script on the pages of a shop', browser.needed, () => {
  test('from the landing page to the commission, also if the cookie was deleted', async () => {
    const coupon = await newCoupon();
    const tab = await visit(`/shoes?via=${coupon.code}&campaign=spring`);
    const { page } = tab;
    await clicked(coupon, 1);
    const { visitor, ...others } = await orderOf(page);
    assert.match(visitor!, /^t\.[0-9a-z]{20}$/);
    assert.deepEqual(others, { referral_code: coupon.code });
    // Again: the same visit, and the same visitor.
    const beacons = beaconsOf(page);
    await page.reload();
    await eventually(() => assert.deepEqual(beacons, ['/t']));
    await page.context().clearCookies();
    await page.goto(`${shop.url}/checkout`);
    assert.deepEqual(await orderOf(page), { visitor, referral_code: coupon.code });
    assert.deepEqual(await pay(page), [coupon.id, 'visitor', 10]);
    assert.equal(await clicksOf(coupon), 1);
    await eventually(() =>
      assert.deepEqual(beacons, ['/t', '/orders'], 'nothing is sent without a code'),
    );
    await tab.close();
  });

  test('after a referral link: its click, and no second one', async () => {
    const coupon = await newCoupon();
    const tab = await visit(`${app.url}/r/${coupon.code}?to=/shoes`);
    const { page } = tab;
    assert.equal(new URL(page.url()).host, new URL(shop.url).host);
    const { click_id, visitor, referral_code } = await orderOf(page);
    assert.ok(click_id! > 0 && visitor!.length === 22);
    assert.equal(referral_code, coupon.code);
    await page.goto(`${shop.url}/checkout`);
    assert.deepEqual(await pay(page), [coupon.id, 'click_id', 10]);
    assert.equal(await clicksOf(coupon), 1);
    await tab.close();
  });

  test('nothing is stored, read or sent before the visitor consents, nor after they withdraw it', async () => {
    const coupon = await newCoupon();
    const tab = await visit('/asks/');
    const { page } = tab;
    const beacons = beaconsOf(page);
    await page.goto(`${shop.url}/asks/?ref=${coupon.code}`);
    assert.deepEqual(await storedBy(page), ['', 0]);
    assert.deepEqual([await orderOf(page), beacons], [{}, []]);
    // A shop without page loads has changed the address by then.
    await page.evaluate(() => history.replaceState(null, '', '/asks/other'));
    await consent(page);
    await consent(page);
    await clicked(coupon, 1);
    assert.equal((await orderOf(page)).referral_code, coupon.code);
    await page.goto(`${shop.url}/asks/checkout`);
    assert.deepEqual(await orderOf(page), {});
    await consent(page);
    assert.equal((await orderOf(page)).referral_code, coupon.code);
    await consent(page, false);
    assert.deepEqual([await storedBy(page), await orderOf(page)], [['', 0], {}]);
    await eventually(() => assert.deepEqual(beacons, ['/t']));
    await tab.close();
  });

  test('through a path of the shop, whose cookie comes from the server', async () => {
    const coupon = await newCoupon();
    const tab = await visit('/own/');
    const { page } = tab;
    const answered = page.waitForResponse(/\/partners\/t$/);
    await page.goto(`${shop.url}/own/?ref=${coupon.code}`);
    const cookie = (await (await answered).headerValue('set-cookie'))!;
    assert.match(cookie, /^tributary=[^;]+; Max-Age=2592000; Path=\/; SameSite=Lax$/);
    await clicked(coupon, 1);
    await eventually(async () => assert.equal((await storedBy(page))[0], cookie.split(';')[0]));
    assert.equal((await orderOf(page)).referral_code, coupon.code);
    await tab.close();
  });

  test('included twice it sends one click; a page that is only prepared sends none', async () => {
    const [coupon, prepared] = [await newCoupon(), await newCoupon()];
    const tab = await visit('/');
    const { page } = tab;
    const beacons = beaconsOf(page);
    await page.goto(`${shop.url}/twice/?ref=${coupon.code}`);
    await clicked(coupon, 1);
    await eventually(() => assert.deepEqual(beacons, ['/t']));
    await page.addInitScript(() =>
      Object.defineProperty(document, 'prerendering', { value: true, configurable: true }),
    );
    await page.goto(`${shop.url}/?ref=${prepared.code}`);
    assert.equal((await orderOf(page)).referral_code, coupon.code);
    await page.evaluate(() => {
      Object.defineProperty(document, 'prerendering', { value: false });
      document.dispatchEvent(new Event('prerenderingchange'));
    });
    await clicked(prepared, 1);
    assert.equal((await orderOf(page)).referral_code, prepared.code);
    await eventually(() => assert.deepEqual(beacons, ['/t', '/t']));
    await tab.close();
  });

  test('the console lists the pages that visitors arrived at', async () => {
    await storeLandingPages.run(app.site);
    const tab = await openPortal(browser, app, 'admin', '/console/clicks', { width: 390 });
    const pages = tab.page.getByRole('table', { name: 'Landing pages' });
    await pages.getByText('/shoes', { exact: true }).waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.close();
  });
});
