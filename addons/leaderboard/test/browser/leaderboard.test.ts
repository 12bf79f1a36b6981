import { describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { looks } from '../../../../test/browser/tab.ts';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

const app = await openTestApp({
  settings: { 'leaderboard.enabled': true, 'leaderboard.period': 'days_30' },
});
const browser = await openBrowser();
const admin = await app.key('admin', 'read,write,manage');
const json = { code: 'MAYA10', user_id: idOf('maya') };
await app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json });
await app.call('/svc/store/v1/orders/1', {
  method: 'PUT',
  key: admin,
  json: {
    status: 'completed',
    date: app.site.calendar.dayOf(app.site.clock()),
    subtotal: 120,
    total: 120,
    coupon_codes: ['MAYA10'],
  },
});

describe('the leaderboard in the portal', browser.needed, () => {
  test('an affiliate agrees in the profile to be named on it', async () => {
    const tab = await openPortal(browser, app, 'maya', '/app');
    const { page } = tab;
    await page.getByText('Others do not read your name here.').waitFor();
    await page.getByRole('link', { name: 'Change in your profile' }).click();
    const card = page.locator('section', { hasText: 'Show my name on the leaderboard' }).last();
    await card.getByLabel('Show my name on the leaderboard').check();
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved').waitFor();
    await page.goto(`${app.url}/app`);
    await page.getByText('Others read your name here.').waitFor();
    await tab.close();
  });

  for (const look of looks) {
    test(`${look.name}: on the home screen, and in the profile`, async () => {
      for (const [path, text] of [
        ['/app', 'Leaderboard'],
        ['/app/profile?section=about', 'Show my name on the leaderboard'],
      ] as const) {
        const tab = await openPortal(browser, app, 'maya', path, look);
        await tab.page.getByText(text).first().waitFor();
        await tab.assertAccessible();
        await tab.assertNoSidewaysScroll();
        await tab.close();
      }
    });
  }
});
