import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { takeContext } from './contexts.ts';

export interface TabOptions {
  /** In CSS pixels: 390 is a phone, 1280 a laptop. */
  width?: number;
  theme?: 'light' | 'dark';
  /** False disables JavaScript. */
  javaScript?: boolean;
  /** The expected status code; 200 by default. */
  status?: number;
  /** The user agent, where the browser's own would count as a bot. */
  userAgent?: string;
  /** Other hosts that the page may send requests to. */
  hosts?: readonly string[];
  /** The person that is signed in; without it the tab is anonymous. */
  as?: { readonly login: string; readonly password: string };
  /** Errors in the console that belong to the test, such as refused requests, which the browser reports. */
  expected?: RegExp;
}

/** Each size and each theme once: a theme changes no size. */
export const looks = [
  { width: 390, theme: 'light', name: '390 px, light' },
  { width: 1280, theme: 'dark', name: '1280 px, dark' },
] as const;

/**
 * The rules of WCAG up to 2.2 AA, and the best practices of axe. It reports violations alone, and leaves out frames, in
 * which no script runs here: a report of everything takes twice the processor time.
 */
const AXE_OPTIONS: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  selectors: false,
  iframes: false,
  preload: false,
};

const axeScript = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Defined by the script of axe in a page. */
interface WithAxe {
  axe?: typeof axe;
}

/** Forbidden actions of a page, with a description of each. */
interface Misdeeds {
  readonly requests: string[];
  readonly messages: string[];
}

/**
 * A page in the browser with the checks that apply to every page. `close` fails the test when
 * the page sent a request to another host, reported an error, or violated its Content-Security-Policy.
 */
export class Tab {
  readonly page: Page;
  readonly #violations: Misdeeds;
  readonly #release: () => Promise<void>;

  constructor(page: Page, misdeeds: Misdeeds, release: () => Promise<void>) {
    this.page = page;
    this.#violations = misdeeds;
    this.#release = release;
  }

