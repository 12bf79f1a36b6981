import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { idOf, openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { looks } from './tab.ts';

const STORE = '/svc/store/v1';
const DAY_MS = 86_400_000;
const app = await openTestApp();
await app.set({ 'site.name': 'Juniper' });
const admin = await app.key('admin', 'read,write');
const browser = await openBrowser();
const post = (path: string, json: unknown) =>
  app.call(STORE + path, { method: 'POST', key: admin, json });

await post('/coupons', { code: 'MAYA10', user_id: idOf('maya') });
await post('/coupons', { code: 'TOM5', user_id: idOf('tomas') });
const daysAgo = (days: number) => app.site.calendar.toLocal(app.site.clock() - days * DAY_MS);
const order = (order_id: number, days: number, total: number, codes: string[]) => {
  return { order_id, date: daysAgo(days), status: 'completed', total, coupon_codes: codes };
};
await post('/orders/batch', {
  orders: [
    ...Array.from({ length: 24 }, (_, i) => order(1001 + i, 2 + i, 10 + i, ['MAYA10'])),
    { ...order(1042, 1, 125, ['MAYA10']), status: 'cancelled' },
    {
      ...order(1043, 1, 80.5, ['TOM5']),
      country: 'AT',
      items: [{ product_id: 7, name: 'Beeswax candle', quantity: 2, subtotal: 80.5, total: 80.5 }],
    },
    order(1044, 1, 999, []),
    order(1045, 40, 33.33, ['TOM5']),
  ],
});
await post('/clicks', [
  { code: 'MAYA10', campaign: 'spring', date: daysAgo(1) },
  { code: 'TOM5', date: daysAgo(2) },
]);

const openConsole = (path: string, options = {}) =>
  openPortal(browser, app, 'manager', `/console${path}`, options);

/** The texts of the table, one list per row. */
const cellsOf = (page: Page) =>
  page
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText)),
    );

const firstOrders = async (page: Page, count: number) =>
  (await cellsOf(page)).slice(0, count).map(([first]) => first!.trim());

