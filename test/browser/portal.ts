import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { PASSWORD, type TestApp } from '../support/harness.ts';
import type { TestBrowser } from './browser.ts';
import type { Tab, TabOptions } from './tab.ts';

/** Opens a screen of the portal in a browser in which this person is signed in. */
export function openPortal(
  browser: TestBrowser,
  app: TestApp,
  login: string,
  path: string,
  options: TabOptions = {},
): Promise<Tab> {
  return browser.open(`${app.url}${path}`, { ...options, as: { login, password: PASSWORD } });
}

/** Presses Tab until the focus is on what has this name, as a person without a mouse does. */
export async function tabTo({ page }: Tab, name: string): Promise<void> {
  const TABS_MAX = 60;
  for (let i = 0; i < TABS_MAX; i += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent;
      return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '';
    });
    if (focused.includes(name)) return;
  }
  throw new Error(`The keyboard does not reach "${name}".`);
}

/** A double click of which both halves come before the answers of this address, however quick the service is. */
export async function doubleClick(page: Page, button: Locator, address: string): Promise<void> {
  const clicked = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await clicked.promise;
    await route.fallback();
  });
  await button.dblclick();
  clicked.resolve();
  await page.unroute(address);
}

/** Ends all sessions of a person in browsers, as an administrator or another device can. */
export async function endSessions(app: TestApp, login: string): Promise<void> {
  const session = await app.signIn(login);
  const reply = await app.call('/svc/store/v1/account/sessions', { method: 'DELETE', session });
  assert.equal(reply.status, 200, reply.text);
}
