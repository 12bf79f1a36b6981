import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PASSWORD } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal, tabTo } from './portal.ts';
import { looks } from './tab.ts';

const payouts = await openPayoutApp({ settings: { 'site.name': 'Juniper' } });
const { app, admin } = payouts;
const browser = await openBrowser();

const open = (path: string, options = {}, login = 'admin') =>
  openPortal(browser, app, login, path, options);

async function change(path: string, method: 'POST' | 'PUT', json: object): Promise<void> {
  const reply = await app.call(path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
}

describe('the console', browser.needed, () => {
  test('a new store: every step of the checklist in the page, with a test order', async () => {
    const tab = await open('/console', { width: 1280, theme: 'dark' });
    const { page } = tab;
    const steps = page.getByRole('region', { name: 'Your first hour' });
    await steps.getByText('1 of 5 done').waitFor();
    await steps.getByRole('link', { name: 'Add the first affiliate' }).click();
    await steps.getByLabel('Name').fill('Ada Quill');
    await steps.getByLabel('Email address').fill('ada@test.example');
    await steps.getByLabel('Coupon code').fill('ADA15');
    await steps.getByRole('button', { name: 'Add and invite' }).click();
    await steps.getByText('Added. The invitation is on its way.').waitFor();
    await steps.getByRole('link', { name: 'Send the first order' }).click();
    await steps.getByLabel('Coupon code used in the order').fill('ada15');
    await steps.getByRole('button', { name: 'Try an order' }).click();
    await steps.getByText('Credited to Ada Quill, because the order has the code ADA15.').waitFor();
    await steps.getByText('$10.00').last().waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.assertAccessible();
    const orders = await app.call('/reports/summary?refresh=1', { key: admin });
    assert.equal(orders.body.totals.orders_count, 0);
    await steps.getByRole('link', { name: 'Choose how affiliates are paid' }).click();
    await steps.getByLabel('PayPal').check();
    await steps.getByRole('button', { name: 'Save the methods' }).click();
    await steps.getByText('2 of 5 done').waitFor();
    await steps.getByRole('link', { name: 'Connect a mail server' }).click();
    await steps.getByRole('button', { name: 'Skip this step' }).click();
    await steps.getByRole('link', { name: 'Make a backup' }).click();
    await steps.getByRole('button', { name: 'Mark as done' }).click();
    await steps.getByText('4 of 5 done').waitFor();
    // The checklist notices the first order by itself, and goes.
    const now = app.site.calendar.toLocal(app.site.clock());
    const order = { date: now, status: 'completed', total: 200, coupon_codes: ['ADA15'] };
    await change(`${STORE}/orders/1042`, 'PUT', order);
    await steps.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'Ada Quill 1 $200.00 $20.00' }).waitFor();
    await tab.close();
  });

  test('what needs the team, with links; figures compared with the previous period, as chart and table', async () => {
    await payouts.payoutAt('pending', 30);
    await payouts.payoutAt('pending', 12.5);
    await change(`${STORE}/registrations`, 'POST', { login: 'nora', email: 'nora@test.example' });
    for (const { width, theme } of looks) {
      const tab = await open('/console', { width, theme });
      const { page } = tab;
      const needs = page.getByRole('region', { name: 'Needs attention' });
      const review = needs.getByRole('link', { name: /^2 payouts to review \$42\.50/ });
      assert.equal(await review.getAttribute('href'), '/console/payouts');
      // The administrator applied, whose key asked.
      const application = needs.getByRole('link', { name: '1 application to decide admin' });
      await application.waitFor();
      // Money comes first, with whom it concerns.
      await needs.getByRole('link', { name: '2 payouts to review $42.50 maya' }).waitFor();
      const texts = await needs.getByRole('listitem').allInnerTexts();
      const place = (text: string) => texts.findIndex((one) => one.startsWith(text));
      assert.ok(place('2 payouts') < place('1 application'), texts.join(' | '));
      await page.getByRole('link', { name: /^Sales \$200\.00 New/ }).waitFor();
      await page.getByRole('img', { name: 'Sales by day' }).waitFor();
      const latest = page.getByRole('region', { name: 'Latest activity' });
      await latest.getByRole('listitem').nth(7).waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await page.getByRole('link', { name: '7 days' }).click();
      await page.getByRole('link', { name: 'Table' }).click();
      await page.getByRole('table', { name: 'Figures' }).waitFor();
      assert.equal(new URL(page.url()).search, '?period=7&view=table');
      await tab.assertNoSidewaysScroll();
      await tab.close();
    }
  });

  test('with the keyboard alone: palette, screens by letter, search, help', async () => {
    const tab = await open('/console');
    const { page } = tab;
    const { keyboard } = page;
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('combobox').waitFor();
    await keyboard.type('pay');
    await palette.getByRole('option', { name: 'Payouts', selected: true }).waitFor();
    await tab.assertAccessible();
    await keyboard.type('zzz');
    await palette.getByText('Nothing begins with “payzzz”.').waitFor();
    await palette.getByRole('combobox').fill('10');
    await palette.getByRole('option', { name: '#1042', selected: true }).waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(`${app.url}/console/orders/1042`);
    await palette.waitFor({ state: 'detached' });
    await keyboard.press('Control+k');
    await palette.getByRole('combobox').waitFor();
    await keyboard.type('se');
    await palette.getByRole('option', { name: 'Settings', selected: true }).waitFor();
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.waitForURL(`${app.url}/console/settings`);
    // Nothing while a field has the focus, not even the letters of the help.
    await page.goto(`${app.url}/console?view=table`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await tabTo(tab, 'Search or go to');
    await keyboard.press('Enter');
    await palette.getByRole('combobox').waitFor();
    await keyboard.type('g?');
    assert.equal(await palette.getByRole('combobox').inputValue(), 'g?');
    await keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Shortcuts are off while you type in a field.').waitFor();
    await tab.assertAccessible();
    await keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    const letterOf = (name: string) =>
      page
        .getByRole('link', { name })
        .first()
        .evaluate((link) => getComputedStyle(link, '::after').content);
    assert.equal(await letterOf('Messages'), 'none');
    await keyboard.press('g');
    assert.equal(await letterOf('Messages'), '"q"', 'the navigation shows the letters');
    await keyboard.press('h');
    assert.equal(await letterOf('Messages'), 'none');
    await page.waitForURL(`${app.url}/console`);
    await tab.close();
  });

  test('each role: a manager sees no administrator’s screen, an affiliate comes to the portal', async () => {
    const manager = await open('/console/team', { width: 390 }, 'manager');
    await manager.page.getByRole('button', { name: 'Menu' }).click();
    const menu = manager.page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Overview' }).waitFor();
    assert.equal(await menu.getByRole('link', { name: 'Team' }).count(), 0);
    await manager.assertAccessible();
    await menu.getByRole('link', { name: 'Overview' }).click();
    await manager.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await manager.close();

    const maya = await open('/console', {}, 'maya');
    await maya.page.waitForURL(`${app.url}/app`);
    await maya.close();

    const signIn = async (login: string, next: string) => {
      const tab = await browser.open(`${app.url}/app/login${next}`);
      await tab.page.getByLabel('Login or email address').fill(login);
      await tab.page.getByLabel('Password').fill(PASSWORD);
      await tab.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      return tab;
    };
    for (const [login, next, path] of [
      ['admin', '', '/console'],
      ['admin', '?next=%2Fapp%2Fprofile', '/app/profile'],
      ['manager', '?next=%2Fconsole%3Fperiod%3D7', '/console?period=7'],
      ['maya', '', '/app'],
    ] as const) {
      const tab = await signIn(login, next);
      await tab.page.waitForURL(app.url + path);
      await tab.close();
    }
  });

  test('on a low laptop: Profile and Sign out are in view, and the outbox leads to the mail server', async () => {
    const tab = await open('/console/outbox', { width: 1280, theme: 'light' });
    const { page } = tab;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText('No mail server is connected, so no email is sent.').waitFor();
    await page.getByText(/TRIBUTARY_SMTP_URL=/).waitFor();
    for (const own of [
      page.getByRole('link', { name: 'Profile' }),
      page.getByRole('button', { name: 'Sign out' }),
    ]) {
      const box = (await own.boundingBox())!;
      assert.ok(box.y + box.height <= 800, JSON.stringify(box));
    }
    await tab.assertAccessible();
    await tab.close();
  });
});
