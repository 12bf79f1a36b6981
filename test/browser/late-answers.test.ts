import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { addonFacts } from '../support/addon-facts.ts';
import { idOf } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { addonScreens, fillScreens, moveToScreen, settingsOfScreens } from './screens.ts';

const payouts = await openPayoutApp({ settings: settingsOfScreens });
const { app, admin } = payouts;
await app.set({ 'api.page_rate_per_minute': 100_000 });
const browser = await openBrowser();

async function send(method: string, path: string, json: object): Promise<any> {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const coupon = await payouts.coupon(84.2);
const { code } = (await app.call(`/coupons/${coupon}`, { key: admin })).body;
await fillScreens(app, code);
const rule = await send('POST', '/rewards/rules', { rate: { percent: 5 } });
const window = { kind: 'month' };
const target = { by: 'sales', counts: 'granted', window, at: 1000 };
const bonus = await send('POST', '/rewards/bonuses', { name: 'Sum', target, pays: { amount: 5 } });
const group = await send('POST', '/groups', { name: 'Gold', percent_override: 15 });

const MAYA = `/console/affiliates/${idOf('maya')}`;
const forms = {
  maya: [
    ...addonScreens('portal').filter((path) => path.includes('?open=new')),
    '/app/payout-details?change=1',
    ...['about', 'notifications', 'security'].map((one) => `/app/profile?section=${one}`),
  ],
  admin: [
    `${MAYA}?do=edit`,
    '/console/affiliates?do=create',
    '/console/coupons?coupon=new',
    `/console/coupons?coupon=${coupon}`,
    `/console/rewards/${rule.id}`,
    `/console/rewards/bonus-${bonus.id}`,
    '/console/rewards/new-bonus',
    `/console/rewards?tab=groups&open=${group.id}`,
    '/console/stores?connect=http',
    ...addonScreens('console').filter((path) => path.includes('?create=1')),
    ...addonFacts.flatMap((facts) => facts.forms ?? []),
    '/console/keys?dialog=new',
    '/console/team?dialog=invite',
    '/console/mails/registration-accepted',
  ],
};

/** The values of the fields that were touched, by their place. */
const valuesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('[data-touched]')].map((field) => {
      const isTicked = field.type === 'checkbox' || field.type === 'radio';
      return `${field.name} ${field.value} ${isTicked ? field.checked : ''}`;
    }),
  );

/** Changes every field as a person does: a text, another choice, the other state. */
async function touchAll(page: Page): Promise<void> {
  const fields = page.locator('form :is(input, select, textarea):enabled:not([readonly])');
  for (const field of await fields.all()) {
    if (!(await field.isVisible().catch(() => false))) continue;
    await field.evaluate((element: HTMLInputElement | HTMLSelectElement) => {
      const tellChange = () => {
        element.dispatchEvent(new InputEvent('input', { bubbles: true }));
        element.dispatchEvent(new Event('change', { bubbles: true }));
      };
      element.dataset['touched'] = '';
      if (element instanceof HTMLSelectElement) {
        element.selectedIndex = element.options.length - 1;
        return tellChange();
      }
      if (element.type === 'checkbox') return element.click();
      if (['radio', 'file', 'search'].includes(element.type))
        return element.removeAttribute('data-touched');
      const texts: Record<string, string> = { date: '2026-02-03', number: '7', color: '#123456' };
      element.value = texts[element.type] ?? `${element.value}7`;
      tellChange();
    });
  }
}

/** The answer as it is after a change by another person: other texts, percentages and choices. */
function changed(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
    if (name === 'percent' && typeof value === 'number') return value + 1;
    if (['display_name', 'note'].includes(name) && typeof value === 'string') return `${value} Two`;
    if (name === 'action') return value === 'hold' ? 'note' : 'hold';
    if (name === 'discount') return { type: 'fixed', amount: 3 };
    return value;
  });
}

describe('what was touched stays, whatever answers come later', browser.needed, () => {
  for (const [login, paths] of Object.entries(forms)) {
    test(`as ${login}`, async () => {
      // The preview of a form may refuse what was touched.
      const expected = /status of 4\d\d/;
      const home = login === 'admin' ? '/console' : '/app';
      const tab = await openPortal(browser, app, login, home, { expected });
      const { page } = tab;
      const lost: string[] = [];
      let touched = 0;
      for (const path of paths) {
        await moveToScreen(page, app.url + path);
        await page.locator('form').first().waitFor();
        const held: Route[] = [];
        const isHeld = (url: URL) => url.pathname.startsWith('/svc/');
        let isReleased = false;
        await page.route(isHeld, (route) => {
          if (isReleased) return route.continue();
          held.push(route);
          return undefined;
        });
        // The screen asks again for all that it shows, as when a person comes back to it; the answers wait.
        await page.evaluate(() => {
          const now = Date.now.bind(Date);
          Date.now = () => now() + 60_000;
          dispatchEvent(new Event('focus'));
          Date.now = now;
        });
        await touchAll(page);
        const before = await valuesOf(page);
        touched += before.length;
        isReleased = true;
        await Promise.all(
          held.map(async (route) => {
            const response = await route.fetch();
            const body = await response.text();
            const isJson = route.request().method() === 'GET' && /^[[{]/.test(body);
            await route.fulfill({ response, body: isJson ? changed(body) : body });
          }),
        );
        await page.unroute(isHeld);
        // What the answers change is drawn in the frame after.
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
        );
        const after = await valuesOf(page);
        for (const [i, value] of before.entries()) {
          if (after[i] !== value) lost.push(`${path}: ${value} became ${after[i]}`);
        }
      }
      assert.deepEqual(lost, []);
      assert.ok(touched > 20, String(touched));
      await tab.close();
    });
  }
});
