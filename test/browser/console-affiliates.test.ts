import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, refusal } from '../support/harness.ts';
import { outbox } from '../support/outbox.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal, tabTo } from './portal.ts';
import type { Tab, TabOptions } from './tab.ts';

const payouts = await openPayoutApp({ settings: { 'site.name': 'Juniper' } });
const { app, admin } = payouts;
await payouts.coupon(84.2);
const manager = await app.key('manager', 'read,write,manage');
const browser = await openBrowser();

const laptop: TabOptions = { width: 1280, theme: 'dark' };
const consoleAs = (login: string, path: string, options: TabOptions = laptop) =>
  openPortal(browser, app, login, `/console/${path}`, options);

async function judge(tab: Tab): Promise<void> {
  await tab.assertAccessible();
  await tab.assertNoSidewaysScroll();
}

describe('affiliates in the console', browser.needed, () => {
  test('a manager invites with the keyboard, adds a coupon, suspends, and looks at the portal', async () => {
    const tab = await consoleAs('manager', 'affiliates', { ...laptop, expected: /403/ });
    const { page } = tab;
    await page.getByRole('link', { name: 'Maya' }).first().waitFor();
    await judge(tab);
    await tabTo(tab, 'Invite affiliate');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Invite affiliate' }).waitFor();
    await page.keyboard.type('Nora Lind');
    await page.keyboard.press('Tab');
    await page.keyboard.type('nora@lind.example');
    await page.keyboard.press('Tab');
    await page.keyboard.type('nora');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nora Lind' }).waitFor();
    const id = Number(new URL(page.url()).pathname.split('/').at(-1));
    assert.ok(
      (await outbox(app.site)).some(({ to_address }) => to_address === 'nora@lind.example'),
    );
    assert.equal(await page.getByRole('link', { name: 'Anonymise' }).count(), 0);
    await judge(tab);

    await page.getByRole('link', { name: 'Coupons' }).last().click();
    await page.getByRole('link', { name: 'New coupon' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Affiliate').inputValue(), 'nora');
    await dialog.getByLabel('Code').fill('NORA15');
    await dialog.getByLabel('Percentage').fill('15');
    await dialog.getByRole('button', { name: 'New coupon' }).click();
    await page.getByRole('link', { name: 'NORA15' }).waitFor();
    await page.getByText('15%').waitFor();

    await page.getByText('More actions').click();
    await page.getByRole('link', { name: 'Suspend' }).click();
    await dialog.getByLabel('Reason').fill('Sent spam');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Suspended').first().waitFor();
    await page.getByRole('link', { name: 'Notes' }).click();
    await page.getByText('Suspended: Sent spam').waitFor();
    await page.getByRole('textbox', { name: 'Note' }).fill('Called her.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('Called her.').last().waitFor();

    await page.getByRole('link', { name: 'View as' }).click();
    await dialog.getByRole('button', { name: 'View as' }).click();
    await page.getByText('You are looking at the portal of Nora Lind.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Profile' }).count(), 0);
    await page.getByRole('link', { name: 'Orders' }).first().click();
    await page.waitForURL(`${app.url}/app/orders?as=${id}`);
    await page.reload();
    await page.getByText('You are looking at the portal of Nora Lind.').waitFor();
    await judge(tab);
    const status = await page.evaluate(async (address) => {
      const { csrf_token: token } = (await (await fetch('/session')).json()) as {
        csrf_token: string;
      };
      const headers = {
        'X-Svc-CSRF': token,
        'X-Svc-View-As': '1',
        'Content-Type': 'application/json',
      };
      return (await fetch(address, { method: 'POST', headers, body: '{"text":"x"}' })).status;
    }, `${STORE}/affiliates/${id}/notes`);
    assert.equal(status, 403);
    await page.getByRole('link', { name: 'Back to the console' }).click();
    await page.getByRole('heading', { name: 'Nora Lind' }).waitFor();
    const { body } = await app.call('/events?event=affiliate.viewed', { key: admin });
    assert.deepEqual(
      body.map((event: any) => [event.data.user_id, event.user_id]),
      [[id, idOf('manager')]],
    );
    await tab.close();
  });

  test('an administrator on a phone: every tab fits; a coupon is created, assigned, rebuilt, disabled', async () => {
    const tab = await consoleAs('admin', 'affiliates', { width: 390, expected: /status of 4/ });
    const { page } = tab;
    await page.getByRole('link', { name: 'Maya' }).first().click();
    // Beside what is done often, the rest is in a menu.
    await page.getByText('More actions').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Anonymise' }).count(), 0);
    await page.getByText('More actions').click();
    await page.getByRole('link', { name: 'Anonymise' }).waitFor();
    await judge(tab);
    await page.getByText('More actions').click();
    const tabs = page.getByRole('navigation', { name: 'Parts' });
    for (const name of await tabs.getByRole('link').allTextContents()) {
      await tabs.getByRole('link', { name, exact: true }).click();
      // The first of several, if there are any.
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await tab.assertNoSidewaysScroll();
    }
    await page.goto(`${app.url}/console/coupons`);
    await page.getByRole('link', { name: 'New coupon' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('SPRING-1');
    await dialog.getByLabel('Percentage').fill('101');
    await dialog.getByRole('button', { name: 'New coupon' }).click();
    await dialog.getByText(/a percentage is at most 100/).waitFor();
    await judge(tab);
    await dialog.getByLabel('Percentage').fill('12,5');
    await dialog.getByRole('button', { name: 'New coupon' }).click();
    await page
      .getByRole('row', { name: /SPRING-1/ })
      .getByText('Nobody')
      .waitFor();
    await judge(tab);
    await page.getByRole('link', { name: 'SPRING-1', exact: true }).click();
    await dialog.getByLabel('Affiliate').fill('maya');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /SPRING-1/ });
    await row.getByText(/maya/i).waitFor();
    await page.getByRole('link', { name: 'SPRING-1', exact: true }).click();
    await dialog.getByRole('button', { name: 'Rebuild the figures' }).click();
    await dialog.getByText('The figures were rebuilt from the orders.').waitFor();
    await dialog.getByRole('button', { name: 'Rebuild the figures' }).click();
    await dialog.getByText(/rebuilt less than a minute ago/).waitFor();
    await judge(tab);
    await page.keyboard.press('Escape');
    await page.getByLabel('Select SPRING-1').check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    await tab.close();
  });

  test('what a role may not do is refused by the API too', async () => {
    const anonymise = await app.call(`${STORE}/affiliates/${idOf('maya')}/anonymise`, {
      method: 'POST',
      key: manager,
      json: { login: 'maya' },
    });
    assert.equal(refusal(anonymise), '403 svc_api_forbidden');
    const maya = await app.key('maya', 'read');
    assert.equal(
      refusal(await app.call(`${STORE}/affiliates`, { key: maya })),
      '403 svc_api_forbidden',
    );
  });
});
