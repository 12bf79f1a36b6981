import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { doubleClick, endSessions, openPortal, tabTo } from '../../../../test/browser/portal.ts';
import { looks } from '../../../../test/browser/tab.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { idOf } from '../../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../../test/support/payouts.ts';

const MINUTE_MS = 60_000;
const payouts = await openPayoutApp({
  settings: { 'site.name': 'Juniper', 'payouts.threshold': 25, 'commission.delay_days': 14 },
});
const { app, admin } = payouts;
const browser = await openBrowser();

/** Money in every place, so that the parts have to add up. */
const ready = await payouts.coupon(84.2);
const { coupon_id: paidOnce } = await payouts.payoutAt('paid', 50);
await payouts.earn(paidOnce, -10);
await payouts.payoutAt('created', 30);
await payouts.coupon(12.5);
const code = (await app.call(`/coupons/${ready}`, { key: admin })).body.code;
await app.call(`${STORE}/orders/1042`, {
  method: 'PUT',
  key: admin,
  json: {
    date: app.site.calendar.toLocal(app.site.clock()),
    status: 'completed',
    subtotal: 315,
    total: 315,
    coupon_codes: [code],
  },
});

const openMoney = (path: string, options = {}) =>
  openPortal(browser, app, 'maya', `/app/money${path}`, { width: 390, ...options });

/** The number of payouts of a coupon. */
async function payoutsOf(couponId: number): Promise<number> {
  return (await app.call(`/payouts?coupon_id=${couponId}`, { key: admin })).body.length;
}

describe('the screen Money', browser.needed, () => {
  for (const { width, theme, name } of looks) {
    test(`${name}: readable for everyone, and no wider than the window`, async () => {
      const tab = await openMoney('', { width, theme });
      const { page } = tab;
      await page.getByText('Total earned').waitFor();
      await page.getByText('Owed to you after').waitFor();
      await page.getByText('Payouts start at $25.00: $12.50 to go.').waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await page.getByRole('link', { name: 'No. 2' }).click();
      await page.getByRole('list', { name: 'What happened' }).waitFor();
      await tab.assertNoSidewaysScroll();
      if (width === 390) await tab.assertAccessible();
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto(`${app.url}/app/money?request=${ready}`);
      await page.getByRole('button', { name: 'Request $84.20' }).waitFor();
      await tab.assertNoSidewaysScroll();
      if (width === 1280) await tab.assertAccessible();
      await tab.close();
    });
  }

  test('the parts add up to what was earned', async () => {
    const tab = await openMoney('');
    const amounts = tab.page.locator('.balance-sum > div');
    await amounts.first().waitFor();
    const figures = await amounts.evaluateAll((rows) =>
      rows.map((row) =>
        Number(row.querySelector('.money')!.textContent.replaceAll(/[^\d.-]/g, '')),
      ),
    );
    const total = figures.pop();
    const sum = figures.reduce((all, amount) => all + amount, 0);
    assert.equal(sum.toFixed(2), total!.toFixed(2));
    assert.deepEqual(figures, [31.5, 96.7, 30, 50, -10]);
    await tab.close();
  });

  test('a payout is requested with the keyboard alone, and its timeline follows', async () => {
    const coupon = await payouts.coupon(61);
    const tab = await openMoney('', { width: 1280 });
    const { page } = tab;
    await page.getByText('Owed to you after').waitFor();
    await page.getByRole('link', { name: 'Request payout' }).waitFor();
    await tabTo(tab, 'Request payout');
    await page.keyboard.press('Enter');
    // One sum for all codes.
    await page.getByRole('dialog', { name: 'Request payout' }).waitFor();
    await page.getByRole('dialog').getByText('$61.00').waitFor();
    await page.getByRole('dialog').getByText('$84.20').waitFor();
    await page.getByRole('button', { name: 'Request $145.20' }).waitFor();
    await tabTo(tab, 'Request $145.20');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /Payout no\. \d+, \d+/ }).waitFor();
    await page
      .getByRole('list', { name: 'What happened' })
      .getByText('Waiting for approval')
      .waitFor();
    await tab.assertNoSidewaysScroll();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Shown as one, and underneath a payout for each code.
    await page.getByRole('link', { name: /No\. \d+, \d+/ }).waitFor();
    assert.deepEqual([await payoutsOf(coupon), await payoutsOf(ready)], [1, 1]);
    await tab.close();
  });

  test('a double click requests one payout, with one key', async () => {
    const coupon = await payouts.coupon(62);
    const tab = await openMoney(`?request=${coupon}`);
    const { page } = tab;
    const keys: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
    });
    const button = page.getByRole('button', { name: 'Request $62.00' });
    await doubleClick(page, button, '**/withdrawals');
    await page.getByRole('dialog', { name: /Payout no\./ }).waitFor();
    assert.equal(keys.length, 1);
    assert.equal(await payoutsOf(coupon), 1);
    await tab.close();
  });

  test('the back button and a reload in the middle of a request leave one payout', async () => {
    const coupon = await payouts.coupon(63);
    const tab = await openMoney('');
    const { page } = tab;
    await page.getByText('Total earned').waitFor();
    await page.goto(`${app.url}/app/money?request=${coupon}`);
    const keys = new Set<unknown>();
    // The service makes the payout, but its answer does not arrive.
    await page.route('**/withdrawals', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.add(route.request().headers()['idempotency-key']);
      await route.fetch();
    });
    await page.getByRole('button', { name: 'Request $63.00' }).click();
    await eventually(async () => assert.equal(await payoutsOf(coupon), 1));
    await page.goBack();
    await page.getByText('Total earned').waitFor();
    await page.unroute('**/withdrawals');
    await page.goto(`${app.url}/app/money?request=${coupon}`);
    await page.getByRole('dialog').getByText('has already been requested').waitFor();
    await page.reload();
    await page.getByRole('dialog').getByText('has already been requested').waitFor();
    assert.equal(await payoutsOf(coupon), 1);
    assert.equal(keys.size, 1);
    await tab.close();
  });

  test('without a connection a request waits, then continues automatically', async () => {
    const coupon = await payouts.coupon(64);
    const tab = await openMoney(`?request=${coupon}`, { expected: /ERR_INTERNET_DISCONNECTED/ });
    const { page } = tab;
    const button = page.getByRole('button', { name: 'Request $64.00' });
    await button.waitFor();
    await page.context().setOffline(true);
    await button.click();
    await page.getByText('There is no connection right now.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('dialog', { name: /Payout no\./ }).waitFor();
    assert.equal(await payoutsOf(coupon), 1);
    await tab.close();
  });

  test('says what to do before anything was earned, and to whom it has no code', async () => {
    const tab = await openPortal(browser, app, 'tomas', '/app/money', {
      width: 390,
      theme: 'dark',
    });
    await tab.page.getByText('No code yet').waitFor();
    await payouts.coupon(0, idOf('tomas'));
    await tab.page.reload();
    await tab.page.getByText('Nothing is available right now.').waitFor();
    await tab.page.getByText('We do not know yet where to send the money.').waitFor();
    await tab.page.getByText('No payouts yet').waitFor();
    await tab.assertAccessible();
    await tab.page.getByRole('link', { name: 'Add payout details' }).click();
    await tab.page.getByRole('heading', { name: 'Where should your money go?' }).waitFor();
    await tab.assertAccessible();
    await tab.close();
  });
});

