import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { CLIENT, FakeShopify } from '../shopify/fake-shopify.ts';
import { StoreApp } from '../store-app.ts';

const stores = await StoreApp.open({ settings: { 'site.store_url': 'https://willow.example' } });
const shop = await FakeShopify.open();
after(() => shop.api.close());
const browser = await openBrowser();
const WRONG = 'This does not look like this value.';

describe('connecting a store from the screen alone', browser.needed, () => {
  test('Shopify: the steps in the shop, a value in the wrong field, and connected', async () => {
    const tab = await openPortal(browser, stores.app, 'admin', '/console/stores?connect=shopify');
    const { page } = tab;
    const form = page.getByRole('dialog', { name: 'Connect Shopify' });
    const dashboard = form.getByRole('link', { name: 'Dev Dashboard' });
    assert.equal(await dashboard.getAttribute('href'), 'https://dev.shopify.com/dashboard');
    await form.getByRole('button', { name: 'Copy the access scopes' }).waitFor();
    assert.equal(await form.getByLabel('Address of the store').inputValue(), '');
    await form.getByLabel('Address of the store').fill(shop.api.url);

    const id = form.getByLabel('Client ID');
    await id.fill('shpat_0123456789abcdef');
    await id.blur();
    await form.getByText(WRONG).waitFor();
    await tab.assertAccessible();
    await id.fill(CLIENT.client_id);
    await form.getByText(WRONG).waitFor({ state: 'detached' });
    await form.getByLabel('Client secret').fill(CLIENT.client_secret);
    assert.equal(await form.getByLabel('Admin API token').count(), 0);
    await form.getByRole('button', { name: 'Connect' }).click();
    await page
      .getByRole('dialog', { name: /is connected/ })
      .getByText('The app may read orders.')
      .waitFor();
    assert.ok(shop.webhooks.length > 0);
  });

  test('an older app of Shopify asks for its token and its key', async () => {
    const { page } = await openPortal(
      browser,
      stores.app,
      'admin',
      '/console/stores?connect=shopify',
    );
    const form = page.getByRole('dialog', { name: 'Connect Shopify' });
    await form.getByLabel('With an older app').check();
    await form.getByText('Apps, Develop apps').waitFor();
    await form.getByLabel('Admin API token').waitFor();
    assert.equal(await form.getByLabel('Client ID').count(), 0);
    await form.getByLabel('Without a key').check();
    assert.equal(await form.getByLabel('Admin API token').count(), 0);
  });

  test('WooCommerce has the address that the settings have', async () => {
    const { page } = await openPortal(
      browser,
      stores.app,
      'admin',
      '/console/stores?connect=woocommerce',
    );
    const address = page.getByLabel('Address of the store');
    await address.waitFor();
    assert.equal(await address.inputValue(), 'https://willow.example');
  });
});
