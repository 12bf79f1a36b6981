import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { looks } from '../../../../test/browser/tab.ts';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

/** An affiliate writes with a file, the team sees that something waits and answers, the affiliate reads it. */
const app = await openTestApp();
const browser = await openBrowser();
const maya = idOf('maya');

describe('messages', browser.needed, () => {
  test('go from the portal to the console and back, and are read', async () => {
    for (const look of looks) {
      const question = `May I use the picture? (${look.width})`;
      const answer = `Gladly. (${look.width})`;
      const portal = await openPortal(browser, app, 'maya', '/app', look);
      await portal.page
        .getByRole('link', { name: 'Inbox' })
        .filter({ visible: true })
        .first()
        .click();
      await portal.page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
      await portal.page.getByLabel('Your message').fill(question);
      await portal.page.getByLabel('Files').setInputFiles({
        name: 'poster.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('A poster'),
      });
      const chosen = portal.page.locator('.file-field');
      assert.equal(await chosen.innerText(), 'Choose files\nposter.txt');
      await portal.page.getByRole('button', { name: 'Send' }).click();
      await portal.page.getByText(question).waitFor();
      assert.equal(await portal.page.getByLabel('Your message').inputValue(), '');
      assert.equal(await chosen.innerText(), 'Choose files\nor drop it here');
      await portal.page
        .getByRole('link', { name: /^poster\.txt/ })
        .last()
        .waitFor();
      await portal.page.getByText('Not read yet').waitFor();
      await portal.assertAccessible();
      await portal.close();

      const team = await openPortal(browser, app, 'manager', '/console', look);
      const { page } = team;
      await page.getByRole('link', { name: '1 thread with unread messages' }).click();
      await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor();
      await page.getByText('1 unread').filter({ visible: true }).first().waitFor();
      await team.assertAccessible();
      const marks = page.locator('.count-mark').filter({ visible: true });
      await marks.first().waitFor();
      await page.getByRole('link', { name: 'maya', exact: true }).click();
      await page.getByText(question).waitFor();
      await marks.first().waitFor({ state: 'detached' });
      await page.getByText('New', { exact: true }).waitFor();
      const file = await page
        .getByRole('link', { name: /^poster\.txt/ })
        .last()
        .getAttribute('href');
      assert.match(file!, new RegExp(`^/svc/store/v1/affiliates/${maya}/messages/files/\\d+$`));
      await page.getByLabel('Your message').fill(answer);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(answer).waitFor();
      await team.assertAccessible();
      await page.goto(`${app.url}/console/affiliates/${maya}`);
      await page.getByRole('main').getByRole('link', { name: 'Messages' }).click();
      await page.getByText(answer).waitFor();
      await team.close();

      const again = await openPortal(browser, app, 'maya', '/app', look);
      const mark = again.page.locator('.portal-nav .count-mark').filter({ visible: true });
      await mark.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      const { x, width } = (await mark.boundingBox())!;
      assert.ok(x + width <= look.width, `the mark ends at ${x + width}`);
      await mark.evaluate(() => (document.documentElement.style.fontSize = ''));
      await again.page
        .getByRole('link', { name: 'Inbox (1 unread)' })
        .filter({ visible: true })
        .first()
        .click();
      await again.page.getByText(answer).waitFor();
      await again.page.getByText('Read', { exact: true }).last().waitFor();
      await again.page
        .getByRole('link', { name: 'Inbox (1 unread)' })
        .waitFor({ state: 'detached' });
      await again.close();
    }
    const key = await app.key('admin', 'read');
    const { body } = await app.call(`/svc/store/v1/affiliates/${maya}/messages`, { key });
    assert.ok(body.length === 4 && body.every((one: { read: boolean }) => one.read));
  });

  test('every screen of the console is in the navigation of a small laptop without scrolling', async () => {
    const tab = await openPortal(browser, app, 'admin', '/console', looks[1]);
    await tab.page.setViewportSize({ width: 1280, height: 800 });
    const list = tab.page.locator('.console-side .nav-screens');
    await list.waitFor();
    const room = await list.evaluate(
      ({ scrollHeight, clientHeight }) => clientHeight - scrollHeight,
    );
    assert.ok(room >= 0, `${-room} px do not fit`);
    const own = tab.page.locator('.console-side .nav-own');
    for (const name of ['Your profile', 'Sign out']) {
      const target = own.getByText(name, { exact: true }).locator('..');
      const { height } = (await target.boundingBox())!;
      assert.ok(height >= 24);
    }
    await tab.close();
  });
});
