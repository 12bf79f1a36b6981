import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { SAFETY_NET_MS } from '../support/eventually.ts';
import type { TabOptions } from './tab.ts';

/** Contexts without a tab, by browser and options. */
const idle = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/**
 * A context without cookies and storage: a new one, or one that was emptied after another test. That saves more than half
 * of opening a page, because its program is loaded and compiled; `--process-per-site` keeps its process.
 */
export async function takeContext(
  browser: Browser,
  origin: string,
  { width = 1280, theme = 'light', javaScript = true, userAgent }: TabOptions,
): Promise<{ context: BrowserContext; release: (origins: Iterable<string>) => Promise<void> }> {
  const options: BrowserContextOptions = {
    viewport: { width, height: 800 },
    colorScheme: theme,
    // A placeholder that pulsates is drawn sixty times a second.
    reducedMotion: 'reduce',
    javaScriptEnabled: javaScript,
    ignoreHTTPSErrors: true,
    ...(userAgent !== undefined && { userAgent }),
  };
  const all = idle.get(browser) ?? new Map<string, BrowserContext[]>();
  idle.set(browser, all);
  const key = JSON.stringify(options);
  const context = all.get(key)?.pop() ?? (await newContext(browser, origin, options));
  const release = async (origins: Iterable<string>) => {
    const [keeper, ...pages] = context.pages();
    const session = await context.newCDPSession(keeper!);
    await Promise.all(pages.map((page) => page.close()));
    for (const one of origins) {
      await session.send('Storage.clearDataForOrigin', { origin: one, storageTypes: 'all' });
    }
    await session.detach();
    await context.clearCookies();
    await context.clearPermissions();
    await context.setOffline(false);
    all.set(key, [...(all.get(key) ?? []), context]);
  };
  return { context, release };
}

async function newContext(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(SAFETY_NET_MS);
  // Stays open, and with it the process of the site, which is the host without its port.
  const keeper = await context.newPage();
  await keeper.goto(`${origin}/healthz`);
  return context;
}
