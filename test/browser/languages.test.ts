import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { consoleScreens } from '../../src/web-contract/console-screens.ts';
import { idOf } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import german from '../../texts/de/console.json' with { type: 'json' };
import english from '../../texts/en/console.json' with { type: 'json' };
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { settingsOfScreens } from './screens.ts';

const payouts = await openPayoutApp({ settings: settingsOfScreens });
const { app, admin } = payouts;
const browser = await openBrowser();
const coupon = await payouts.coupon(idOf('maya'));
await payouts.earn(coupon, 40);
await app.call('/payouts', { method: 'POST', key: admin, json: { coupon_id: coupon } });

const consolePaths = consoleScreens.map((name) =>
  name === 'overview' ? '/console' : `/console/${name}`,
);
const portalPaths = ['/app', '/app/links', '/app/orders', '/app/money', '/app/profile'];

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${app.url}${path}`);
  await page.waitForFunction(
    () => document.querySelector('h1') !== null && document.querySelector('.skeleton') === null,
  );
}

describe('the console in German', browser.needed, () => {
  test('every screen has German words, and no key of a message', async () => {
    const session = await app.signIn('admin');
    const json = { language: 'de' };
    const changed = await app.call(`${STORE}/account`, { method: 'PATCH', session, json });
    assert.equal(changed.status, 200, changed.text);
    const tab = await openPortal(browser, app, 'admin', '/console', { width: 390 });
    const { page } = tab;
    for (const [i, path] of consolePaths.entries()) {
      await visit(page, path);
      assert.equal(await page.locator('html').getAttribute('lang'), 'de', path);
      const name = consoleScreens[i]!;
      assert.equal(await page.locator('h1').first().textContent(), german[`nav.${name}`], path);
      const text = await page.locator('body').innerText();
      assert.doesNotMatch(text, /\bconsole(-[a-z-]+)?\.[a-z]/i, path);
      await tab.assertNoSidewaysScroll();
    }
    await tab.close();
  });

  test('a language without a console shows it in English', async () => {
    const tab = await openPortal(browser, app, 'manager', '/console?lang=fr');
    await visit(tab.page, '/console/orders?lang=fr');
    assert.equal(await tab.page.locator('html').getAttribute('lang'), 'en');
    assert.equal(await tab.page.locator('h1').first().textContent(), english['nav.orders']);
    await tab.close();
  });
});

/**
 * A pseudo-language: every text is a third longer and has letters that are written from right to left, as a translation
 * into Hebrew or Arabic would.
 */
async function speakPseudo(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const mirror = () => {
      document.documentElement.dir = 'rtl';
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent ?? '';
        // Cells have names and addresses of people, which no translation makes longer.
        const isData = node.parentElement?.closest('td') !== null;
        if (/\p{L}{3}/u.test(text) && !isData && !text.startsWith('\u05D0')) {
          node.textContent = `\u05D0${text} ${'\u05D1\u05D2\u05D3 '.repeat(Math.ceil(text.length / 12))}`;
        }
      }
    };
    Object.assign(globalThis, { mirror });
  });
}

describe('a language that is written from right to left', browser.needed, () => {
  for (const width of [390, 1280]) {
    for (const [login, paths] of [
      ['maya', portalPaths],
      ['manager', consolePaths],
    ] as const) {
      test(`${width} px: every screen of ${login} fits the window, with its first column at the right`, async () => {
        const tab = await openPortal(browser, app, login, '/healthz', { width });
        await speakPseudo(tab.page);
        for (const path of paths) {
          await visit(tab.page, path);
          await tab.page.evaluate(() => (globalThis as { mirror?: () => void }).mirror!());
          await tab.assertNoSidewaysScroll();
          const { start, middle } = await tab.page.evaluate(() => {
            const { left, right } = document.querySelector('h1')!.getBoundingClientRect();
            return { start: right, middle: (left + right) / 2 };
          });
          assert.ok(start <= width, `${path}: the heading ends at ${start}`);
          assert.ok(middle > width / 4, `${path}: the heading is at ${middle}`);
        }
        await tab.close();
      });
    }
  }
});
