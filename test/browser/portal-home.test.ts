import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { idOf, openTestApp, PASSWORD } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal, tabTo } from './portal.ts';
import { looks } from './tab.ts';

const STORE = '/svc/store/v1';
const DAY_MS = 86_400_000;
const app = await openTestApp({
  settings: {
    'site.name': 'Donaudampfschifffahrtsgesellschaft Kapitänsmützen & Söhne',
    'site.store_url': 'https://shop.example/en',
    'payouts.threshold': 100,
    'payouts.details_required': false,
  },
});
const admin = await app.key('admin', 'read,write,manage');
const browser = await openBrowser();

async function send(method: string, path: string, json: object): Promise<any> {
  const reply = await app.call(`${STORE}${path}`, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const day = (ago: number) => app.site.calendar.toLocal(app.site.clock() - ago * DAY_MS);
const order = (id: number, given: object) =>
  send('PUT', `/orders/${id}`, {
    date: day(1),
    status: 'completed',
    subtotal: 100,
    total: 100,
    coupon_codes: ['MAYA10'],
    ...given,
  });

const coupon = await send('POST', '/coupons', { code: 'MAYA10', user_id: idOf('maya') });
await send('POST', '/coupons', { code: 'W'.repeat(50), user_id: idOf('maya') });
await send('POST', '/coupons', { code: 'TOMAS', user_id: idOf('tomas') });
const clicks = ['newsletter', 'newsletter', ''].map((campaign) => ({
  coupon_id: coupon.id,
  campaign,
}));
await send('POST', '/clicks', { clicks });
const bySub = { coupon_id: coupon.id, sub1: 'blog', sub3: 'sidebar', date: day(2) };
const [subClick] = (await send('POST', '/clicks', bySub)).ids;
await order(1, { subtotal: 842, total: 842 });
await order(2, { status: 'processing' });
await order(3, { click_id: subClick });
await order(3, { status: 'cancelled', click_id: subClick });
await order(4, { customer: { email: 'maya@test.example' } });
await order(5, { refunds: [{ id: 1, amount: 100 }] });
await order(999_999_999, { subtotal: 9_876_543.21, total: 9_876_543.21, status: 'processing' });
for (let id = 100; id < 130; id += 1) await order(id, { subtotal: 1, total: 1, date: day(40) });
await app.set({ 'commission.delay_days': 14 });
await order(6, { subtotal: 315, total: 315 });

const open = (path: string, options = {}, login = 'maya') =>
  openPortal(browser, app, login, path, { width: 390, ...options });

/** What a screen shows when all of its data is there. */
const screens: Record<string, { path: string; ready(page: Page): Promise<void> }> = {
  Home: {
    path: '/app',
    async ready(page) {
      await page.getByText('to go until you can withdraw').waitFor();
      await page.locator('.figure-tile', { hasText: 'Clicks with an order' }).waitFor();
      await page.getByRole('link', { name: '#999999999' }).waitFor();
      await page.getByRole('img', { name: 'Earned by day' }).waitFor();
    },
  },
  Links: {
    path: '/app/links',
    async ready(page) {
      await page.getByRole('img', { name: /QR code of/ }).waitFor();
      await page.getByRole('cell', { name: 'newsletter' }).waitFor();
      await page.getByRole('cell', { name: 'blog' }).waitFor();
    },
  },
  Orders: {
    path: '/app/orders',
    ready: (page) => page.getByRole('link', { name: '#999999999' }).waitFor(),
  },
};

describe('the screens Home, Links and Orders', browser.needed, () => {
  for (const { width, theme, name } of looks) {
    test(`${name}: readable for everyone, and no wider than the window`, async () => {
      const tab = await open('/app', { width, theme });
      for (const { path, ready } of Object.values(screens)) {
        await tab.page.goto(app.url + path);
        await ready(tab.page);
        await tab.assertNoSidewaysScroll();
        await tab.assertAccessible();
      }
      await tab.page.goto(`${app.url}/app?view=table&period=7`);
      await tab.page.getByRole('table', { name: 'Figures by day' }).waitFor();
      await tab.assertNoSidewaysScroll();
      // Views of the same screens: once is enough.
      const isFirst = width === 390;
      if (isFirst) await tab.assertAccessible();
      await tab.page.goto(`${app.url}/app/orders?order=3`);
      await tab.page.getByText('It would have earned').waitFor();
      await tab.page.getByRole('definition').filter({ hasText: 'sidebar' }).waitFor();
      await tab.assertNoSidewaysScroll();
      if (isFirst) await tab.assertAccessible();
      await tab.close();
    });

    test(`${name}: without data each screen says what to do`, async () => {
      const tab = await open('/app', { width, theme }, 'tomas');
      await tab.page.getByText('You have not earned anything yet').waitFor();
      await tab.page.getByText('No orders yet').waitFor();
      await tab.page.getByText('No clicks in this period').waitFor();
      assert.equal(await tab.page.locator('.figure-tile').count(), 0);
      await tab.page.locator('[data-kind="primary"][aria-label="Copy link"]').waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await tab.page.goto(`${app.url}/app/links`);
      await tab.page.getByText('No clicks yet').waitFor();
      await tab.assertAccessible();
      await tab.page.goto(`${app.url}/app/orders?q=absent`);
      await tab.page.getByText('Nothing matches').waitFor();
      await tab.assertAccessible();
      await tab.close();
    });
  }

  test('without a code, Home asks to share no link', async () => {
    const email = 'codeless@test.example';
    await send('POST', '/affiliates', { login: 'codeless', email, password: PASSWORD });
    const tab = await open('/app', {}, 'codeless');
    await tab.page.getByText('You have no link yet').waitFor();
    await tab.page.getByText('No orders yet').waitFor();
    await tab.page.getByText('You have not earned anything yet.', { exact: true }).waitFor();
    assert.equal(await tab.page.getByRole('link', { name: 'Get your link' }).count(), 0);
    await tab.close();
  });

  test('text of 200 % fits a phone', async () => {
    const tab = await open('/app');
    for (const { path, ready } of Object.values(screens)) {
      await tab.page.goto(app.url + path);
      await ready(tab.page);
      await tab.page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      await tab.assertNoSidewaysScroll();
      const broken = await tab.page.locator('td[data-phone="title"]').evaluateAll((cells) =>
        cells
          .filter((cell) => {
            const lines = cell.clientHeight / parseFloat(getComputedStyle(cell).lineHeight);
            return lines > cell.textContent.trim().split(/\s+/).length + 0.5;
          })
          .map((cell) => cell.textContent),
      );
      assert.deepEqual(broken, [], path);
    }
    await tab.close();
  });

  test('loading and failing: the screen shows it, and recovers automatically', async () => {
    const tab = await open('/app/profile', { expected: /Failed to load resource/ });
    const { page } = tab;
    let isBroken = true;
    const answers: (() => void)[] = [];
    await page.route('**/affiliates/*/orders*', async (route) => {
      await new Promise<void>((resolve) => void answers.push(resolve));
      if (!isBroken) return route.fallback();
      return route.fulfill({ status: 500, json: { code: 'svc_api_server_error', message: '' } });
    });
    await page.goto(`${app.url}/app/orders`);
    await page.getByText('Loading…').first().waitFor({ state: 'attached' });
    await tab.assertAccessible();
    const answer = setInterval(() => answers.splice(0).forEach((resolve) => resolve()), 20);
    try {
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.getByText('The service is not answering right now').waitFor();
      await tab.assertAccessible();
      // Before it is repaired: afterwards the screen goes on by itself, and the button may be gone.
      await page.getByRole('button', { name: 'Try again' }).click();
      isBroken = false;
      await page.getByRole('link', { name: '#999999999' }).waitFor();
      assert.equal(await page.getByText('The service is not answering right now').count(), 0);
    } finally {
      clearInterval(answer);
    }
    await tab.close();
  });

  test('every view is an address: reload, back and forward show it again', async () => {
    const tab = await open('/app/orders');
    const { page } = tab;
    const states = page.getByRole('navigation', { name: 'State of the orders' });
    await states.getByRole('link', { name: 'Earned', exact: true }).click();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/app/orders?state=earned&page=2');
    await page.getByText('Page 2 of 2').waitFor();
    await page.reload();
    await page.getByText('Page 2 of 2').waitFor();
    await page
      .getByRole('link', { name: /^#1\d\d$/ })
      .first()
      .click();
    await page.getByRole('dialog', { name: /^Order 1\d\d$/ }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByText('Page 1 of 2').waitFor();
    await page.getByRole('searchbox').fill('4');
    await page.keyboard.press('Enter');
    await page.waitForURL('**q=4');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.waitForURL('**/app/orders');
    await eventually(async () => assert.equal(await page.getByRole('searchbox').inputValue(), ''));
    await tab.close();
  });

  const reasons = {
    2: 'becomes yours once the store completes the order',
    3: 'The order was cancelled',
    4: 'This is your own order',
    5: 'refunded in full',
    6: 'The commission is in the waiting period until',
    1: 'part of your balance',
  };
  test('each order says why it earned what it earned, and nothing about a customer', async () => {
    const tab = await open('/app/orders');
    const texts: Promise<string>[] = [];
    tab.page.on('response', (response) => {
      if (!response.url().includes('/svc/')) return;
      // A response that the page left before it had arrived has no text, and shows nothing.
      texts.push(response.text().catch(() => ''));
    });
    for (const [id, reason] of Object.entries(reasons)) {
      await tab.page.goto(`${app.url}/app/orders?order=${id}`);
      await tab.page.getByRole('dialog').getByText(reason).first().waitFor();
      await tab.page.getByRole('dialog').getByText('How it was calculated').waitFor();
      await tab.page.locator('a', { hasText: '#999999999' }).waitFor({ state: 'attached' });
    }
    const bodies = (await Promise.all(texts)).join('\n');
    assert.ok(bodies.includes('"order_id":1'));
    assert.ok(!bodies.includes('customer"'));
    await tab.close();
  });

  test('Links: a page of the store and a campaign become part of the link; other pages are refused', async () => {
    const tab = await open('/app/links');
    const { page } = tab;
    await page.getByRole('textbox', { name: /^Campaign/ }).fill('spring mail');
    await page
      .getByRole('textbox', { name: /^Page of the store/ })
      .fill('shop.example/en/shoes?size=7');
    await page.keyboard.press('Tab');
    const link = page.locator('output', { hasText: 'campaign=spring+mail' });
    const url = new URL(await link.innerText());
    assert.equal(url.pathname, '/r/MAYA10');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      to: '/en/shoes?size=7',
      campaign: 'spring mail',
    });
    // A reload keeps what was typed, because it is part of the address.
    await page.reload();
    await page.getByText('campaign=spring+mail').waitFor();
    await page
      .getByRole('textbox', { name: /^Page of the store/ })
      .fill('https://other.example/shoes');
    await page.getByText('This page does not belong to shop.example').waitFor();
    await tab.assertAccessible();
    await page.getByRole('combobox').selectOption({ label: 'W'.repeat(50) });
    await page.getByText(`/r/${'W'.repeat(50)}`).waitFor();
    await tab.assertNoSidewaysScroll();
    const [svg] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'SVG' }).click(),
    ]);
    assert.match(svg.suggestedFilename(), /\.svg$/);
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG' }).click(),
    ]);
    assert.match(png.suggestedFilename(), /\.png$/);
    await tab.close();
  });

  test('Links: sub-ids become part of the link, an email address does not', async () => {
    const tab = await open('/app/links');
    const { page } = tab;
    await page.getByText('Sub-ids', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Sub-id 1' }).fill('maya@test.example');
    await page.getByText('An email address cannot be a sub-id.').waitFor();
    await tab.assertAccessible();
    await page.getByRole('textbox', { name: 'Sub-id 5' }).fill('top banner');
    await page.keyboard.press('Tab');
    const link = page.locator('output', { hasText: 'sub5=top+banner' });
    assert.deepEqual([...new URL(await link.innerText()).searchParams.keys()], ['sub5']);
    await page.reload();
    await page.getByText('sub5=top+banner').waitFor();
    await tab.assertNoSidewaysScroll();
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page
        .goto(`${app.url}/app/orders`)
        .then(() => page.getByRole('button', { name: 'Save as CSV' }).click()),
    ]);
    assert.equal(csv.suggestedFilename(), 'orders.csv');
    await tab.close();
  });

  test('keyboard alone: skip link, a copied link, another screen, an order and back', async () => {
    const tab = await open('/app');
    const { page } = tab;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await screens['Home']!.ready(page);
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').innerText(), 'Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(tab, 'Copy link');
    await page.keyboard.press('Enter');
    await page.getByText('Copied to the clipboard').waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      `${app.site.publicUrl}/r/MAYA10`,
    );
    await tabTo(tab, '#999999999');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.getByText('How it was calculated').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await page.goBack();
    // The heading takes the focus, so that a screen reader begins there.
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    assert.match(await page.title(), /^Hello, maya · Donaudampf/);
    await tab.close();
  });

  test('who is not an affiliate sees what this is for, and the profile only', async () => {
    const customer = await open('/app', {}, 'carla');
    await customer.page.getByRole('link', { name: 'Apply' }).waitFor();
    assert.equal(await customer.page.getByRole('link', { name: 'Money' }).count(), 0);
    await customer.assertAccessible();
    await customer.close();
    const team = await open('/app', {}, 'admin');
    await team.page.getByRole('link', { name: 'Open the console' }).waitFor();
    await team.assertAccessible();
    await team.close();
  });

  test('a suspended affiliate sees a notice, and reads everything', async () => {
    await send('PATCH', `/affiliates/${idOf('maya')}`, { status: 'suspended' });
    try {
      const tab = await open('/app');
      await tab.page.getByText('Your account is suspended').waitFor();
      await tab.page.getByRole('link', { name: '#999999999' }).waitFor();
      await tab.assertAccessible();
      await tab.close();
    } finally {
      await send('PATCH', `/affiliates/${idOf('maya')}`, { status: 'active' });
    }
  });
});
