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

/** The browser of this process and how many test files use it: those that run in one process share one. */
let launched: Promise<Browser> | undefined;
let users = 0;

/** A browser for the tests of a file, closed after them. Call it once, at the top of the file. */
export async function openBrowser(): Promise<TestBrowser> {
  users += 1;
  after(async () => {
    users -= 1;
    if (users > 0) return;
    const unused = launched;
    launched = undefined;
    await (await unused)?.close();
  });
  const found = foundBrowser();
  if ('missing' in found) {
    const error = new Error(`no browser: ${found.missing}`);
    // In CI, a missing browser must fail the build.
    if (process.env['CI']) throw error;
    return { needed: { skip: error.message }, open: () => Promise.reject(error) };
  }
  launched ??= chromium.launch({
    executablePath: found.program.path,
    args: BROWSER_FLAGS,
    env: browserEnvironment(found.program),
    timeout: SAFETY_NET_MS,
  });
  const browser = await launched;
  return {
    needed: { skip: false },
    open: (address, options = {}) => openTab(browser, address, options),
  };
}