  /** WCAG 2.2 AA as far as a program can judge it. */
  async assertAccessible(): Promise<void> {
    await this.#styled();
    const { page } = this;
    const isThere = await page.evaluate(() => (globalThis as WithAxe).axe !== undefined);
    if (!isThere) await page.evaluate(axeScript);
    const found = await page.evaluate(async (options) => {
      const { axe } = globalThis as WithAxe;
      axe!.configure({ rules: [{ id: 'color-contrast', selector: '[data-contrast]' }] });
      const chosen = someOfEachLook();
      for (const element of chosen) element.setAttribute('data-contrast', '');
      const { violations } = await axe!.run(options);
      for (const element of chosen) element.removeAttribute('data-contrast');
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)} (${node.failureSummary})`),
      );

      /**
       * The contrast of a text follows from its own style and those around it. It is most of the work of axe, and the
       * rows of a table look alike, so it is measured for the first three texts with the same styles. What is
       * positioned may cover something else, and is measured each time.
       */
      function someOfEachLook(): Element[] {
        const styles = new Map<Element, string>();
        const counts = new Map<string, number>();
        return [...document.querySelectorAll('body, body *')].filter((element) => {
          const style = getComputedStyle(element);
          const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } = style;
          const isPlaced = !['static', 'relative'].includes(style.position);
          const look = [
            styles.get(element.parentElement!),
            element.localName,
            element.className,
            color,
            backgroundColor,
            backgroundImage,
            opacity,
            fontSize,
            fontWeight,
            element.matches(':disabled'),
            isPlaced || style.transform !== 'none' ? styles.size : '',
          ].join('|');
          styles.set(element, look);
          const hasText = [...element.childNodes].some(
            (node) => node instanceof Text && node.data.trim() !== '',
          );
          if (!element.matches('input, select, textarea') && !hasText) return false;
          if (!element.checkVisibility()) return false;
          counts.set(look, (counts.get(look) ?? 0) + 1);
          return counts.get(look)! <= 3;
        });
      }
    }, AXE_OPTIONS);
    assert.deepEqual(found, []);
  }

  /** Asserts that the page fits the window; wider content scrolls in a box reachable by keyboard. */
  async assertNoSidewaysScroll(): Promise<void> {
    await this.#styled();
    const { tooWide, unreachable } = await this.page.evaluate(() => {
      const root = document.documentElement;
      const boxes = [...document.querySelectorAll('body *')].filter(
        (element) =>
          element.scrollWidth > element.clientWidth &&
          ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
      );
      const isReachable = (box: Element) =>
        (box as HTMLElement).tabIndex >= 0 || box.querySelector('a, button, input') !== null;
      return {
        tooWide: root.scrollWidth > root.clientWidth ? root.scrollWidth - root.clientWidth : 0,
        unreachable: boxes
          .filter((box) => !isReachable(box))
          .map((box) => box.outerHTML.slice(0, 200)),
      };
    });
    assert.equal(tooWide, 0, `the page is ${tooWide} px wider than the window`);
    assert.deepEqual(unreachable, [], 'boxes that scroll and cannot be reached with the keyboard');
  }

  /** After a click, the new page may be there before its style sheet. */
  #styled(): Promise<void> {
    return this.page.waitForLoadState('load');
  }

  /** Closes the tab. Fails if the page did something forbidden. */
  async close(): Promise<void> {
    await this.#release();
    assert.deepEqual(this.#violations.requests, [], 'requests to other hosts');
    assert.deepEqual(this.#violations.messages, [], 'errors of the page');
  }
}

export async function openTab(
  browser: Browser,
  address: string,
  options: TabOptions,
): Promise<Tab> {
  const { status = 200, expected } = options;
  const { origin } = new URL(address);
  const { context, release } = await takeContext(browser, origin, options);
  const hosts = [new URL(address).host, ...(options.hosts ?? [])];
  const misdeeds: Misdeeds = { requests: [], messages: [] };
  // The browser resolves no other name (see BROWSER_FLAGS). To intercept requests here would switch off its cache.
  const origins = new Set<string>();
  const watch = (request: Request) => {
    const { origin: sentTo } = new URL(request.url());
    // Of data: and blob: addresses it is null.
    if (sentTo !== 'null') origins.add(sentTo);
    if (!isAllowed(request, hosts)) misdeeds.requests.push(request.url());
  };
  context.on('request', watch);
  if (options.as) {
    const response = await context.request.post(`${origin}/session`, { data: options.as });
    assert.equal(response.status(), 201, await response.text());
  }
  const page = await context.newPage();
  allowSeveral(page);
  page.on('pageerror', (error) => misdeeds.messages.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // The browser itself reports the page's own status, which is compared below.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded');
    if (isStatus && message.location().url === page.url()) return;
    if (expected?.test(message.text())) return;
    misdeeds.messages.push(message.text());
  });
  const response = await page.goto(address);
  assert.equal(response!.status(), status, address);
  return new Tab(page, misdeeds, async () => {
    context.off('request', watch);
    await release(origins);
  });
}

/** The prototype of all locators, once it has been changed. */
let changed: Locator | undefined;

/**
 * Waiting for something asks whether it is there, not whether it is there once: what has loaded decides how often a page
 * shows a text. Playwright refuses to wait for a locator with two matches, so here every wait is for any visible match.
 * Clicks and inputs stay strict.
 */
function allowSeveral(page: Page): void {
  const locators = Object.getPrototypeOf(page.locator('body')) as Locator;
  if (locators === changed) return;
  changed = locators;
  const waitForOne = locators.waitFor;
  locators.waitFor = function (this: Locator, options) {
    const isShown = !['attached', 'detached'].includes(options?.state ?? 'visible');
    const any = isShown ? this.filter({ visible: true }) : this;
    return waitForOne.call(any.first(), options);
  };
}

function isAllowed(request: Request, hosts: readonly string[]): boolean {
  const { protocol, host } = new URL(request.url());
  return hosts.includes(host) || protocol === 'data:' || protocol === 'blob:';
}
