import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sendAnnouncements } from '../../src/addons/announcements/announcements/send-announcements.ts';
import { runSeries } from '../../src/addons/announcements/series/run-series.ts';
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
        .getByRole('link', { name: 'Inbox' })
        .filter({ visible: true })
        .first()
        .click();
      await portal.page.getByRole('link', { name: 'News' }).click();
      await portal.page.getByRole('heading', { name: subject }).waitFor();
      await portal.page.getByText('Hello maya,').first().waitFor();
      await portal.assertAccessible();
      await portal.close();
    }
    const key = await app.key('admin', 'read');
    const { body } = await app.call('/svc/store/v1/announcements', { key });
    assert.ok(body.every((one: { state: string }) => one.state === 'sent'));
  });

  test('of a series is read for an affiliate, changed and switched on', async () => {
    await runSeries.run(app.site);
    for (const [i, look] of looks.entries()) {
      const name = ['Welcome', 'First order'][i]!;
      const path = '/console/announcements?tab=series';
      const tab = await openPortal(browser, app, 'manager', path, look);
      const { page } = tab;
      await page.getByRole('link', { name }).first().waitFor();
      await tab.assertAccessible();
      await page.getByRole('link', { name }).first().click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByText(['New affiliates', 'After the first order'][i]!).first().waitFor();
      await tab.assertAccessible();
      await page.getByRole('link', { name: 'Add an email' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Days after entering').fill('90');
      await dialog.getByLabel('Subject (English)').fill('Still there?');
      await dialog.getByLabel('Text (English)').fill('Hello {{name}}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'Still there?' }).waitFor();
      await page.getByRole('link', { name: 'Preview' }).click();
      await dialog.getByLabel('Affiliate').fill('maya');
      await dialog.getByRole('button', { name: 'Show' }).click();
      await dialog.getByText('Hello maya,').first().waitFor();
      await tab.assertAccessible();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Switch on' }).click();
      await page.getByRole('button', { name: 'Switch off' }).waitFor();
      await tab.close();
    }
  });

  test('the team takes a person out of a series after a confirmation', async () => {
    const key = await app.key('admin', 'read,write,manage');
    const { body: all } = await app.call('/svc/store/v1/series', { key });
    const { id, active } = all.find(({ name }: { name: string }) => name === 'Welcome');
    assert.equal(active, true);
    for (const [i, look] of looks.entries()) {
      const name = ['Nora', 'Noah'][i]!;
      const json = { login: name, email: `${name}@new.example`, display_name: name };
      await app.call('/svc/store/v1/affiliates', { method: 'POST', key, json });
      await runSeries.run(app.site);
      const path = `/console/announcements?series=${id}`;
      const tab = await openPortal(browser, app, 'manager', path, look);
      const { page } = tab;
      const row = page.getByRole('row', { name });
      await row.getByText('Waiting').waitFor();
      await tab.assertAccessible();
      await row.getByRole('link', { name: `Take out ${name}` }).click();
      const dialog = page.getByRole('dialog', { name: `Take ${name} out of this series?` });
      await dialog.waitFor();
      await tab.assertAccessible();
      await page.keyboard.press('Escape');
      await row.getByText('Waiting').waitFor();
      await row.getByRole('link', { name: `Take out ${name}` }).click();
      await dialog.getByRole('button', { name: 'Take out' }).click();
      await row.getByText('Left: taken out').waitFor();
      assert.equal(await row.getByRole('link', { name: 'Take out' }).count(), 0);
      await tab.close();
    }
  });
});
