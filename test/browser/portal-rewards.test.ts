import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { looks } from './tab.ts';

const app = await openTestApp();
const browser = await openBrowser();
const admin = await app.key('admin', 'read,write,manage');
const call = async (method: string, path: string, json: object) => {
  const reply = await app.call(`/svc/store/v1${path}`, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
};
await call('POST', '/coupons', { code: 'MAYA10', user_id: idOf('maya') });
await call('POST', '/rewards/rules', { what: { tags: ['sale'] }, rate: { excluded: true } });
await call('POST', '/rewards/rules', { rate: { percent: 15 } });
const date = app.site.calendar.toLocal(app.site.clock());
const order = { date, status: 'completed', subtotal: 50, total: 50, coupon_codes: ['MAYA10'] };
await call('PUT', '/orders/7', order);

describe('how an affiliate earns', browser.needed, () => {
  for (const look of looks) {
    test(`${look.name}: the rules as sentences, from the first screen and after a reload`, async () => {
      const tab = await openPortal(browser, app, 'maya', '/app', look);
      const { page } = tab;
      await page.locator('main').getByRole('link', { name: 'How you earn' }).click();
      await page.getByText('You earn 15%.').waitFor();
      await page.reload();
      await page.getByText('You earn 15%.').waitFor();
      await page.getByText('Everything else').waitFor();
      await tab.assertAccessible();
      await tab.assertNoSidewaysScroll();
      await tab.close();
    });
  }

  test('an order names the rule that decided, to the affiliate and to the team', async () => {
    const portal = await openPortal(browser, app, 'maya', '/app/orders?order=7');
    await portal.page.getByRole('dialog').getByText('You earn 15%.').waitFor();
    await portal.close();
    const team = await openPortal(browser, app, 'manager', '/console/orders/7');
    await team.page.getByText('Everyone earns 15%.').waitFor();
    await team.close();
  });
});
