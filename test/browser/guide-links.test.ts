import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { guidePages } from '../../src/modules/help/guide-pages.ts';
import type { GuideReader } from '../../src/web-contract/guides.ts';
import { withAddons } from '../support/addon-facts.ts';
import { eventually } from '../support/eventually.ts';
import { openPayoutApp } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { moveToScreen, settingsOfScreens } from './screens.ts';

const { app } = await openPayoutApp({ settings: settingsOfScreens });
await app.set({ 'api.rate_per_minute': 100_000 });
const browser = await openBrowser();

/** The address of each screen or part of one, and the guide that it leads to. */
const ownScreens: Readonly<Record<string, string | undefined>> = {
  '/console': 'owner',
  '/console/applications': 'owner#applications',
  '/console/affiliates': 'owner#affiliates-and-coupons',
  '/console/orders': 'owner#why-an-order-earned-what-it-did',
  '/console/rewards': 'rewards',
  '/console/rewards/new': 'rewards',
  '/console/rewards?tab=bonuses': 'owner#bonuses',
  '/console/coupons': 'owner#affiliates-and-coupons',
  '/console/clicks': 'links-and-clicks#what-is-counted',
  '/console/settings': 'good-program',
  '/console/mails': 'owner#emails-and-brand',
  '/console/outbox': 'owner#when-something-fails',
  '/console/team': 'owner#team-and-keys',
  '/console/keys': 'api#keys-and-scopes',
  '/console/imports': 'moving-from-another-system',
  '/console/reports': 'owner#reports',
  '/console/activity': 'owner#activity',
  '/console/add-ons': 'owner#add-ons',
};
const consoleScreens = withAddons(ownScreens, (facts) => facts.consoleGuides);
const ownPortalScreens: Readonly<Record<string, string | undefined>> = {
  '/app/links': 'your-figures#name-the-places-of-your-links',
  '/app/profile?section=keys': 'your-figures',
  '/app': 'your-account',
  '/app/orders': 'your-account#orders',
  '/app/money': 'your-account#money',
  '/app/rewards': 'your-account#how-you-earn',
  '/app/profile?section=about': undefined,
};
const portalScreens = withAddons(ownPortalScreens, (facts) => facts.portalGuides);

/** Guides that no screen is about, with the page that leads to them. */
const ownWithoutScreen: Readonly<Record<string, string>> = {
  tracking: '/help/links-and-clicks',
  'reward-rules': '/help/rewards',
  figures: '/help/your-figures',
  'by-guide': '/help/api',
};
const withoutScreen = withAddons(ownWithoutScreen, (facts) => facts.guidesWithoutScreen);

const linked = new Set<string>();
const guideOf = (address: string) => address.split('#')[0]!;

async function guidesOn(page: Page): Promise<string[]> {
  // What is behind a dialog cannot be pressed.
  const dialog = (await page.locator('dialog:modal').count()) > 0 ? 'dialog:modal ' : '';
  const links = page.locator(`${dialog}.guide-link`);
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
}

/** A section that does not exist would open a guide at its top. */
async function assertOpens(address: string): Promise<void> {
  const [, section] = address.split('#');
  const { status, text } = await app.call(`~/help/${guideOf(address)}`);
  assert.equal(status, 200, address);
  if (section) assert.ok(text.includes(` id="${section}"`), address);
}

async function assertLeads(
  login: string,
  screens: typeof consoleScreens,
  readers: readonly GuideReader[],
): Promise<void> {
  const tab = await openPortal(browser, app, login, '/healthz', { width: 390 });
  for (const [path, guide] of Object.entries(screens)) {
    await moveToScreen(tab.page, app.url + path);
    const expected = guide === undefined ? [] : [`/help/${guide}`];
    await eventually(async () => assert.deepEqual(await guidesOn(tab.page), expected, path));
    if (guide === undefined) continue;
    await assertOpens(guide);
    assert.ok(readers.includes(guidePages().get(guideOf(guide))!.reader), `${path}: ${guide}`);
    linked.add(guideOf(guide));
  }
  await tab.close();
}

describe('the guide that the head of a screen leads to', browser.needed, () => {
  test('console: one for owners or for integrators', () =>
    assertLeads('admin', consoleScreens, ['owner', 'integrator']));

  test('portal: one for affiliates', () => assertLeads('maya', portalScreens, ['affiliate']));

  test('every guide is about a screen, or another guide leads to it', async () => {
    const missing = [...guidePages().keys()].filter((name) => !linked.has(name));
    assert.deepEqual(missing.toSorted(), Object.keys(withoutScreen).toSorted());
    for (const [name, from] of Object.entries(withoutScreen)) {
      assert.match((await app.call(`~${from}`)).text, new RegExp(`href="/help/${name}["#]`));
    }
  });

  test('opens in a tab of its own, and leaves what was typed', async () => {
    const tab = await openPortal(browser, app, 'admin', '/console/rewards/new');
    const { page } = tab;
    const percent = page.getByRole('textbox', { name: 'Percent' });
    await percent.fill('12');
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Guide (opens in a new tab)' }).click();
    const guide = await opened;
    await guide.getByRole('heading', { level: 1, name: 'Rewards: who earns what' }).waitFor();
    assert.equal(await guide.evaluate(() => opener), null);
    assert.equal(await percent.inputValue(), '12');
    await guide.close();
    await tab.close();
  });

  test('is not on a screen that the person may not see', async () => {
    const tab = await openPortal(browser, app, 'manager', '/console/team');
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual(await guidesOn(tab.page), []);
    await tab.close();
  });
});
