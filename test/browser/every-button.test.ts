import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page, Request } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { idOf } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import {
  addonScreens,
  fillScreens,
  moveToScreen,
  openScreen,
  settingsOfScreens,
} from './screens.ts';

const payouts = await openPayoutApp({
  settings: settingsOfScreens,
});
const { app, admin } = payouts;
await app.set({ 'api.rate_per_minute': 100_000 });
const browser = await openBrowser();

// Something to press for on most screens.
const coupon = await payouts.coupon(84.2);
await payouts.coupon(20, idOf('tomas'));
await payouts.payoutAt('pending');
const date = app.site.calendar.toLocal(app.site.clock());
const { code } = (await app.call(`/coupons/${coupon}`, { key: admin })).body;
const order = { date, status: 'completed', subtotal: 50, total: 50, coupon_codes: [code] };
const received = await app.call(`${STORE}/orders/7`, { method: 'PUT', key: admin, json: order });
assert.ok(received.status < 300, received.text);
const filled = await fillScreens(app, code);

const portal = [
  '/app',
  '/app/rewards',
  '/app/links',
  '/app/orders',
  '/app/money',
  ...['about', 'notifications', 'security', 'sessions', 'keys'].map(
    (section) => `/app/profile?section=${section}`,
  ),
  ...addonScreens('portal'),
];
const console_ = [
  '/console',
  '/console/affiliates',
  `/console/affiliates/${idOf('maya')}`,
  '/console/coupons',
  '/console/rewards',
  '/console/rewards/new',
  '/console/rewards?tab=bonuses',
  '/console/rewards/new-bonus',
  '/console/rewards?tab=groups',
  '/console/orders',
  '/console/orders/7',
  '/console/applications',
  '/console/reports',
  '/console/clicks',
  '/console/activity',
  '/console/imports',
  '/console/keys',
  '/console/team',
  '/console/settings',
  '/console/mails',
  '/console/outbox',
  '/console/add-ons',
  ...addonScreens('console'),
  ...filled,
];

/** Of a choice, the one that is chosen already does nothing. */
const BUTTONS = 'button:not(.segmented > [aria-pressed="true"]), a.button, summary';

type Open = typeof openScreen;

async function open(page: Page, path: string, by: Open): Promise<void> {
  await by(page, app.url + path);
  if (path.endsWith('open=new')) await page.locator('dialog').waitFor();
}

/** The first button of the screen that was not pressed yet. The page is asked once for all, as there are hundreds. */
async function nextButton(page: Page, pressed: ReadonlySet<string>, unanswered: Unanswered) {
  // A screen shows what it knew, and asks again: an answer can take a button away, or move the others.
  await untilAnswered(page, unanswered);
  const dialog = page.locator('dialog:modal');
  // What is behind a dialog cannot be pressed.
  const within = (await dialog.count()) > 0 ? dialog.last() : page;
  const buttons = within.locator(BUTTONS).filter({ visible: true });
  const labels = await buttons.evaluateAll((elements) =>
    elements.map((element) => {
      const own = (element.getAttribute('aria-label') ?? element.textContent).trim();
      // The navigation is the same on every screen, so its buttons are pressed once.
      return element.closest('main') ? own : `${own} (frame)`;
    }),
  );
  const index = labels.findIndex((label) => !pressed.has(label));
  return index === -1 ? undefined : { button: buttons.nth(index), label: labels[index]! };
}

async function untilAnswered(page: Page, unanswered: Unanswered): Promise<void> {
  await eventually(async () => {
    // An answer that has arrived is drawn in the first frame, and what it shows asks for more before the second.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    assert.equal([...unanswered].map((request) => request.url()).join(), '');
  });
}

interface Counted {
  changes?: number;
}

/** Presses a button, and waits until something has changed on the page, in its address, or was sent. */
async function assertDoesSomething(page: Page, button: Locator, label: string): Promise<void> {
  await page.evaluate(() => {
    const counted = globalThis as Counted;
    counted.changes = 0;
    const observer = new MutationObserver((changes) => (counted.changes! += changes.length));
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    observer.observe(document.body, all);
  });
  const before = page.url();
  let sent = 0;
  const count = () => (sent += 1);
  page.on('request', count).on('download', count);
  await button.click();
  await eventually(async () => {
    const isElsewhere = page.url() !== before;
    // After a navigation the page has no count, and has changed.
    const changes = await page.evaluate(() => (globalThis as Counted).changes ?? 1).catch(() => 1);
    assert.ok(isElsewhere || sent > 0 || changes > 0, `"${label}" on ${before} does nothing`);
  });
  page.off('request', count).off('download', count);
}

type Unanswered = ReadonlySet<Request>;

/** What was sent and not answered: what a screen asks for when it is opened must not count as done by a button. */
function watchRequests(page: Page): Unanswered {
  const unanswered = new Set<Request>();
  page.on('request', (request) => {
    // Another page does not wait for what the one before has sent.
    if (request.isNavigationRequest()) unanswered.clear();
    unanswered.add(request);
  });
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  return unanswered;
}

async function pressEverything(login: string, paths: readonly string[]): Promise<string[]> {
  // What a button sends may be refused, as an empty form is; the page says so.
  const tab = await openPortal(browser, app, login, '/healthz', { expected: /status of 4\d\d/ });
  const { page } = tab;
  // The dialog of the system, which a browser without windows waits for.
  await page.addInitScript(() => {
    globalThis.print = () => document.body.setAttribute('data-printed', '');
  });
  const unanswered = watchRequests(page);
  const all: string[] = [];
  // Ends the session: another test presses it.
  const frame = new Set(['Sign out (frame)', 'Sign out']);
  for (const path of paths) {
    const pressed = new Set(frame);
    await open(page, path, openScreen);
    for (let next; (next = await nextButton(page, pressed, unanswered));) {
      const { button, label } = next;
      pressed.add(label);
      all.push(`${path}: ${label}`);
      if (label.endsWith('(frame)')) frame.add(label);
      await assertDoesSomething(page, button, label);
      await open(page, path, moveToScreen);
    }
  }
  await tab.close();
  return all;
}

describe('every button does something', browser.needed, () => {
  test('of the portal', async () => {
    const pressed = await pressEverything('maya', portal);
    assert.ok(pressed.length >= 20, pressed.join('\n'));
  });

  test('of the console', async () => {
    const pressed = await pressEverything('admin', console_);
    assert.ok(pressed.length >= 25, pressed.join('\n'));
  });

  for (const { login, path } of [
    { login: 'maya', path: '/app' },
    { login: 'admin', path: '/console' },
  ]) {
    test(`signing out of ${path} leaves the page`, async () => {
      // Calls that are still on their way are refused.
      const tab = await openPortal(browser, app, login, path, { expected: /status of 401/ });
      const { page } = tab;
      await page.getByRole('button', { name: 'Sign out' }).filter({ visible: true }).click();
      await page.waitForURL('**/app/login*');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await tab.close();
    });
  }
});
