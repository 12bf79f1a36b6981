import { after } from 'node:test';
import { chromium, type Browser } from 'playwright-core';
import { SAFETY_NET_MS } from '../support/eventually.ts';
import { BROWSER_FLAGS, browserEnvironment, foundBrowser } from './program.ts';
import { openTab, type Tab, type TabOptions } from './tab.ts';

export interface TestBrowser {
  /** Options for `describe`: skips it without a browser, with the reason, which the runner repeats. */
  readonly needed: { readonly skip: string | false };
  /** Opens a URL in a tab with its own session (cookies, storage). */
  open(address: string, options?: TabOptions): Promise<Tab>;
}

/** One browser for a test file, closed after its tests. Call it once, at the top of the file. */
export async function openBrowser(): Promise<TestBrowser> {
  let running: Browser | undefined;
  after(() => running?.close());
  const found = foundBrowser();
  if ('missing' in found) {
    const error = new Error(`no browser: ${found.missing}`);
    // In CI, a missing browser must fail the build.
    if (process.env['CI']) throw error;
    return { needed: { skip: error.message }, open: () => Promise.reject(error) };
  }
  running = await chromium.launch({
    executablePath: found.program.path,
    args: BROWSER_FLAGS,
    env: browserEnvironment(found.program),
    timeout: SAFETY_NET_MS,
  });
  const browser = running;
  return {
    needed: { skip: false },
    open: (address, options = {}) => openTab(browser, address, options),
  };
}
