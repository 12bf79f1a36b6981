import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { looks } from '../../../../test/browser/tab.ts';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

const app = await openTestApp({ settings: { 'site.store_url': 'https://store.example/' } });
const browser = await openBrowser();
const admin = await app.key('admin', 'read,write,manage');
const call = async (method: string, path: string, json: object) => {
  const reply = await app.call(`/svc/store/v1${path}`, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
};
await call('POST', '/coupons', { code: 'MAYA10', user_id: idOf('maya') });
await call('POST', '/groups', { name: 'Gold' });
const png = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#0b6b53' } })
  .png()
  .toBuffer();

describe('creatives', browser.needed, () => {
  test('added in the console, refused with the reason, changed and deleted', async () => {
    const tab = await openPortal(browser, app, 'admin', '/console/creatives', {
      expected: /400/,
    });
    const { page } = tab;
    await page.getByText('No creatives yet').waitFor();
    assert.equal(
      await page.getByRole('combobox', { name: 'Kind' }).count(),
      0,
      'nothing to filter',
    );
    await page.getByRole('button', { name: 'Add a creative' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Banner');
    await dialog.getByLabel('What does the image show?').fill('A green field');
    const file = dialog.getByLabel('File', { exact: true });
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no') });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/is no image/).waitFor();
    await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Banner' }).click();
    await dialog.getByLabel('Category').fill('Summer');
    for (const name of ['maya', 'tomas']) {
      await dialog.getByLabel('Find affiliates').fill(name);
      await dialog.getByRole('button', { name: `Add ${name}`, exact: true }).click();
    }
    await dialog.getByRole('button', { name: 'Remove tomas' }).click();
    await tab.assertAccessible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Summer' }).waitFor();
    await page.getByRole('cell', { name: '1 affiliate', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Banner' }).click();
    await dialog.getByText('maya', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await call('POST', '/creatives', { kind: 'text', name: 'Post', text: 'Look: {link}' });
    await page.goto(`${app.url}/console/creatives?kind=text`);
    await page.getByRole('link', { name: 'Post' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Post').waitFor({ state: 'detached' });
    await tab.close();
  });

  test('a click on the link of a creative', async () => {
    await call('POST', '/clicks', { code: 'MAYA10', creative: 1 });
  });

  for (const look of looks) {
    test(`${look.name}: shown, and copied from the portal with link and code`, async () => {
      const list = await openPortal(browser, app, 'admin', '/console/creatives', look);
      await list.page.getByText('Banner').first().waitFor();
      await list.assertAccessible();
      await list.assertNoSidewaysScroll();
      await list.close();
      const tab = await openPortal(browser, app, 'maya', '/app/links?tab=material', look);
      const { page } = tab;
      await page.getByRole('img', { name: 'A green field' }).waitFor();
      await page.getByText('Clicks: 1 · With an order: 0 · 90 days').waitFor();
      await page.getByLabel('Copy as').selectOption('markdown');
      await tab.assertAccessible();
      await tab.assertNoSidewaysScroll();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy Banner' }).click();
      await page.getByText('Copied to the clipboard').waitFor();
      assert.match(
        await page.evaluate(() => navigator.clipboard.readText()),
        /^\[!\[A green field\]\(http.*\.png\)\]\(http.*MAYA10\?creative=1\)\n\nCode: MAYA10$/,
      );
      await tab.close();
    });
  }
});
