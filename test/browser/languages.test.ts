import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { readTexts } from '../../scripts/addon-files.js';
import { entryOf } from '../../src/modules/web/web-build.ts';
import { languages } from '../../src/shared/languages.ts';
import { idOf } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { openScreen, screensOf, settingsOfScreens } from './screens.ts';

const payouts = await openPayoutApp({
  settings: { ...settingsOfScreens, 'site.language': 'de' },
});
const { app, admin } = payouts;
await app.set({ 'api.rate_per_minute': 100_000 });
const browser = await openBrowser();
for (const login of ['admin', 'maya']) await speak(login, 'de');
const coupon = await payouts.coupon(idOf('maya'));
await payouts.earn(coupon, 40);
const requested = { method: 'POST', key: admin, json: { coupon_id: coupon } } as const;
const payout = (await app.call('/payouts', requested)).body.id;
const { code } = (await app.call(`/coupons/${coupon}`, { key: admin })).body;
for (const [id, status] of Object.entries({ 7: 'completed', 8: 'pending', 9: 'cancelled' })) {
  const date = app.site.calendar.toLocal(app.site.clock());
  const order = { date, status, subtotal: 50, total: 50, coupon_codes: [code] };
  const reply = await app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json: order });
  assert.ok(reply.status < 300, reply.text);
}

const root = join(import.meta.dirname, '../..');
const screenNames = Object.keys(entryOf('console').screens!).filter((name) => !name.includes('/'));
const consolePaths = screenNames.map((name) =>
  name === 'overview' ? '/console' : `/console/${name}`,
);
const portalPaths = ['/app', '/app/links', '/app/orders', '/app/money', '/app/profile'];

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${app.url}${path}`);
  await page.waitForFunction(
    () => document.querySelector('h1') !== null && document.querySelector('.skeleton') === null,
  );
}

async function speak(login: string, language: string): Promise<void> {
  const session = await app.signIn(login);
  const json = { language };
  const changed = await app.call(`${STORE}/account`, { method: 'PATCH', session, json });
  assert.equal(changed.status, 200, changed.text);
}

describe('the languages of the console', browser.needed, () => {
  for (const language of languages) {
    test(`${language}: every screen has its words, no key of a message, and no sideways scrolling`, async () => {
      const { console: words, program } = readTexts(root, language);
      const word = program!['affiliate.other']!;
      const affiliates = word.charAt(0).toUpperCase() + word.slice(1);
      const titleOf = (name: string) =>
        words![`nav.${name}`]!.replace(/^\{affiliates\}$/i, affiliates);
      await speak('admin', language);
      const tab = await openPortal(browser, app, 'admin', '/console', { width: 390 });
      for (const [i, path] of consolePaths.entries()) {
        await visit(tab.page, path);
        assert.equal(await tab.page.locator('html').getAttribute('lang'), language, path);
        const title = await tab.page.locator('h1').first().textContent();
        assert.equal(title, titleOf(screenNames[i]!), path);
        const text = await tab.page.locator('body').innerText();
        assert.doesNotMatch(text, /\bconsole(-[a-z-]+)?\.[a-z]/i, path);
        await tab.assertNoSidewaysScroll();
      }
      await tab.close();
    });
  }

  test('no screen of either role has a sentence in English, or backticks', async () => {
    await speak('admin', 'de');
    const screens = screensOf({ affiliate: idOf('maya'), order: 7, payout });
    const more = {
      admin: ['/console/orders/8', '/console/orders/9'],
      maya: ['/app/orders?open=7'],
    };
    const found: string[] = [];
    for (const login of ['admin', 'maya'] as const) {
      const tab = await openPortal(browser, app, login, '/healthz');
      for (const path of [...screens[login], ...more[login]]) {
        await openScreen(tab.page, app.url + path);
        const sentences = await tab.page.evaluate(englishTexts);
        found.push(...sentences.map((text) => `${path}: ${text}`));
        const shown = await tab.page.locator('body').innerText();
        found.push(...(shown.match(/.*`.*/g) ?? []).map((line) => `${path}: ${line}`));
      }
      await tab.close();
    }
    assert.deepEqual(found, []);
  });

  test('the search in the sidebar is not cut in any language', async () => {
    const tab = await openPortal(browser, app, 'manager', '/healthz', { width: 1280 });
    for (const language of languages) {
      await visit(tab.page, `/console?lang=${language}`);
      const text = tab.page.locator('.side-search > span');
      const cut = await text.evaluate((span) => span.scrollWidth - span.clientWidth);
      assert.ok(cut <= 0, `${language}: ${await text.textContent()} is ${cut} px too long`);
    }
    await tab.close();
  });
});

/** The texts of a page that have a word which German lacks. What people wrote, and names of programs, are in any language. */
function englishTexts(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { textContent, parentElement: parent } = node;
    const text = textContent!.replaceAll(/„[^“]*“/g, '');
    if (!/\b(the|and|with|are|of|your|this|has|from|to|for|by)\b/i.test(text)) continue;
    if (parent?.closest('code, pre, [lang]:not(html), script') || !parent?.checkVisibility())
      continue;
    found.push(text.trim());
  }
  return found;
}

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
          await tab.assertNoSidewaysScroll().catch((error: unknown) => {
            throw new Error(path, { cause: error });
          });
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
