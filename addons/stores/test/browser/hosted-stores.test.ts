import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import type { Tributary } from '../../../../web/tracker/tracker.ts';
import { attributionOf } from '../../connectors/stripe/attribution.ts';
import { purchaseOfSession } from '../../connectors/stripe/purchase.ts';
import { orderOf, paid } from '../shopify/samples.ts';

/** The script `/t.js` on pages of Shopify, and beside the parts of Stripe. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const browser = await openBrowser();
for (const code of ['ADA10', 'BOB15']) {
  const json = { code, user_id: idOf('maya') };
  const path = '/svc/store/v1/coupons';
  assert.equal((await app.call(path, { method: 'POST', key: admin, json })).status, 201);
}

/** The attributes of each cart, as Shopify keeps them: those sent are added, empty ones removed. */
const carts = new Map<string, Map<string, string>>();
const writes: string[] = [];

const shop = createServer((request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url!;
  if (path !== '/cart/update.js') {
    response.setHeader('content-type', 'text/html').end(pageAt(path));
    return;
  }
  const known = /(?:^|; )cart=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
  const cart = known ?? `c${carts.size + 1}`;
  const attributes = carts.get(cart) ?? new Map<string, string>();
  carts.set(cart, attributes);
  for (const [name, value] of new URLSearchParams(await text(request))) {
    const [, key = ''] = /^attributes\[(.+)\]$/.exec(name)!;
    if (value === '') attributes.delete(key);
    else attributes.set(key, value);
  }
  writes.push(cart);
  response.setHeader('set-cookie', `cart=${cart};path=/;max-age=1209600`).end('{}');
}

function pageAt(path: string): string {
  const asks = path.startsWith('/asks') ? ' data-consent="wait"' : '';
  return `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
    ${path.startsWith('/stripe') ? '' : '<script>window.Shopify = {};</script>'}
    <script src="${app.url}/t.js"${asks}></script><h1>Shop</h1>
    <a href="https://buy.stripe.com/a?locale=de">Pay</a>
    <a href="https://buy.stripe.com/b?client_reference_id=own">Own</a>
    <a href="/lamp">Lamp</a>
    <stripe-buy-button buy-button-id="b"></stripe-buy-button>
    <stripe-pricing-table client-reference-id="own"></stripe-pricing-table>`;
}

shop.listen(0, '127.0.0.1');
await once(shop, 'listening');
after(() => {
  shop.closeAllConnections();
  shop.close();
});
// A server that listens on a port has an `AddressInfo`.
const url = `http://localhost:${(shop.address() as AddressInfo).port}`;
await app.set({ 'site.store_url': url });

const open = (address: string) =>
  browser.open(address, {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36',
    hosts: [new URL(app.url).host, new URL(url).host],
  });

/** In the page. */
declare const tributary: Tributary;

const fieldsOf = (page: Page) => page.evaluate(() => tributary.order());

/** The link of the order that Shopify makes of a cart: it also has the landing page of the visit. */
function orderedFrom(cart: Map<string, string> | undefined) {
  const note_attributes = [...(cart ?? [])].map(([name, value]) => ({ name, value }));
  const order = orderOf({ ...paid, landing_site: '/?ref=FIRST&click_id=1', note_attributes });
  const { referral_code, visitor, click_id } = order;
  return { referral_code, visitor, click_id };
}

const cartOf = async (page: Page) => {
  const cookies = await page.context().cookies(url);
  return carts.get(cookies.find(({ name }) => name === 'cart')?.value ?? '');
};

describe('a shop of Shopify', browser.needed, () => {
  test('the cart has the last link, also a new cart and after the browser was closed', async () => {
    const tab = await open(`${url}/`);
    const { page } = tab;
    assert.equal(writes.length, 0, 'a visitor whom no one brought gets no cart');
    await page.goto(`${app.url}/r/ADA10`);
    const first = await fieldsOf(page);
    assert.ok(first.click_id! > 0);
    await eventually(async () => assert.deepEqual(orderedFrom(await cartOf(page)), first));
    await page.goto(`${url}/?ref=BOB15`);
    const { visitor, referral_code } = await fieldsOf(page);
    assert.equal(referral_code, 'BOB15');
    // The click of the first link is gone from the cart.
    await eventually(async () =>
      assert.deepEqual(orderedFrom(await cartOf(page)), {
        referral_code,
        visitor,
        click_id: undefined,
      }),
    );
    // Nothing has changed: nothing is written, as the write of the next page shows.
    const before = writes.length;
    await page.goto(`${url}/tent`);
    await page.goto(`${url}/mat`);
    await page.context().clearCookies({ name: 'cart' });
    await page.goto(`${url}/after-the-order`);
    await eventually(async () => {
      assert.equal(orderedFrom(await cartOf(page)).referral_code, 'BOB15');
      assert.equal(writes.length, before + 1);
    });
    const later = await page.context().newPage();
    await page.close();
    await later.context().clearCookies({ name: 'cart' });
    await later.goto(`${url}/`);
    await eventually(async () =>
      assert.equal(orderedFrom(await cartOf(later)).referral_code, 'BOB15'),
    );
    await tab.close();
  });

  test('without consent the cart stays empty; with its withdrawal it is emptied', async () => {
    const tab = await open(`${url}/asks?ref=ADA10`);
    const { page } = tab;
    const before = writes.length;
    await page.evaluate(() => tributary.consent());
    await eventually(async () =>
      assert.equal(orderedFrom(await cartOf(page)).referral_code, 'ADA10'),
    );
    assert.equal(writes.length, before + 1, 'none before the consent');
    // A later page, on which the script waits again.
    await page.goto(`${url}/asks`);
    await page.evaluate(() => tributary.consent(false));
    await eventually(async () => assert.equal((await cartOf(page))?.size, 0));
    assert.equal(await page.evaluate(() => sessionStorage.length + localStorage.length), 0);
    await tab.close();
  });
});

describe('a site with parts of Stripe', browser.needed, () => {
  const attributesOf = (page: Page) =>
    page.evaluate(() => [
      ...[...document.querySelectorAll('a')].map(({ href }) => new URL(href).search),
      ...[...document.querySelectorAll('stripe-buy-button, stripe-pricing-table')].map((part) =>
        part.getAttribute('client-reference-id'),
      ),
    ]);

  /** The link of a payment with a reference. */
  function paidWith(reference: string | null | undefined) {
    const session = { client_reference_id: reference };
    const { coupon_codes: _, ...link } = attributionOf(purchaseOfSession(session), ['ref']);
    return link;
  }

  test('payment links and elements get the reference, unless they have their own', async () => {
    const tab = await open(`${url}/stripe`);
    const { page } = tab;
    assert.deepEqual((await attributesOf(page)).slice(0, 1), ['?locale=de']);
    assert.equal(await page.evaluate(() => tributary.reference()), undefined);
    await page.goto(`${app.url}/r/ADA10?to=/stripe`);
    const reference = (await page.evaluate(() => tributary.reference()))!;
    assert.match(reference, /^tributary-\d+-\w+-ADA10$/);
    assert.deepEqual(await attributesOf(page), [
      `?locale=de&client_reference_id=${reference}`,
      '?client_reference_id=own',
      '',
      reference,
      'own',
    ]);
    assert.deepEqual(paidWith(reference), await fieldsOf(page));
    // A link that the page adds later has it before the browser follows it.
    const followed = await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = 'https://buy.stripe.com/later';
      link.addEventListener('click', (event) => event.preventDefault());
      document.body.append(link);
      link.click();
      return link.search;
    });
    assert.equal(followed, `?client_reference_id=${reference}`);
    await tab.close();
  });

  test('the reference has only what Stripe accepts, whatever the code', async () => {
    for (const code of ['Käse & Co', 'R&B "10"', 'x'.repeat(50), 'ж'.repeat(50)]) {
      const tab = await open(`${url}/stripe?ref=${encodeURIComponent(code)}`);
      const reference = await tab.page.evaluate(() => tributary.reference());
      assert.match(reference!, /^[A-Za-z0-9_-]{1,200}$/);
      const { referral_code, ...others } = await fieldsOf(tab.page);
      const link = paidWith(reference);
      // A code that does not fit is left out; the visitor is enough to find the click.
      if (code.startsWith('ж')) assert.equal(link.visitor, others.visitor);
      else assert.deepEqual(link, { referral_code, ...others });
      await tab.close();
    }
  });
});
