import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { idOf, openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';

const app = await openTestApp();
const key = await app.key('admin', 'read,write,manage');
const json = { code: 'MAYA10', user_id: idOf('maya') };
await app.call('/svc/store/v1/coupons', { method: 'POST', key, json });
const browser = await openBrowser();

const limited = {
  status: 429,
  headers: { 'retry-after': '1' },
  json: { code: 'svc_api_rate_limited', message: 'Too many requests.', data: { status: 429 } },
};

const ordersIn = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Orders' });

describe('the web app goes on by itself', browser.needed, () => {
  test('a screen that was first opened offline appears with the connection', async () => {
    const expected = /ERR_INTERNET_DISCONNECTED/;
    const tab = await openPortal(browser, app, 'maya', '/app', { expected });
    const { page } = tab;
    await page.getByText('No orders yet').waitFor();
    await page.context().setOffline(true);
    await ordersIn(page).click();
    await page.getByText('Retrying automatically.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await page.getByText('No orders yet').waitFor();
    await tab.close();
  });

  test('a page that was refused because of the limit says so, and appears after it', async () => {
    const tab = await openPortal(browser, app, 'maya', '/healthz', { expected: /status of 429/ });
    const { page } = tab;
    let refusals = 4;
    await page.route(/\/svc\/.*\/account$/, (route) => {
      refusals -= 1;
      return refusals >= 0 ? route.fulfill(limited) : route.fallback();
    });
    await page.goto(`${app.url}/app`);
    await page.getByText('There were too many requests in a short time.').waitFor();
    await page.getByRole('heading', { name: /maya/i, level: 1 }).waitFor();
    await tab.close();
  });

  test('a screen keeps what it shows while the limit lasts', async () => {
    const tab = await openPortal(browser, app, 'maya', '/app', { expected: /status of 429/ });
    const { page } = tab;
    await page.getByText('No orders yet').waitFor();
    let refusals = 4;
    await page.route(/\/affiliates\/\d+\/orders/, (route) => {
      refusals -= 1;
      return refusals >= 0 ? route.fulfill(limited) : route.fallback();
    });
    await ordersIn(page).click();
    await page.getByText('There were too many requests in a short time.').first().waitFor();
    await page.getByText('No orders yet').waitFor();
    await tab.close();
  });
});

describe('a screen reader hears', browser.needed, () => {
  test('the heading of a new screen, the rows of a list, and that something is done', async () => {
    const tab = await openPortal(browser, app, 'maya', '/app');
    const { page } = tab;
    const spoken = page.locator('[data-announcer]');
    await ordersIn(page).click();
    await eventually(async () => {
      const focused = await page.evaluate(() => document.activeElement?.tagName);
      assert.equal(focused, 'H1');
    });
    await page.getByRole('searchbox').fill('absent');
    await eventually(async () => assert.equal(await spoken.textContent(), '0 rows'));
    await page.goto(`${app.url}/app/profile?section=keys`);
    await page.getByLabel('What is it for?').fill('Reports');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await eventually(async () => assert.equal(await spoken.textContent(), 'Done.'));
    await tab.close();
  });
});
