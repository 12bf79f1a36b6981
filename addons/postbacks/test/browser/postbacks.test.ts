import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { idOf } from '../../../../test/support/people.ts';
import { Receiver } from '../../../../test/support/receiver.ts';
import { openPostbackApp } from '../postback-app.ts';

const postbacks = await openPostbackApp({ settings: { 'site.name': 'Juniper' } });
const { app } = postbacks;
const browser = await openBrowser();
const receiver = await new Receiver().listen();

describe('the postbacks of an affiliate', browser.needed, () => {
  test('set up on a phone, seen before it is saved, sent, switched off, sent again', async () => {
    await postbacks.order(1042);
    const options = { width: 390, expected: /Failed to load resource/ };
    const tab = await openPortal(browser, app, 'maya', '/app/orders', options);
    const { page } = tab;
    await page.getByRole('link', { name: 'Send your orders to your own tools' }).click();
    await page.getByText('You have no postback yet.').waitFor();
    await page.getByRole('button', { name: 'Add a postback' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a postback' });
    await dialog.getByLabel('Address').fill(`${receiver.url}?o={ordre}`);
    await dialog.getByRole('button', { name: 'Show the request' }).click();
    await dialog.getByText(/This address cannot be used/).waitFor();
    await dialog.getByLabel('Address').fill(`${receiver.url}?o={order}&s={status}`);
    await dialog.getByRole('button', { name: 'Show the request' }).click();
    await dialog.getByText(`GET ${receiver.url}?o=1042&s=created`).waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.assertAccessible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Deliveries' }).waitFor();
    assert.equal(receiver.received.length, 0, 'nothing is sent before an order changes');

    await postbacks.order(1042, { status: 'completed' });
    await postbacks.sendUntil(() => assert.equal(receiver.received.length, 1));
    await page.getByRole('button', { name: 'Deliveries' }).click();
    const log = page.getByRole('dialog', { name: 'Deliveries' });
    await log.getByText('Order 1042: Earned').waitFor();
    await log.getByText('Delivered').waitFor();
    const { calendar, clock } = app.site;
    await log.getByLabel('From this day').fill(calendar.dayOf(clock()));
    await log.getByRole('button', { name: 'Send again' }).click();
    await log.getByText('Everything since that day is sent again.').waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.assertAccessible();
    await postbacks.sendUntil(() => assert.equal(receiver.received.length, 3));
    await log.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change the postback' });
    assert.deepEqual(await change.getByLabel('Kind').locator('option').allTextContents(), [
      'GET, values in the address',
      'POST, values in the address',
    ]);
    await change.getByLabel('Address').fill(`${receiver.url}?order={order}`);
    await change.getByLabel('Kind').selectOption('post');
    await change.getByLabel('Created').uncheck();
    await change.getByRole('button', { name: 'Show the request' }).click();
    await change.getByText(`POST ${receiver.url}?order=1042`).waitFor();
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`POST ${receiver.url}?order={order}`).waitFor();
    await page.getByText('Earned, Changed, Reversed').waitFor();
    await tab.assertNoSidewaysScroll();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('You have no postback yet.').waitFor();
    await tab.close();
  });

  test('signed JSON on a large dark screen shows its secret once', async () => {
    const options = { width: 1280, theme: 'dark' as const };
    const tab = await openPortal(browser, app, 'maya', '/app/postbacks?open=new', options);
    const { page } = tab;
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Kind').selectOption('json');
    await page.getByRole('button', { name: 'Show the request' }).click();
    await page.getByText(/"type":"order\.granted"/).waitFor();
    await tab.assertAccessible();
    await page.getByRole('button', { name: 'Save' }).click();
    const secret = page.getByRole('dialog', { name: 'Your signing secret' });
    assert.match((await secret.locator('code').textContent())!, /^whsec_/);
    await tab.assertAccessible();
    await secret.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Deliveries' }).waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.close();
  });

  test('the team sees where an affiliate has its orders sent', async () => {
    const { id } = await postbacks.postback({ url: 'https://tracker.invalid/{order}' });
    const tab = await openPortal(browser, app, 'admin', `/console/affiliates/${idOf('maya')}`);
    const card = tab.page.getByRole('region', { name: 'Postbacks' });
    await card.getByText(`${id} · tracker.invalid`).waitFor();
    await card.getByText('On', { exact: true }).first().waitFor();
    await tab.close();
  });
});
