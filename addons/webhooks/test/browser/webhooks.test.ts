import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { Receiver } from '../../../../test/support/receiver.ts';
import { openWebhookApp, STORE } from '../webhook-app.ts';

const webhooks = await openWebhookApp({ jobs: 'all', settings: { 'site.name': 'Juniper' } });
const { app, admin } = webhooks;
const browser = await openBrowser();
const receiver = await new Receiver().listen();

const openConsole = (path: string, options = {}) =>
  openPortal(browser, app, 'admin', `/console/webhooks${path}`, options);

describe('the screens of webhooks', browser.needed, () => {
  test('created, failing, its error found, repaired, sent again', async () => {
    const tab = await openConsole('');
    const { page } = tab;
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Accounting');
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('radio', { name: 'Only these events' }).check();
    await page.getByRole('checkbox', { name: /^referral\.created/ }).check();
    await page.getByRole('button', { name: 'Create and show the secret' }).click();
    const secret = page.getByRole('dialog', { name: 'The signing secret' }).locator('code');
    assert.match((await secret.textContent())!, /^whsec_/);
    await tab.assertAccessible();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Accounting' }).waitFor();
    await page.getByText('Nothing was sent in the last 30 days.').waitFor();

    receiver.answer = (_request, response) =>
      response.writeHead(500, { server: 'books' }).end('The ledger is closed.');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The receiver answered 500.').waitFor();
    await webhooks.emit();
    const id = Number(page.url().split('/').at(-1));
    await webhooks.attempts(id, 1);
    await page.goto(`${app.url}/console`);
    await page.getByRole('link', { name: '1 webhook fails' }).click();
    const row = page.getByRole('row', { name: /Accounting/ });
    await row.getByText('Failing').waitFor();
    await row.getByRole('link', { name: 'Accounting' }).click();
    await page.getByText('0% of 1 attempt in the last 30 days succeeded.').waitFor();
    await page.getByRole('link', { name: 'Waiting', exact: true }).click();
    await page.getByRole('link', { name: /referral\.created/ }).click();
    const dialog = page.getByRole('dialog', { name: /Event no\./ });
    await dialog.getByText('The ledger is closed.').waitFor();
    await dialog.getByText('server: books').waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.assertAccessible();

    receiver.answer = 204;
    await dialog.getByRole('button', { name: 'Send it again' }).click();
    await dialog.getByText('Delivered').waitFor();
    await dialog.getByText(/204 in \d+ ms/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('50% of 2 attempts in the last 30 days succeeded.').waitFor();
    await page.getByText('Working').waitFor();
    assert.equal(receiver.ids.filter((event) => event > 0).length, 2);

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('link', { name: 'Send events again' }).click();
    await page.getByLabel('After event').fill('0');
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => assert.ok(receiver.ids.filter((event) => event > 0).length >= 3));
    await tab.close();
  });

  test('on a phone and in the dark: readable, and no wider than the window', async () => {
    const { body } = await app.call(`${STORE}/webhooks/health`, { key: admin });
    for (const look of [{ width: 390 }, { width: 1280, theme: 'dark' }] as const) {
      const tab = await openConsole('', look);
      const { page } = tab;
      await page.getByRole('link', { name: 'Accounting' }).waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await page.goto(`${app.url}/console/webhooks/${body[0].id}?view=table`);
      await page.getByRole('table', { name: 'Success rate' }).waitFor();
      await page.getByRole('link', { name: /referral\.created/ }).waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await tab.close();
    }
  });

  test('a manager neither sees the screen nor may call for its data', async () => {
    const tab = await openPortal(browser, app, 'manager', '/console/webhooks');
    await tab.page.getByRole('heading', { name: 'This is for administrators' }).waitFor();
    assert.equal(await tab.page.getByRole('link', { name: 'Webhooks' }).count(), 0);
    const session = await app.signIn('manager');
    const reply = await app.call(`${STORE}/webhooks/health`, { session });
    assert.equal(reply.status, 403);
    await tab.close();
  });
});
