import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { idOf } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { moveToScreen } from './screens.ts';

const browser = await openBrowser();

/** Amounts that are broken into two lines, or are partly outside of the window or of the box around them. */
const brokenAmounts = (page: Page, sign: string): Promise<string[]> =>
  page.evaluate((currency) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const amounts = node.textContent!.matchAll(new RegExp(`-?${currency}\\s?[\\d,.]*\\d`, 'g'));
      for (const { index, 0: amount } of amounts) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + amount.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`${amount} has ${lines.size} lines`);
        const { right, width } = range.getBoundingClientRect();
        if (width === 0) continue;
        for (let box = node.parentElement; box; box = box.parentElement) {
          if (getComputedStyle(box).overflowX === 'visible' && box !== document.documentElement)
            continue;
          if (box.closest('.visually-hidden')) break;
          const edge = box.getBoundingClientRect().right;
          const scrolls = ['auto', 'scroll'].includes(getComputedStyle(box).overflowX);
          if (scrolls) break;
          if (right > edge + 1)
            found.push(`${amount} is cut off by ${box.localName}.${box.className}`);
        }
      }
    }
    return found;
  }, sign);

describe('amounts', browser.needed, () => {
  for (const { currency, sign, amount } of [
    { currency: 'KWD', sign: 'KWD', amount: 123_456_789.125 },
    { currency: 'JPY', sign: '¥', amount: 98_765_432_101 },
  ]) {
    test(`${currency}: large amounts stay whole, on a phone and a laptop`, async () => {
      const rich = await openPayoutApp({
        settings: { 'site.currency': currency, 'payouts.auto_accept_max': 0 },
      });
      await rich.app.set({ 'api.rate_per_minute': 100_000 });
      const first = await rich.coupon(amount);
      await rich.coupon(amount, idOf('tomas'));
      const payout = await rich.payoutAt('pending', amount);
      const placed = {
        date: rich.app.site.calendar.toLocal(rich.app.site.clock()),
        status: 'completed',
        subtotal: amount,
        total: amount,
        coupon_codes: ['PAY1'],
      };
      const reply = await rich.app.call(`${STORE}/orders/7`, {
        method: 'PUT',
        key: rich.admin,
        json: placed,
      });
      assert.ok(reply.status < 300, reply.text);
      const paths = {
        maya: ['/app', '/app/orders', '/app/money'],
        admin: [
          '/console',
          '/console/affiliates',
          `/console/affiliates/${idOf('maya')}`,
          '/console/coupons',
          `/console/coupons?coupon=${first}`,
          '/console/orders',
          '/console/orders/7',
          '/console/payouts',
          `/console/payouts/${payout.id}`,
          '/console/reports',
          '/console/reports?by=affiliate',
          '/console/reports?by=country',
        ],
      };
      const found: string[] = [];
      for (const [login, screensOf] of Object.entries(paths)) {
        for (const width of [390, 1280]) {
          const tab = await openPortal(browser, rich.app, login, '/healthz', { width });
          for (const path of screensOf) {
            await moveToScreen(tab.page, rich.app.url + path);
            const tooWide = await tab.page.evaluate(() => {
              const { scrollWidth, clientWidth } = document.documentElement;
              return scrollWidth - clientWidth;
            });
            if (tooWide > 0)
              found.push(`${path}, ${width} px: ${tooWide} px wider than the window`);
            const broken = await brokenAmounts(tab.page, sign);
            found.push(...broken.map((one) => `${path}, ${width} px: ${one}`));
          }
          await tab.close();
        }
      }
      assert.deepEqual(found, []);
    });
  }
});
