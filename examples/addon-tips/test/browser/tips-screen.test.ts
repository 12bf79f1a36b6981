import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import type { TabOptions } from '../../../../test/browser/tab.ts';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

const file = join(import.meta.dirname, '../../tips.ts');
const looks: readonly TabOptions[] = [
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'light' },
];

describe('the screen of the tips add-on', async () => {
  const app = await openTestApp({ config: { extensions: file } });
  const browser = await openBrowser();
  const open = (path: string, options: TabOptions = {}) =>
    openPortal(browser, app, 'admin', path, options);

  describe('in a browser', browser.needed, () => {
    for (const look of looks) {
      test(`${look.width} px: it is in the navigation, and a tip is written on it`, async () => {
        const tab = await open('/console', look);
        const { page } = tab;
        if (look.width === 390) await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Tips' }).click();
        await page.getByRole('heading', { name: 'Tips', level: 1 }).waitFor();
        await page.getByLabel('Number of the affiliate').fill(String(idOf('maya')));
        const note = `Post on Fridays, at ${look.width}.`;
        await page.getByLabel('Tip', { exact: true }).fill(note);
        await page.getByRole('button', { name: 'Write a tip' }).click();
        await page.getByText('The tip was written.').waitFor();
        await page.getByRole('cell', { name: note }).waitFor();
        await tab.assertAccessible();
        await tab.assertNoSidewaysScroll();
        await tab.close();
      });
    }

    test('it says what the service refuses', async () => {
      const tab = await open('/console/tips', { expected: /404/ });
      await tab.page.getByLabel('Number of the affiliate').fill('4000000');
      await tab.page.getByLabel('Tip', { exact: true }).fill('It has no reader.');
      await tab.page.getByRole('button', { name: 'Write a tip' }).click();
      await tab.page.getByRole('alert').waitFor();
      await tab.close();
    });

    test('it has the words of the reader', async () => {
      const session = await app.signIn('admin');
      const account = '/svc/store/v1/account';
      const german = { method: 'PATCH', session, json: { language: 'de' } } as const;
      assert.equal((await app.call(account, german)).status, 200);
      const tab = await open('/console/tips');
      await tab.page.getByRole('heading', { name: 'Tipps', level: 1 }).waitFor();
      await tab.page.getByRole('link', { name: 'Tipps' }).first().waitFor();
      await tab.close();
      await app.call(account, { method: 'PATCH', session, json: { language: 'en' } });
    });
  });

  test('it is gone with the add-on', async () => {
    const session = await app.signIn('admin');
    const page = async (path: string) => app.call(`~${path}`, { session });
    const shown = await page('/console/tips');
    const [script] = /\/app\/screens\/tips-\w+\.js/.exec(shown.text)!;
    const served = await page(script);
    assert.match(served.headers.get('content-type')!, /^text\/javascript/);
    assert.match(served.text, /makeScreen/);
    await app.set({ 'addons.disabled': ['tips'] });
    assert.equal((await page('/console/tips')).status, 404);
    assert.equal((await page(script)).status, 404);
    assert.ok(!(await page('/console')).text.includes('/app/screens/'));
    await app.set({ 'addons.disabled': [] });
  });
});
