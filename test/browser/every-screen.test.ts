import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { idOf } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { letterWidths, useEvenFont } from './even-font.ts';
import { openPortal } from './portal.ts';
import { fillScreens, openScreen, screensOf, settingsOfScreens } from './screens.ts';

const payouts = await openPayoutApp({
  settings: settingsOfScreens,
});
const { app, admin } = payouts;
await app.set({ 'api.rate_per_minute': 100_000, 'site.name': 'Willow & Wick Candles of Hull' });
const browser = await openBrowser();

// Something to touch on most screens.
const coupon = await payouts.coupon(84.2);
await payouts.coupon(20, idOf('tomas'));
const { id: payout } = await payouts.payoutAt('pending');
const date = app.site.calendar.toLocal(app.site.clock());
const { code } = (await app.call(`/coupons/${coupon}`, { key: admin })).body;
const order = { date, status: 'completed', subtotal: 50, total: 50, coupon_codes: [code] };
const received = await app.call(`${STORE}/orders/7`, { method: 'PUT', key: admin, json: order });
assert.ok(received.status < 300, received.text);
const filled = await fillScreens(app, code);
const json = { login: 'nora', email: 'nora@shop.example', promote: 'A blog' };
assert.equal((await app.call('/svc/store/v1/registrations', { method: 'POST', json })).status, 201);

const known = screensOf({ affiliate: idOf('maya'), order: 7, payout });
const screens = { ...known, admin: [...known.admin, ...filled] };

/**
 * What a thumb can miss: controls whose area, as far as touches reach them, is less than 44 px wide or high. Links within
 * a sentence have the height of its lines, as everywhere.
 */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // What is behind an open dialog is touched later.
    const place = document.querySelector('dialog:modal') ?? document;
    const controls = place.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type="hidden"]), select, textarea, summary',
    );
    const isInSentence = (element: HTMLElement) => {
      if (!element.matches('a') || getComputedStyle(element).display !== 'inline') return false;
      let block = element.parentElement!;
      while (getComputedStyle(block).display.startsWith('inline')) block = block.parentElement!;
      return block.textContent.trim() !== element.textContent.trim();
    };
    const reachOf = (element: HTMLElement) => {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const label = element.closest('label') ?? (element as HTMLInputElement).labels?.[0];
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      /** How far touches reach the control in one direction, up to 44 px. */
      const reach = (dx: number, dy: number) => {
        const isHit = (far: number) => {
          const hit = document.elementFromPoint(x + dx * far, y + dy * far);
          return hit !== null && (element.contains(hit) || label?.contains(hit) === true);
        };
        // In steps first, because finding what is at a point is most of the work.
        const STEP = 4;
        let far = 0;
        while (far < 44 && isHit(far)) far += STEP;
        for (far = Math.max(0, far - STEP + 1); far < 44 && isHit(far);) far += 1;
        return far;
      };
      return { width: reach(-1, 0) + reach(1, 0), height: reach(0, -1) + reach(0, 1) };
    };
    return [...controls]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
      .filter((element) => !element.matches('.skip-link, [tabindex="-1"]'))
      .filter((element) => !isInSentence(element))
      .flatMap((element) => {
        const { width, height } = reachOf(element);
        // A pixel is lost where the middle is between two.
        if (width >= 43 && height >= 43) return [];
        const name = element.getAttribute('aria-label') ?? element.textContent.trim();
        return `${element.localName}.${element.className} "${name.slice(0, 30)}": ${width} × ${height}`;
      });
  });

describe('every screen on a phone', browser.needed, () => {
  for (const [login, paths] of Object.entries(screens)) {
    test(`${login || 'the public'}: controls of 44 px, and nothing wider than the window`, async () => {
      const options = { width: 390 };
      const tab = login
        ? await openPortal(browser, app, login, '/healthz', options)
        : await browser.open(`${app.url}/healthz`, options);
      const found: string[] = [];
      for (const path of paths) {
        await openScreen(tab.page, app.url + path);
        for (const [font, width] of Object.entries(letterWidths)) {
          await useEvenFont(tab.page, width);
          await tab.assertNoSidewaysScroll();
          const small = await smallTargets(tab.page);
          found.push(...small.map((one) => `${path}, ${font} letters: ${one}`));
        }
      }
      assert.deepEqual(found, []);
      await tab.close();
    });
  }
});

describe('the navigation of the console', browser.needed, () => {
  test('shows all screens at 720 px, below a name of two lines', async () => {
    const tab = await openPortal(browser, app, 'admin', '/console');
    const { page } = tab;
    await page.setViewportSize({ width: 1280, height: 720 });
    const last = page.locator('.console-side').getByRole('link', { name: 'Reports' });
    await last.waitFor();
    const { lines, hidden } = await page.locator('.console-side').evaluate((side) => {
      const name = side.querySelector('.console-name')!;
      const list = side.querySelector('.nav-screens')!;
      return {
        lines: name.clientHeight / Number.parseFloat(getComputedStyle(name).lineHeight),
        hidden: list.scrollHeight - list.clientHeight,
      };
    });
    assert.ok(lines > 1.5 && lines < 2.5, `the name has ${lines} lines`);
    assert.equal(hidden, 0, `${hidden} px are not visible`);
    await tab.close();
  });
});
