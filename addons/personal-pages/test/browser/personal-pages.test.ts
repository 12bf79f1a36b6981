import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { looks } from '../../../../test/browser/tab.ts';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

const app = await openTestApp({
  settings: {
    'site.store_url': 'https://store.example/',
    'site.name': 'Alpine',
    'personal_pages.enabled': true,
  },
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
const create = { width: 600, height: 800, channels: 3, background: '#0b6b53' } as const;
const buffer = await sharp({ create }).png().toBuffer();

describe('personal pages', browser.needed, () => {
  test('written in the portal, declined, written again and accepted in the console', async () => {
    const tab = await openPortal(browser, app, 'maya', '/app/links?tab=page', { expected: /400/ });
    const { page } = tab;
    const words = page.getByLabel('Your words');
    await words.fill('Two winters in these boots.\n\nStill dry.');
    const file = page.getByLabel('Picture', { exact: false });
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no') });
    const sendButton = page.getByRole('button', { name: 'Send for review' });
    await sendButton.click();
    await page.getByText(/This picture cannot be used/).waitFor();
    await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await sendButton.click();
    await page.getByText(/Visitors do not see it yet/).waitFor();
    await page.getByRole('img', { name: 'Your picture' }).waitFor();

    const team = await openPortal(browser, app, 'admin', '/console');
    await team.page.getByRole('link', { name: '1 personal page to review' }).click();
    await team.page.getByRole('link', { name: 'maya' }).click();
    const dialog = team.page.getByRole('dialog');
    await dialog.getByText('Still dry.').waitFor();
    await team.assertAccessible();
    await dialog.getByLabel('Reason').fill('Which boots?');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.reload();
    await page.getByText(/did not accept your last version.*Which boots\?/).waitFor();
    await words.fill('Two winters in the Ridge boots.');
    await sendButton.click();
    await page.getByText(/Visitors do not see it yet/).waitFor();
    await team.page.goto(`${app.url}/console/personal-pages?state=waiting`);
    await team.page.getByRole('link', { name: 'maya' }).click();
    await dialog.getByRole('button', { name: 'Accept and show' }).click();
    await dialog.waitFor({ state: 'detached' });
    await team.close();
    await tab.close();
  });

  for (const look of looks) {
    test(`${look.name}: the page, its form and its review`, async () => {
      const visitor = await browser.open(`${app.url}/with/MAYA10?lang=en`, look);
      const { page } = visitor;
      await page.getByRole('heading', { name: 'maya recommends Alpine' }).waitFor();
      assert.match(
        (await page.getByRole('link', { name: 'Go to Alpine' }).getAttribute('href'))!,
        /\/r\/MAYA10$/,
      );
      const picture = page.getByRole('img', { name: 'maya' });
      assert.ok(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      await visitor.close();
      for (const [login, path, text] of [
        ['maya', '/app/links?tab=page', 'Your page'],
        ['admin', '/console/personal-pages', 'Two winters'],
      ] as const) {
        const tab = await openPortal(browser, app, login, path, look);
        await tab.page.getByText(text).first().waitFor();
        await tab.assertAccessible();
        await tab.assertNoSidewaysScroll();
        await tab.close();
      }
    });
  }
});
