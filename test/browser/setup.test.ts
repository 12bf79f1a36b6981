import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { createSetupLink } from '../../src/modules/setup/index.ts';
import { openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { looks, type Tab } from './tab.ts';

const app = await openTestApp();
const browser = await openBrowser();

// As on a new installation: no user is an administrator yet.
beforeEach(() =>
  app.site.database.transaction((tx) =>
    tx.execute("update users set role = 'customer' where role = 'administrator'"),
  ),
);

async function setupLink(): Promise<string> {
  const { pathname, search } = new URL(await createSetupLink(app.site));
  return app.url + pathname + search;
}

async function assertReadable(tab: Tab): Promise<void> {
  await tab.assertNoSidewaysScroll();
  await tab.assertAccessible();
}

describe('the first run in a browser', browser.needed, () => {
  for (const [i, { width, theme, name }] of looks.entries()) {
    test(`${name}: from the link through an invalid form to the first key, accessible`, async () => {
      const tab = await browser.open(await setupLink(), { width, theme });
      const { page } = tab;
      const go = async (button: string, next: string) => {
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('heading', { level: 1, name: next }).waitFor();
      };
      await assertReadable(tab);
      await page.getByLabel('Store name').fill('Alpine Goods');
      await page.getByLabel('Store address').fill('alpine.example/shop');
      await go('Next', 'Money and time');
      await page.getByLabel('Currency').selectOption('EUR');
      await go('Back', 'Your store');
      assert.equal(await page.getByLabel('Store name').inputValue(), 'Alpine Goods');
      await go('Next', 'Money and time');
      assert.equal(
        await page.getByLabel('Currency').inputValue(),
        'EUR',
        'typed before going back',
      );
      await page.getByLabel('Time zone').selectOption('Europe/Vienna');
      await assertReadable(tab);
      await go('Next', 'Commission');
      await page.goBack();
      assert.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Vienna');
      await page.goForward();
      await go('Next', 'You');
      await page.getByLabel('Login').fill('not a login');
      await page.getByLabel('Email address').fill(`owner${i}@alpine.example`);
      await page.getByLabel('Password').fill('a password of some length');
      await page.getByRole('button', { name: 'Finish setup' }).click();
      await page.getByRole('alert').waitFor();
      await assertReadable(tab);
      await page.getByLabel('Login').fill(`owner${i}`);
      await page.getByLabel('Password').fill('a password of some length');
      await page.getByRole('button', { name: 'Finish setup' }).click();
      await page.getByRole('heading', { name: 'Your store is set up' }).waitFor();
      await assertReadable(tab);
      // No commands and variables before what is folded for programmers.
      const shown = await page.locator('main').evaluate((main) => {
        const copy = document.createElement('div');
        copy.innerHTML = main.innerHTML;
        // Without TLS, as here, a notice names the variable that is missing.
        for (const part of copy.querySelectorAll('.notice, details')) part.remove();
        return copy.textContent;
      });
      assert.doesNotMatch(shown, /TRIBUTARY_|curl|\.\/|API/);
      const connect = page.getByRole('link', { name: 'Connect your store' });
      assert.equal(await connect.getAttribute('href'), '/console/stores?connect=choose');
      // The setup has signed in, so its last link leads into the console.
      await page.getByRole('link', { name: 'Open the console' }).click();
      await page.getByRole('region', { name: 'Your first hour' }).waitFor();
      await tab.close();
    });
  }

  test('390 px: without a link the page says where it is, readable for everyone', async () => {
    const tab = await browser.open(`${app.url}/setup`, { status: 410, width: 390 });
    await tab.page.getByRole('heading', { name: 'Setup needs its link' }).waitFor();
    await assertReadable(tab);
    await tab.close();
  });
});