describe('why did order 1042 earn nothing', browser.needed, () => {
  test('as a manager: found by its number, explained, and what happened to it', async () => {
    const tab = await openConsole('/orders');
    const { page } = tab;
    await page.getByRole('searchbox').fill('1042');
    await page.getByRole('link', { name: '#1042' }).click();
    const panel = page.getByRole('dialog', { name: 'Order 1042' });
    await panel.getByText('It earns nothing.').waitFor();
    await panel.getByText('The order was cancelled, so it earns nothing.').waitFor();
    await panel.getByText('By a coupon used in the order').waitFor();
    await panel.getByRole('link', { name: 'What happened to this order' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await page.getByText(/^Order #1042 \(cancelled\) credited to maya/i).waitFor();
    assert.equal(await page.locator('.event-list > li').count(), 1);
    await page.goBack();
    await panel.getByText('It earns nothing.').waitFor();
    await page.goto(`${app.url}/console/orders/1044`);
    await page.getByText(/so no affiliate earns from it/).waitFor();
    await tab.close();
  });

  test('the page of an order names its goods and its country', async () => {
    const tab = await openConsole('/orders/1043');
    const facts = tab.page.locator('.order-about');
    await facts.getByText('Beeswax candle × 2').waitFor();
    await facts.getByText('Austria').waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.assertAccessible();
    await tab.close();
  });

  test('an order that does not exist leads back to the list', async () => {
    const tab = await openConsole('/orders/999999', { expected: /404/ });
    await tab.page.getByRole('link', { name: 'To the list' }).click();
    await tab.page.waitForURL(`${app.url}/console/orders`);
    await tab.page.getByRole('link', { name: '#1044' }).waitFor();
    await tab.close();
  });

  test('as its affiliate: the same reason in the portal', async () => {
    const tab = await openPortal(browser, app, 'maya', '/app/orders?q=1042', { width: 390 });
    const { page } = tab;
    await page.getByRole('link', { name: '#1042' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/cancelled/)
      .first()
      .waitFor();
    await dialog.getByText('$0.00').first().waitFor();
    await tab.close();
  });
});

describe('the screen Orders', browser.needed, () => {
  test('search, filter, sort and page are addresses; back and reload show them again', async () => {
    const tab = await openConsole('/orders');
    const { page } = tab;
    await page.getByRole('link', { name: '#1044' }).waitFor();
    await page.getByRole('columnheader', { name: 'Amount' }).getByRole('link').click();
    await page.waitForURL(/sort=-amount/);
    await page.locator('tbody tr', { hasText: '$999.00' }).waitFor();
    await page.getByLabel('Status').selectOption('completed');
    await page.waitForURL(/status=completed/);
    await page.getByRole('link', { name: '#1042' }).waitFor({ state: 'detached' });
    assert.deepEqual(await firstOrders(page, 3), ['#1044', '#1043', '#1045']);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL(/page=2/);
    await page.getByText('Page 2 of 2').waitFor();
    await page.reload();
    await page.getByText('Page 2 of 2').waitFor();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByRole('link', { name: '#1042' }).waitFor();
    assert.equal(new URL(page.url()).search, '');
    await page.getByRole('searchbox').fill('tom5');
    await page.getByRole('link', { name: '#1044' }).waitFor({ state: 'detached' });
    assert.deepEqual(await firstOrders(page, 3), ['#1043', '#1045']);
    await page.getByLabel('Amount from').fill('50');
    await page.keyboard.press('Enter');
    await page.waitForURL(/min=50/);
    await page.getByRole('link', { name: '#1045' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('nothing-like-it');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).first().click();
    await page.getByRole('link', { name: '#1044' }).waitFor();
    await tab.close();
  });
});

describe('the screen Reports', browser.needed, () => {
  test('a period against the one before; the CSV has what the screen shows', async () => {
    const tab = await openConsole('/reports?by=coupon');
    const { page } = tab;
    await page.getByRole('link', { name: 'MAYA10' }).waitFor();
    const shown = (await cellsOf(page)).map((cells) =>
      cells.slice(2).map((cell) => Number(cell.split('\n')[0]!.replaceAll(/[^\d.-]/g, ''))),
    );
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    const rows: Record<string, string>[] = parse(text, { columns: true });
    const figures = ['clicks', 'conversions', 'orders', 'sales', 'commission'];
    assert.deepEqual(
      rows.map((row) => figures.map((name) => Number(row[name]))),
      shown,
    );
    assert.deepEqual(
      rows.map((row) => [row['name'], row['sales'], row['sales_before']]),
      [
        ['MAYA10', '516', '0'],
        ['TOM5', '80.5', '33.33'],
      ],
    );
    const tiles = page.locator('.figure-tile .figure-name');
    assert.deepEqual(await tiles.allInnerTexts(), ['Orders', 'Sales', 'Commission']);
    const bars = page.locator('.row-bars > li');
    assert.deepEqual(
      (await bars.allInnerTexts()).map((bar) => bar.split(/\s+/)[0]),
      ['MAYA10', 'TOM5'],
    );
    // One order before is no basis for a percentage.
    assert.equal(await page.locator('td .change').count(), 0);
    await page.getByText('from $33.33').waitFor();
    await page.getByRole('link', { name: 'Day', exact: true }).click();
    await page.getByRole('img', { name: 'Sales by day' }).waitFor();
    assert.deepEqual(await tiles.allInnerTexts(), ['Clicks', 'Orders', 'Sales', 'Commission']);
    await page.getByText('rows without any of these figures').click();
    // The day is not over, and the period before has a line of its own.
    await page.locator('.chart-partial').waitFor({ state: 'attached' });
    await page.locator('.chart-other').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Affiliate', exact: true }).click();
    await page.getByLabel('Select maya').check();
    await page.getByLabel('Select tomas').check();
    await page.getByRole('link', { name: 'Compare these two' }).click();
    await page.getByRole('img', { name: 'maya and tomas (dotted)' }).waitFor();
    await tab.assertAccessible();
    await page.getByRole('link', { name: 'Coupon', exact: true }).click();
    await page.getByLabel('Select MAYA10').check();
    await page.getByLabel('Select TOM5').check();
    await page.getByRole('link', { name: 'Compare these two' }).click();
    await page.getByRole('img', { name: 'MAYA10 and TOM5 (dotted)' }).waitFor();
    await page.getByRole('link', { name: 'Campaign' }).click();
    await page.getByText('Without a campaign').waitFor();
    await tab.close();
  });

  test('on paper: the figures, without what leads elsewhere', async () => {
    const tab = await openConsole('/reports?by=coupon');
    const { page } = tab;
    await page.getByRole('link', { name: 'MAYA10' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const kept of ['h1', '.figure-tiles', 'tbody tr >> nth=0']) {
      assert.ok(await page.locator(kept).isVisible(), kept);
    }
    for (const gone of ['.console-side', '.report-head', '.select-cell >> nth=1']) {
      assert.ok(!(await page.locator(gone).isVisible()), gone);
    }
    // As wide as a page of paper, which cuts off what is wider.
    await page.setViewportSize({ width: 718, height: 1000 });
    await tab.assertNoSidewaysScroll();
    const { right } = await page
      .locator('table')
      .evaluate((table) => table.getBoundingClientRect());
    assert.ok(right <= 718, `the table ends at ${right} px`);
    await tab.close();
  });

  test('a view is saved under a name, opened in another browser, and deleted', async () => {
    const tab = await openConsole('/reports');
    const { page } = tab;
    await page.getByRole('link', { name: 'Coupon', exact: true }).click();
    await page.getByLabel('Period').selectOption('90 days');
    await page.getByRole('link', { name: 'MAYA10' }).waitFor();
    await page.getByRole('button', { name: 'Saved views' }).click();
    await page.getByText('You have no saved views yet.').waitFor();
    await page.getByLabel('Name').fill('Coupons of the quarter');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByText('The view is saved.').waitFor();
    await tab.assertAccessible();
    await tab.close();

    const other = await openConsole('/reports', { width: 390, theme: 'dark' });
    await other.page.getByRole('button', { name: 'Saved views' }).click();
    await other.page.getByRole('link', { name: 'Coupons of the quarter' }).waitFor();
    await other.assertAccessible();
    await other.assertNoSidewaysScroll();
    await other.page.getByRole('link', { name: 'Coupons of the quarter' }).click();
    await other.page.waitForURL(/\/console\/reports\?by=coupon&days=90$/);
    await other.page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await other.page.getByLabel('Period').inputValue(), '90');
    await other.page.getByLabel('Period').selectOption('Custom period');
    await other.page.getByLabel('From').waitFor();
    await other.page.goto(`${app.url}/console/reports?views=1`);
    await other.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await other.page.getByText('You have no saved views yet.').waitFor();
    await other.close();
  });
});

describe('every screen of orders and figures', browser.needed, () => {
  for (const { width, theme, name } of looks) {
    test(`${name}: readable for everyone, and no wider than the window`, async () => {
      const tab = await openConsole('/orders', { width, theme });
      const { page } = tab;
      const check = async () => {
        await tab.assertNoSidewaysScroll();
        await tab.assertAccessible();
      };
      await page.getByRole('link', { name: '#1044' }).waitFor();
      await check();
      await page.goto(`${app.url}/console/orders?order=1043`);
      await page.getByText('It earns $8.05.').waitFor();
      await check();
      for (const [path, text] of [
        ['reports?by=affiliate', 'tomas'],
        ['clicks', 'spring'],
        ['activity', 'Order #1043'],
      ] as const) {
        await page.goto(`${app.url}/console/${path}`);
        await page.getByText(text).first().waitFor();
        await check();
      }
      await tab.close();
    });
  }
});

describe('with whom a customer stays', browser.needed, () => {
  test('the team gives the customer to another affiliate, and to none', async () => {
    await app.set({ 'attribution.lifetime': true, 'attribution.lifetime_days': 365 });
    const json = { ...order(1050, 0, 60, ['MAYA10']), customer: { email: 'one@shop.example' } };
    await post('/orders/batch', { orders: [json] });
    const tab = await openConsole('/orders/1050', { expected: /400 \(Bad Request\)/ });
    const { page } = tab;
    const customer = page.locator('section', {
      has: page.getByRole('heading', { name: 'Customer', exact: true }),
    });
    await customer.getByRole('link', { name: 'Maya' }).waitFor();
    await customer.getByRole('button', { name: 'Change affiliate of the customer' }).click();
    await customer.getByLabel('Affiliate').fill('nothere');
    await customer.getByRole('button', { name: 'Save' }).click();
    await customer.getByText('No affiliate with an active coupon has this login.').waitFor();
    await customer.getByLabel('Affiliate').fill('tomas');
    await customer.getByRole('button', { name: 'Save' }).click();
    await customer.getByRole('link', { name: 'TOM5' }).waitFor();
    await customer.getByRole('button', { name: 'Change affiliate of the customer' }).click();
    // Changes of one order at one moment are shown as one.
    app.advance(60_000);
    await customer.getByLabel('Affiliate').fill('');
    await customer.getByRole('button', { name: 'Save' }).click();
    await customer.getByText('The customer stays with no affiliate.').waitFor();
    await page.getByRole('link', { name: 'What happened to this order' }).click();
    await page.getByText('stays with no one now').waitFor();
    await tab.close();
    await app.set({ 'attribution.lifetime': false, 'attribution.lifetime_days': 0 });
  });
});
