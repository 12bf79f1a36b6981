import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { looks, type Tab } from './tab.ts';

const app = await openTestApp();
const shown = new Set(['get_me', 'post_keys', 'get_payouts', 'put_orders_order_id', 'get_events']);
const endpoints = app.site.registry.allOperations().filter(({ namespace }) => namespace !== 'site');
/** One operation of each kind, because axe takes a minute for all of them on a busy machine. */
const short = await openTestApp({
  settings: {
    'addons.disabled': ['webhooks'],
    'api.disabled_endpoints': endpoints
      .filter(({ id }) => !shown.has(id))
      .map(({ switchName }) => switchName),
  },
});
const browser = await openBrowser();

async function assertHeadings({ page }: Tab): Promise<void> {
  const levels = await page.evaluate(() =>
    [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((h) => Number(h.tagName[1])),
  );
  assert.equal(levels[0], 1);
  assert.equal(levels.filter((level) => level === 1).length, 1);
  for (const [i, level] of levels.entries()) assert.ok(level <= (levels[i - 1] ?? 1) + 1);
}

/** The browser scrolls after it has changed the address. */
function assertInWindow(target: Locator): Promise<void> {
  return eventually(async () => {
    const top = (await target.boundingBox())!.y;
    assert.ok(top >= 0 && top < 800, `in the window, at ${top}`);
  });
}

describe('GET /docs in a browser', browser.needed, () => {
  const apis = ['v2', 'store'] as const;
  for (const [i, { width, theme, name }] of looks.entries()) {
    for (const api of apis) {
      test(`${api}, ${name}: no wider than the window, headings one level at a time`, async () => {
        const tab = await browser.open(`${app.url}/docs?api=${api}`, { width, theme });
        await tab.assertNoSidewaysScroll();
        await assertHeadings(tab);
        await tab.close();
      });
    }

    // Both documents have the same markup, so each is judged in one look.
    test(`${apis[i]}, ${name}: readable for everyone`, async () => {
      const tab = await browser.open(`${short.url}/docs?api=${apis[i]}`, { width, theme });
      await tab.assertAccessible();
      await tab.close();
    });
  }

  test('1280 px, without JavaScript: the sidebar stays visible and links to each operation', async () => {
    const tab = await browser.open(`${app.url}/docs`, { javaScript: false });
    const side = tab.page.getByRole('navigation', { name: 'Contents', exact: true });
    await side.getByRole('link', { name: 'Request a payout' }).click();
    await tab.page.waitForURL('**/docs#post_payouts');
    const heading = tab.page.getByRole('heading', { name: 'Request a payout' });
    await assertInWindow(heading);
    assert.equal((await side.boundingBox())!.y >= 0, true, 'the list is still in the window');
    await tab.close();
  });

  test('390 px, without JavaScript: the list unfolds and links to each operation', async () => {
    const tab = await browser.open(`${app.url}/docs`, { width: 390, javaScript: false });
    const link = tab.page
      .getByRole('navigation', { name: 'Contents of this page' })
      .getByRole('link', { name: 'Request a payout' });
    assert.equal(await link.isVisible(), false);
    // The link in the bar unfolds it from anywhere on the page.
    await tab.page.getByRole('link', { name: 'Contents', exact: true }).click();
    await link.click();
    await tab.page.waitForURL('**/docs#post_payouts');
    await assertInWindow(tab.page.locator('#post_payouts'));
    await tab.close();
  });

  test('390 px: a long line scrolls in its own box, with the keyboard', async () => {
    const tab = await browser.open(`${app.url}/docs#post_payouts`, { width: 390 });
    const box = tab.page.locator('#post_payouts pre').first();
    await box.focus();
    const offset = () => box.evaluate((element) => element.scrollLeft);
    assert.equal(await offset(), 0);
    await tab.page.keyboard.press('ArrowRight');
    await tab.page.waitForFunction(
      () => document.querySelector('#post_payouts pre')!.scrollLeft > 0,
    );
    await tab.close();
  });
});
