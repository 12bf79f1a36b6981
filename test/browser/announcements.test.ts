import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sendAnnouncements } from '../../src/addons/announcements/announcements/send-announcements.ts';
import { openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { looks } from './tab.ts';

/** The owner writes to affiliates and sees who gets it; an affiliate reads it and unsubscribes. */
const app = await openTestApp();
const browser = await openBrowser();

describe('an announcement', browser.needed, () => {
  test('is written, sent after a look at its receivers, and read in the portal', async () => {
    for (const look of looks) {
      const subject = `A new collection (${look.width})`;
      const tab = await openPortal(browser, app, 'manager', '/console/announcements', look);
      const { page } = tab;
      await page.getByRole('link', { name: 'Write an announcement' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Subject (English)').fill(subject);
      await dialog.getByLabel('Text (English)').fill('Hello {{name}},\n\nhave a look.');
      await tab.assertAccessible();
      await dialog.getByLabel('By email').uncheck();
      await dialog.getByRole('button', { name: 'Save draft' }).click();
      await page.getByRole('heading', { level: 1, name: subject }).waitFor();
      await page.getByRole('heading', { name: 'Receivers: 2' }).waitFor();
      for (const name of ['maya', 'tomas'])
        await page.getByRole('link', { name }).first().waitFor();
      await tab.assertAccessible();
      await page.getByRole('link', { name: 'Send', exact: true }).click();
      await page.getByRole('heading', { name: 'Send to 2 people?' }).waitFor();
      await page.getByRole('button', { name: 'Send now' }).click();
      await page.getByText('Being sent').waitFor();
      await sendAnnouncements.run(app.site);
      await page.getByText('Being sent').waitFor({ state: 'detached' });
      await tab.close();

      const portal = await openPortal(browser, app, 'maya', '/app', look);
      await portal.page
        .getByRole('link', { name: 'News' })
        .filter({ visible: true })
        .first()
        .click();
      await portal.page.getByRole('heading', { name: subject }).waitFor();
      await portal.page.getByText('Hello maya,').first().waitFor();
      await portal.assertAccessible();
      await portal.close();
    }
    const key = await app.key('admin', 'read');
    const { body } = await app.call('/svc/store/v1/announcements', { key });
    assert.ok(body.every((one: { state: string }) => one.state === 'sent'));
  });
});
