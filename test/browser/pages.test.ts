import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { looks, type Tab } from './tab.ts';

const app = await openTestApp({ settings: { 'site.store_url': 'https://shop.example' } });
const closed = await openTestApp({ settings: { 'registrations.open': false } });
const browser = await openBrowser();

async function assertReadable(tab: Tab): Promise<void> {
  await tab.assertNoSidewaysScroll();
  await tab.assertAccessible();
}

describe('the public pages in a browser', browser.needed, () => {
  const pages = {
    'front page': { url: `${app.url}/`, status: 200 },
    application: { url: `${app.url}/apply`, status: 200 },
    'no applications': { url: `${closed.url}/apply`, status: 403 },
    'unknown address': { url: `${app.url}/${'long'.repeat(40)}`, status: 404 },
  };
  for (const [name, { url, status }] of Object.entries(pages)) {
    for (const { width, theme, name: look } of looks) {
      test(`${name}, ${look}: readable for everyone, and no wider than the window`, async () => {
        const tab = await browser.open(url, { width, theme, status });
        await assertReadable(tab);
        await tab.close();
      });
    }
  }

  test('390 px, without JavaScript: from the front page to an application that was received', async () => {
    const tab = await browser.open(`${app.url}/`, { width: 390, javaScript: false });
    const { page } = tab;
    await page.getByRole('link', { name: 'Apply' }).click();
    await page.getByLabel('Login').fill('not a login');
    await page.getByLabel('Email address').fill('nora@shop.example');
    await page.getByLabel('Your name').fill('Nora');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('alert').getByText('Please check: Login').waitFor();
    // The input is preserved, so that only the invalid field has to be corrected.
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Nora');
    await page.getByLabel('Login').fill('nora');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'Thank you for applying' }).waitFor();
    await page.getByRole('link', { name: 'Back to the program' }).click();
    await page.waitForURL(`${app.url}/`);
    await tab.close();
  });

  test('a faulty application and the page after applying are readable for everyone', async () => {
    const tab = await browser.open(`${app.url}/apply`, { width: 390, theme: 'dark' });
    const { page } = tab;
    await page.getByLabel('Login').fill('not a login');
    await page.getByLabel('Email address').fill('tim@shop.example');
    await page.getByLabel('Your name').fill('Tim');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('alert').waitFor();
    await assertReadable(tab);
    await page.getByLabel('Login').fill('tim');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'Thank you for applying' }).waitFor();
    await assertReadable(tab);
    await tab.close();
  });
});
