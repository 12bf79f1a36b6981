import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import type { TabOptions } from '../../../../test/browser/tab.ts';
import {
  answerApproval,
  insertApproval,
  finishApproval,
  scheduleApproval,
} from '../../approval/approval-rows.ts';
import { orderOf, sign, StoreApp } from '../store-app.ts';
import { FAKE_KEYS, FakeWooCommerce } from '../woocommerce/fake-woocommerce.ts';

const stores = await StoreApp.open({ settings: { 'site.name': 'Juniper' } });
const { app } = stores;
await stores.coupon('MAYA10');
const shop = await FakeWooCommerce.start(app.site.clock());
after(() => shop.close());
const browser = await openBrowser();

const openConsole = (path: string, options: TabOptions = {}) =>
  openPortal(browser, app, 'admin', `/console${path}`, options);

/** The id in the address `/console/stores/<id>`. */
const idIn = (url: string) => Number(new URL(url).pathname.split('/').at(-1));

describe('the screens of stores', browser.needed, () => {
  test('WooCommerce: each step is tried, an order arrives, a test order is credited', async () => {
    // A refused key is answered with 502, which the browser reports.
    const tab = await openConsole('?step=order', { expected: /502/ });
    const { page } = tab;
    await page.getByRole('link', { name: 'Connect a store' }).click();
    await page.getByText('No store is connected').waitFor();
    await page.getByText(/^<script src="https?:\/\/.+\/t\.js" async><\/script>$/).waitFor();
    const guide = page.getByRole('link', { name: 'Links and clicks', exact: true });
    assert.equal(await guide.getAttribute('href'), '/help/links-and-clicks');
    await page.getByRole('link', { name: 'Connect a store' }).click();
    await page.getByRole('link', { name: /WooCommerce/ }).click();
    const form = page.getByRole('dialog', { name: 'Connect WooCommerce' });
    await form.getByLabel('Address of the store').fill(shop.url);
    await form.getByLabel('Name').fill('Outdoor shop');
    await form.getByLabel('Consumer key').fill(FAKE_KEYS.consumer_key);
    await form.getByLabel('Consumer secret').fill(`${FAKE_KEYS.consumer_secret}00`);
    await form.getByRole('button', { name: 'Connect' }).click();
    await form.getByText('The store refused the credentials').waitFor();
    await form.getByLabel('Consumer secret').fill(FAKE_KEYS.consumer_secret);
    await form.getByRole('button', { name: 'Connect' }).click();
    const done = page.getByRole('dialog', { name: 'Outdoor shop is connected' });
    await done.getByText('The webhook order.created was created.').waitFor();
    const warned = done.getByRole('listitem').filter({ hasText: 'WordPress sends only' });
    await warned.getByLabel('Note:').waitFor();
    await done.getByText('with a plugin for WordPress, purchases on another day').waitFor();
    await tab.assertAccessible();
    await done.getByRole('link', { name: 'To the store' }).click();
    await page.getByText('Nothing received yet').waitFor();
    const id = idIn(page.url());

    const order = shop.shop.place({ codes: ['maya10'], status: 'completed' });
    assert.deepEqual(await shop.deliver(), [200, 200]);
    await stores.process();
    // The screen waits for the first delivery, and shows it by itself.
    await page.getByRole('link', { name: `order.updated ${order.id}` }).click();
    const delivery = page.getByRole('dialog', { name: 'Delivery order.updated' });
    await delivery.getByText('Received').waitFor();
    await delivery.getByRole('link', { name: /^#\d+$/ }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Test order' }).click();
    const tried = page.getByRole('dialog', { name: 'Test order' });
    await tried.getByLabel('Coupon code').fill('MAYA10');
    await tried.getByRole('button', { name: 'Send the test order' }).click();
    await tried.getByText('The signature of the delivery is right.').waitFor();
    await tried.getByText(/because the order has the code MAYA10/).waitFor();
    await tried.getByText('$10.00').last().waitFor();
    await tab.assertAccessible();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('WordPress sends only to the ports').waitFor();
    // Three orders of which the shop sends nothing.
    for (let i = 0; i < 3; i += 1) shop.shop.place({ codes: ['maya10'] });
    shop.shop.takeQueue(shop.url);
    await page.getByRole('button', { name: 'Look for missed orders' }).click();
    await page.getByText(/\d orders read, 3 of them were new or changed/).waitFor();
    await page.getByRole('link', { name: 'Import past orders' }).click();
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText(/^Importing: /).waitFor();
    await stores.sync();
    await page.getByText(/^Import: 4 orders read/).waitFor();
    await page.getByRole('link', { name: 'Codes in the store' }).click();
    await page.getByLabel('Percent').fill('12.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Created there with 12.5% off').waitFor();
    await page.getByRole('link', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByText('The store signs with the new secret from now on.').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    shop.shop.place();
    assert.deepEqual(await shop.deliver(), [200, 200]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    const { missed_found: missed } = await stores.connection(id);
    assert.equal(missed, 3);
    await tab.close();
  });

  test('a shop that is connected already is shown, and taken over', async () => {
    const tab = await openConsole('/stores?connect=woocommerce', { expected: /409/ });
    const { page } = tab;
    const form = page.getByRole('dialog', { name: 'Connect WooCommerce' });
    await form.getByLabel('Address of the store').fill(`${shop.url}/wp-admin/`);
    await form.getByLabel('Consumer key').fill(FAKE_KEYS.consumer_key);
    await form.getByLabel('Consumer secret').fill(FAKE_KEYS.consumer_secret);
    await form.getByRole('button', { name: 'Connect' }).click();
    await form.getByRole('link', { name: 'Outdoor shop' }).waitFor();
    await tab.assertAccessible();
    await form.getByLabel('Take over that connection').check();
    await form.getByRole('button', { name: 'Connect' }).click();
    const done = page.getByRole('dialog', { name: 'Outdoor shop is connected' });
    await done.getByRole('link', { name: 'To the store' }).click();
    await page.getByText('WordPress sends webhooks when a page').waitFor();
    // Folded, because orders come in.
    assert.equal(await page.getByRole('link', { name: 'Remove' }).isVisible(), false);
    await page.getByRole('heading', { name: 'Setup' }).click();
    await page.getByRole('link', { name: 'Remove' }).click();
    await page.getByText(/stays valid in the store.*REST API/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Name and address' }).click();
    await page.getByLabel('Address of the store').waitFor();
    await tab.close();
    assert.equal((await stores.get('/connections')).body.length, 1);
  });

  test('WooCommerce by approval: to the shop and back, until the store is connected', async () => {
    const { site } = app;
    const { id: connection } = await stores.connect({
      kind: 'woocommerce',
      url: 'https://a.example',
    });
    const nowMs = site.clock();
    const { id } = await site.database.transaction((tx) =>
      insertApproval(tx, {
        kind: 'woocommerce',
        name: 'Approved shop',
        url: 'https://a.example',
        replaces: 0,
        is_another: 0,
        state_hash: 'any',
        created_at: nowMs,
        expires_at: nowMs + 600_000,
      }),
    );
    // The service under test has no https address, and the shop is not one.
    const tab = await openConsole('/stores');
    const { page } = tab;
    await page.route('**/connection-kinds', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replace('"can_approve":false', '"can_approve":true');
      await route.fulfill({ response, body: text });
    });
    const back = `${new URL(page.url()).origin}/console/stores?request=${id}&success=1&user_id=${id}`;
    await page.route('**/connection-requests', (route) =>
      route.fulfill({
        status: 201,
        json: { id, approve_url: back, date_expires: '2026-02-24T10:22:11' },
      }),
    );
    await page.reload();
    await page.getByRole('link', { name: 'Connect a store' }).click();
    await page.getByRole('link', { name: /WooCommerce/ }).click();
    const form = page.getByRole('dialog', { name: 'Connect WooCommerce' });
    await form.getByText('Approve in the store').waitFor();
    await form.getByLabel('Address of the store').fill('a.example');
    await tab.assertAccessible();
    await form.getByRole('button', { name: 'Continue to the store' }).click();
    const waiting = page.getByRole('dialog', { name: 'Connect your store' });
    await waiting.getByText('The store has not sent its key yet.').waitFor();
    await site.database.transaction((tx) =>
      answerApproval(tx, { id, connection_id: connection, access: '', due_at: nowMs }),
    );
    await waiting.getByText('The store has sent its key.').waitFor();
    // The store did not answer, and is called again.
    await site.database.transaction((tx) =>
      scheduleApproval(tx, { id, attempts: 1, due_at: nowMs + 600_000, access: '', report: '{}' }),
    );
    await waiting.getByText(/could not be connected yet: .+only receives/).waitFor();
    await waiting.getByRole('link', { name: 'To the store' }).waitFor();
    await tab.assertAccessible();
    await site.database.transaction((tx) =>
      finishApproval(tx, {
        id,
        attempts: 1,
        report: { steps: ['The shop accepts the key.'], warnings: ['The port is not usual.'] },
      }),
    );
    await waiting.getByText('The store is connected.').waitFor();
    await waiting.getByText('The port is not usual.').waitFor();
    await tab.assertAccessible();
    await waiting.getByRole('link', { name: 'To the store' }).click();
    await page.getByText('Only receives', { exact: true }).waitFor();
    // The screen loads again what it shows, also while it is closed.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // It looks for the first delivery, and would not find the store.
    await tab.close();
    await stores.send('DELETE', `/connections/${connection}`);
  });

  test('a store of its own: the secret once, a rejected and a failed delivery, another try', async () => {
    const tab = await openConsole('/stores?connect=http');
    const { page } = tab;
    await page.getByLabel('Name').fill('Market stall');
    await page.getByRole('button', { name: 'Connect' }).click();
    const done = page.getByRole('dialog', { name: 'Market stall is connected' });
    await done.getByRole('button', { name: 'Copy the secret' }).waitFor();
    const [receiver = '', secret = ''] = await done.locator('code').allTextContents();
    await done.getByRole('link', { name: 'To the store' }).click();
    await page.getByText('Only receives', { exact: true }).waitFor();
    const id = idIn(page.url());
    const send = async (key: string) => {
      const body = JSON.stringify(orderOf('STALL-1', 0, { currency: 'GBP' }));
      const headers = {
        'content-type': 'application/json',
        'x-tributary-signature': sign(body, key),
      };
      const target = app.url + new URL(receiver).pathname;
      return (await fetch(target, { method: 'POST', headers, body })).status;
    };
    assert.equal(await send('not the secret'), 401);
    assert.equal(await send(secret), 200);
    await stores.process();
    await page.reload();
    await page.getByText('The signature does not belong to this body and secret.').waitFor();
    await page.getByRole('link', { name: 'Failed', exact: true }).click();
    await page.getByRole('link', { name: 'order STALL-1' }).click();
    const delivery = page.getByRole('dialog', { name: 'Delivery order' });
    await delivery.getByText(/no exchange rate from GBP/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Exchange rates' }).click();
    await page.getByLabel('Currency').fill('GBP');
    await page.getByLabel('Value of one unit in USD').fill('1.25');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 GBP = 1.25 USD').waitFor();
    await page.getByRole('link', { name: 'order STALL-1' }).click();
    await delivery.getByRole('button', { name: 'Try again' }).click();
    await delivery.getByText('It is being processed.').waitFor();
    await stores.process();
    await delivery.getByText('Received').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const made = page.getByRole('dialog', { name: 'New secret' }).locator('code').last();
    await page.getByRole('button', { name: 'I have stored it' }).waitFor();
    assert.notEqual(await made.textContent(), secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the store' }).click();
    await page.getByRole('link', { name: 'Outdoor shop' }).waitFor();
    assert.equal((await stores.get(`/connections/${id}`)).status, 404);
    await tab.close();
  });

  test('a manager reads and changes nothing; the screen fits, light and dark', async () => {
    for (const look of [{ width: 390 }, { width: 1280, theme: 'dark' }] as const) {
      const tab = await openPortal(browser, app, 'manager', '/console/stores', look);
      const { page } = tab;
      await page.getByRole('link', { name: 'Outdoor shop' }).waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await page.getByRole('link', { name: 'Outdoor shop' }).click();
      await page
        .getByRole('link', { name: /order\.updated/ })
        .first()
        .waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      const acts = /Connect|Check|Test order|Pause|Import|missed orders|secret|key|Rename|Remove/;
      assert.equal(await page.getByRole('main').getByRole('button', { name: acts }).count(), 0);
      const links = page.getByRole('main').getByRole('link', { name: acts });
      // A guide may be called "Connect WooCommerce".
      assert.equal(await links.and(page.locator('a:not([href^="/help/"])')).count(), 0);
      await tab.close();
    }
  });

  test('says which links are credited, and has what credits the rest', async () => {
    const shops = [
      { kind: 'woocommerce', url: 'https://links.example', row: 'Only with the plugin' },
      { kind: 'shopify', url: 'https://links.myshopify.com', row: 'The first; with the line' },
      { kind: 'stripe', row: 'Only with the line below' },
      { kind: 'http', row: 'Your checkout sends what tributary.order() returns' },
    ];
    for (const { row, ...given } of shops) {
      const { id } = await stores.connect(given);
      const tab = await openConsole(`/stores/${id}`, { width: 390 });
      const { page } = tab;
      const card = page.getByRole('region', { name: 'Links' });
      await card.getByText(row).first().waitFor();
      const plugin = card.getByRole('button', { name: 'Download the plugin' });
      if (given.kind === 'woocommerce') {
        const downloading = page.waitForEvent('download');
        await plugin.click();
        const download = await downloading;
        assert.equal(download.suggestedFilename(), 'tributary-for-woocommerce.zip');
        const bytes = readFileSync(await download.path());
        assert.equal(bytes.subarray(0, 2).toString(), 'PK');
      } else {
        await card.getByText(/\/t\.js/).waitFor();
        assert.equal(await plugin.count(), 0);
      }
      await tab.close();
      assert.equal((await stores.send('DELETE', `/connections/${id}`)).status, 200);
    }
  });

  test('what does not work leads here; without the add-on there is no screen', async () => {
    const [{ id }] = (await stores.get('/connections')).body;
    shop.errors.push({ status: 500, json: {} });
    await stores.post(`/connections/${id}/check`);
    const tab = await openConsole('');
    const { page } = tab;
    await page.getByRole('link', { name: '1 store does not work' }).click();
    await page.getByText('The store answered 500.').first().waitFor();
    await stores.send('PATCH', '/settings', { 'addons.disabled': ['stores'] });
    await page.goto(`${app.url}/console/stores`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Stores' }).count(), 0);
    await tab.close();
  });
});
