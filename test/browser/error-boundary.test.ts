import { describe, test } from 'node:test';
import { openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';

const app = await openTestApp();
await app.key('admin', 'read');
const browser = await openBrowser();

describe('a screen that fails while it is shown', browser.needed, () => {
  test('says so and offers a reload, and another screen still works', async () => {
    const tab = await openPortal(browser, app, 'admin', '/console/team', {
      expected: /TypeError/,
    });
    const { page } = tab;
    // No list has such rows, so the screen throws.
    const list = /\/api-keys\?/;
    await page.route(list, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: [null] });
    });
    await page.getByRole('link', { name: 'API keys' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Something went wrong').waitFor();
    await alert.getByRole('button', { name: 'Reload' }).waitFor();
    await tab.assertAccessible();
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('heading', { name: 'Team' }).waitFor();
    await page.unroute(list);
    await page.getByRole('link', { name: 'API keys' }).click();
    await alert.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.getByRole('row').waitFor();
  });
});