describe('the screen Payout details', browser.needed, () => {
  const openDetails = (options = {}) =>
    openPortal(browser, app, 'maya', '/app/payout-details?change=1', {
      width: 390,
      expected: /status of 4\d\d/,
      ...options,
    });
  const savedDetails = async () =>
    (await app.call(`${STORE}/affiliates/${idOf('maya')}/payout-details`, { key: admin })).body
      .masked;

  test('with the keyboard alone: a fault at its field, a proof, and what was saved is masked', async () => {
    const tab = await openDetails({ width: 1280, theme: 'dark' });
    const { page } = tab;
    await page.getByLabel('Account holder').waitFor();
    await tabTo(tab, 'Account holder');
    await page.keyboard.type('Maya Ortiz');
    await tabTo(tab, 'IBAN');
    // The group of fields is chosen by its radio button; the next stop is the field itself.
    await tabTo(tab, 'IBAN');
    await page.keyboard.type('DE00 1234');
    await page.keyboard.press('Enter');
    await page.getByText('This IBAN is not valid.').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    await eventually(async () => assert.equal(await focused(), 'iban'));
    await tab.assertAccessible();
    app.advance(11 * MINUTE_MS);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('GB33 BUKB 2020 1555 5555 55');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: "Confirm it's you" }).waitFor();
    await page.getByLabel('Password').waitFor();
    await tab.assertAccessible();
    await page.keyboard.type('correct horse battery');
    await page.keyboard.press('Enter');
    await page.getByText('Saved. For your safety, we sent you an email about it.').waitFor();
    await page.getByText('GB…5555').waitFor();
    assert.equal(await savedDetails(), 'GB…5555');
    const { body: mails } = await app.call(`${STORE}/outbox?per_page=100`, { key: admin });
    assert.ok(mails.some((mail: any) => mail.to === 'maya@test.example'));
    await tab.close();
  });

  test('after an expired session what was typed stays, and saving goes on', async () => {
    const tab = await openDetails();
    const { page } = tab;
    await page.getByLabel('Account holder').fill('Maya Ortiz');
    await page.getByLabel('IBAN', { exact: true }).last().fill('DE89 3704 0044 0532 0130 00');
    await endSessions(app, 'maya');
    await page.getByRole('button', { name: 'Save payout details' }).click();
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
    await dialog.getByLabel('Password').fill('wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password').fill('correct horse battery');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Saved. For your safety').waitFor();
    assert.equal(await savedDetails(), 'DE…3000');
    await tab.close();
  });

  test('another person who signs in in another tab gets no screen of the first', async () => {
    const tab = await openDetails();
    const { page } = tab;
    await page.getByLabel('Account holder').fill('Maya Ortiz');
    await page.getByLabel('IBAN', { exact: true }).last().fill('FR14 2004 1010 0505 0001 3M02 606');
    const data = { login: 'tomas', password: 'correct horse battery' };
    await page.request.post(`${app.url}/session`, { data });
    await page.getByRole('button', { name: 'Save payout details' }).click();
    await page.waitForURL(`${app.url}/app`);
    assert.equal(await savedDetails(), 'DE…3000');
    await tab.close();
  });
});

describe('a new version of the portal', browser.needed, () => {
  test('a file that is gone reloads the page once, not for ever', async () => {
    const expected = /status of 404|Failed to fetch/;
    const tab = await openPortal(browser, app, 'maya', '/healthz', { width: 390, expected });
    const { page } = tab;
    const chunk = '**/app/files/money-screen-*.js';
    await page.route(chunk, (route) => route.fulfill({ status: 404 }));
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.goto(`${app.url}/app`);
    await page.getByRole('link', { name: 'Money' }).first().click();
    await page.getByText('This could not be loaded').waitFor();
    // The first load and one more, which the browser reports when it has loaded everything.
    await eventually(() => assert.equal(loads, 2));
    await page.unroute(chunk);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Total earned').waitFor();
    await tab.close();
  });
});
