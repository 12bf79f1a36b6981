import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { looks } from '../../../../test/browser/tab.ts';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import { sendAnnouncements } from '../../announcements/send-announcements.ts';
import { runSeries } from '../../series/run-series.ts';

/** The owner writes to affiliates and sees who gets it; an affiliate reads it and unsubscribes. */
const app = await openTestApp();
const browser = await openBrowser();
{
  const key = await app.key('admin', 'read,write,manage');
  const send = async (path: string, json: object, method = 'POST') => {
    const reply = await app.call(`/svc/store/v1${path}`, { method, key, json });
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  await send('/coupons', { user_id: idOf('maya'), code: 'MAYA10' });
  await send('/groups', { name: 'Gold', percent_override: 15 });
  await send(`/affiliates/${idOf('maya')}`, { groups: ['Gold'] }, 'PATCH');
}

describe('an announcement', browser.needed, () => {
  test('is written, sent after a look at its receivers, and read in the portal', async () => {
    for (const look of looks) {
      const subject = `A new collection (${look.width})`;
      const tab = await openPortal(browser, app, 'manager', '/console/announcements', look);
      const { page } = tab;
      await page.getByRole('link', { name: 'Write an announcement' }).click();
      await page.waitForURL('**/console/announcements/new');
      await page.getByText('All 2 active affiliates', { exact: true }).waitFor();
      await page.getByLabel('Subject (English)').fill(subject);
      await page.getByLabel('Text (English)').fill('Hello {{name}},\n\nuse {{coupon_code}}.');
      await page.getByRole('button', { name: 'Deutsch' }).click();
      await page.getByLabel('Subject (Deutsch)').fill('Neue Stücke');
      await page.getByLabel('Text (Deutsch)').fill('Hallo {{name}}');
      assert.equal(await page.getByLabel('Subject (English)').isVisible(), false);
      // Without a choice it is the first receiver.
      await page.getByText('Hello maya,').waitFor();
      await page.getByLabel('Affiliate', { exact: true }).fill('tomas');
      await page.getByRole('button', { name: 'Show as this affiliate' }).click();
      await page.getByText('Hello tomas,').waitFor();
      await page.getByLabel('Affiliate', { exact: true }).fill('maya');
      await page.getByRole('button', { name: 'Show as this affiliate' }).click();
      await page.getByText('use MAYA10.').waitFor();
      await page.getByText('Only to some of them').click();
      await page.getByRole('checkbox', { name: 'Gold' }).check();
      await page.getByText('1 active affiliate of group Gold').waitFor();
      await tab.assertAccessible();
      await page.getByRole('checkbox', { name: 'Gold' }).uncheck();
      await page.getByText('All 2 active affiliates', { exact: true }).waitFor();
      await page.getByLabel('By email').uncheck();
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByRole('heading', { level: 1, name: subject }).waitFor();
      await page.getByRole('heading', { name: 'Receivers: 2' }).waitFor();
      for (const name of ['maya', 'tomas'])
        await page.getByRole('link', { name }).first().waitFor();
      await page.getByText('Hello maya,').waitFor();
      await tab.assertAccessible();
      await page.getByRole('link', { name: 'Change' }).click();
      await page.waitForURL('**/edit');
      assert.equal(await page.getByLabel('Subject (English)').inputValue(), subject);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByRole('heading', { name: 'Receivers: 2' }).waitFor();
      await page.getByRole('link', { name: 'Send', exact: true }).click();
      await page.getByRole('heading', { name: 'Send to 2 people?' }).waitFor();
      await tab.assertAccessible();
      await page.getByRole('button', { name: 'Send now' }).click();
      await page.getByText('Being sent').waitFor();
      await sendAnnouncements.run(app.site);
      await page.getByText('Being sent').waitFor({ state: 'detached' });
      await page.getByText('2: 2 in the portal', { exact: true }).waitFor();
      await tab.close();

      const portal = await openPortal(browser, app, 'maya', '/app', look);
      await portal.page
        .getByRole('link', { name: 'Inbox' })
        .filter({ visible: true })
        .first()
        .click();
      await portal.page.getByRole('link', { name: 'News' }).click();
      await portal.page.getByRole('heading', { name: subject }).waitFor();
      await portal.page.getByText('use MAYA10.').first().waitFor();
      await portal.assertAccessible();
      await portal.close();
    }
    const key = await app.key('admin', 'read');
    const { body } = await app.call('/svc/store/v1/announcements', { key });
    assert.ok(body.every((one: { state: string }) => one.state === 'sent'));
  });

  test('waits for the count before it can be sent, and is not sent to no person', async () => {
    const key = await app.key('admin', 'read,write');
    const texts = { en: { subject: 'To Gold', text: 'Hello {{name}}' } };
    const draftTo = async (groups: string[]) => {
      const json = { texts, segment: { groups } };
      const path = '/svc/store/v1/announcements';
      return (await app.call(path, { method: 'POST', key, json })).body.id as number;
    };
    const ways = [await draftTo(['Gold']), await draftTo(['Platinum'])];
    const tab = await openPortal(browser, app, 'manager', '/console/announcements');
    const { page } = tab;
    const answered = Promise.withResolvers<void>();
    await page.route('**/announcements/preview', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.goto(`${app.url}/console/announcements/${ways[0]}?open=send`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Counting the receivers').waitFor();
    assert.equal(await page.getByText('No active affiliate').count(), 0);
    await dialog.getByRole('button', { name: 'Send now', disabled: true }).waitFor();
    answered.resolve();
    await dialog.getByText('1 active affiliate of group Gold').waitFor();
    await dialog.getByText('no email server is set up').waitFor();
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Being sent').waitFor();
    await sendAnnouncements.run(app.site);
    await page.getByText('Waits for an email server').waitFor();
    await page.goto(`${app.url}/console/announcements/${ways[1]}?open=send`);
    await dialog.getByText('No active affiliate of group Platinum.').waitFor();
    await dialog.getByRole('button', { name: 'Send now', disabled: true }).waitFor();
    await tab.assertAccessible();
    await tab.close();
  });

  test('of a series is read for an affiliate, changed and switched on', async () => {
    for (const [i, look] of looks.entries()) {
      const name = ['Welcome', 'First order'].at(i)!;
      const path = '/console/announcements?tab=series';
      const tab = await openPortal(browser, app, 'manager', path, look);
      const { page } = tab;
      if (i === 0) {
        await page.getByText('Three emails to each new affiliate').waitFor();
        await tab.assertAccessible();
        await page.getByRole('button', { name: 'Add these three' }).click();
      }
      await page.getByRole('link', { name }).first().waitFor();
      await tab.assertAccessible();
      await page.getByRole('link', { name }).first().click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByText(['New affiliates', 'After the first order'].at(i)!).first().waitFor();
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
      await dialog.getByRole('button', { name: 'Show as this affiliate' }).click();
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
      const name = ['Nora', 'Noah'].at(i)!;
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
