import type { Page } from 'playwright-core';
import texts from '../../texts/en/common.json' with { type: 'json' };
import { addonFacts } from '../support/addon-facts.ts';
import { everyAddonOn } from '../support/every-addon-on.ts';
import type { TestApp } from '../support/harness.ts';

/** The objects whose own screens are shown. */
interface Shown {
  readonly affiliate: number;
  readonly order: number;
  readonly payout: number;
}

/** The addresses of the screens that add-ons bring. */
export const addonScreens = (app: 'portal' | 'console') =>
  addonFacts.flatMap(({ screens }) => screens?.[app] ?? []);

/** Lets add-ons make something to show with the coupon of an affiliate; the addresses of the console that show it. */
export async function fillScreens(app: TestApp, code: string): Promise<string[]> {
  const paths: string[] = [];
  for (const { beforeScreens } of addonFacts)
    paths.push(...((await beforeScreens?.(app, code)) ?? []));
  return paths;
}

/** The addresses of all screens and public pages, by the login of the person that sees them. */
export const screensOf = ({ affiliate, order, payout }: Shown) => ({
  '': ['/?lang=en', '/apply?lang=en', '/app/login?lang=en', '/app/forgot?lang=en'],
  maya: [
    '/app',
    '/app/links',
    '/app/orders',
    '/app/money',
    ...['about', 'notifications', 'security', 'sessions', 'keys', 'figures'].map(
      (section) => `/app/profile?section=${section}`,
    ),
    ...addonScreens('portal'),
  ],
  admin: [
    '/console',
    '/console/affiliates',
    ...['summary', 'coupons', 'orders', 'payouts', 'clicks', 'ledger', 'notes', 'activity'].map(
      (tab) => `/console/affiliates/${affiliate}?tab=${tab}`,
    ),
    '/console/coupons',
    '/console/rewards',
    '/console/rewards/new',
    '/console/rewards?tab=bonuses',
    '/console/rewards/new-bonus',
    '/console/rewards?tab=groups',
    '/console/orders',
    `/console/orders/${order}`,
    `/console/payouts/${payout}`,
    '/console/applications',
    '/console/reports',
    '/console/reports?by=affiliate',
    '/console/clicks',
    '/console/activity',
    '/console/imports',
    '/console/keys',
    '/console/team',
    '/console/settings',
    '/console/settings?group=brand',
    '/console/settings?group=program',
    '/console/mails',
    '/console/mails/registration-accepted',
    '/console/outbox',
    '/console/add-ons',
    ...addonScreens('console'),
  ],
});

/** Without these, some of the screens are not there. */
export const settingsOfScreens = {
  'site.store_url': 'https://shop.example',
  ...everyAddonOn,
};

/** Opens a screen by its address and waits until everything on it has loaded. */
export async function openScreen(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilShown(page);
}

/**
 * Opens a screen from another one of the same app, as its links do, which takes a third of the processor time: the
 * program is loaded already. A screen that does not exist is shown in between, so that the one before is unmounted.
 * Loads the page where it has left the app, or a dialog stays open.
 */
export async function moveToScreen(page: Page, url: string): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  const app = pathname.split('/')[1]!;
  if (!page.url().startsWith(`${origin}/${app}`)) return openScreen(page, url);
  const nowhere = `/${app}/none`;
  const title = texts['notFound.title'];
  await page.evaluate((address) => history.pushState(null, '', address), nowhere);
  await page.waitForFunction((text) => document.querySelector('h1')?.textContent === text, title);
  if ((await page.locator('dialog:modal').count()) > 0) return openScreen(page, url);
  await page.evaluate((address) => history.replaceState(null, '', address), pathname + search);
  await page.waitForFunction((text) => document.querySelector('h1')?.textContent !== text, title);
  await untilShown(page);
}

async function untilShown(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('h1') !== null && document.querySelector('.skeleton') === null,
  );
}
