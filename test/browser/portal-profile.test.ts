import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { idOf, openTestApp, PASSWORD } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { looks } from './tab.ts';

const MINUTE_MS = 60_000;
const app = await openTestApp();
const browser = await openBrowser();

const openProfile = (section: string, options = {}, login = 'maya') =>
  openPortal(browser, app, login, `/app/profile?section=${section}`, { width: 390, ...options });

describe('the screen Profile', browser.needed, () => {
  for (const { width, theme, name } of looks) {
    test(`${name}: readable for everyone, and no wider than the window`, async () => {
      const tab = await openProfile('about', { width, theme });
      const { page } = tab;
      for (const section of ['about', 'notifications', 'security', 'sessions']) {
        await page.goto(`${app.url}/app/profile?section=${section}`);
        await page.getByRole('heading', { level: 2 }).first().waitFor();
        await tab.assertNoSidewaysScroll();
        const isChecked = section === (width === 390 ? 'about' : 'security');
        if (isChecked) await tab.assertAccessible();
      }
      await tab.close();
    });
  }

  test('the requests beside the keys work with a key, as they are shown', async () => {
    const key = await app.key('maya', 'read');
    for (const { width, theme } of looks) {
      const tab = await openProfile('keys', { width, theme });
      const { page } = tab;
      await page.getByRole('link', { name: 'How to read orders, clicks and earnings.' }).click();
      await page.getByRole('heading', { name: 'Your figures in your tools' }).waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      const shown = await page.locator('.profile-section code').allTextContents();
      const command = shown.find((text) => text.startsWith('curl '))!;
      assert.match(command, /^curl 'http[^']+' -H 'Authorization: Bearer YOUR_KEY'$/);
      const addresses = shown.map((text) => /https?:[^' ]+/.exec(text)![0]);
      assert.equal(addresses.length, 7);
      for (const address of addresses) {
        assert.ok(address.startsWith(`${app.url}/svc/store/v1/affiliates/${idOf('maya')}/`));
        const headers = { authorization: `Bearer ${key}`, 'x-forwarded-proto': 'https' };
        assert.equal((await fetch(address, { headers })).status, 200, address);
      }
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save orders.csv' }).click(),
      ]);
      assert.equal(saved.suggestedFilename(), 'orders.csv');
      await tab.close();
    }
  });

  test('a new name and another language show immediately', async () => {
    const tab = await openProfile('about');
    const { page } = tab;
    await page.getByLabel('Your name').fill('Maya Ortiz');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Language of this portal').selectOption('de');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByRole('heading', { name: 'Über Sie' }).waitFor();
    assert.equal(await page.getByLabel('Ihr Name').inputValue(), 'Maya Ortiz');
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
    await tab.close();
  });

  test('signing out without a connection leaves nothing on the screen, and can be tried again', async () => {
    const options = { width: 1280, expected: /ERR_INTERNET_DISCONNECTED/ };
    const tab = await openProfile('about', options, 'tomas');
    const { page } = tab;
    const name = await page.getByLabel('Your name').inputValue();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).filter({ visible: true }).click();
    await page.getByText('You may still be signed in').waitFor();
    assert.ok(!(await page.locator('#app').innerHTML()).includes(name));
    await tab.assertAccessible();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL('**/app/login*');
    await tab.close();
  });

  test('signing out empties the other tabs too', async () => {
    const tab = await openProfile('about', { width: 1280 }, 'tomas');
    const other = await tab.page.context().newPage();
    await other.goto(`${app.url}/app/money`);
    await other.getByRole('heading', { name: 'Money' }).waitFor();
    await tab.page.getByRole('button', { name: 'Sign out' }).filter({ visible: true }).click();
    await other.waitForURL('**/app/login?next=*');
    await tab.page.waitForURL('**/app/login');
    await tab.close();
  });

  test('an authenticator app, from its set-up to its end', async () => {
    const tab = await openProfile('security', { expected: /status of 4\d\d/ }, 'tomas');
    const { page } = tab;
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
    await dialog.locator('.qr-image').waitFor();
    const secret = (await dialog.locator('code').textContent())!.replaceAll(' ', '');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = () => totp.generate({ timestamp: app.site.clock() });
    await tab.assertAccessible();
    await dialog.getByLabel('The code that the app shows').fill('000000');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('alert').getByText('The code is wrong.').waitFor();
    await dialog.getByLabel('The code that the app shows').fill(code());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const codes = page.getByRole('dialog', { name: 'Recovery codes' });
    await codes.getByRole('listitem').first().waitFor();
    assert.equal(await codes.getByRole('listitem').count(), 10);
    const recovery = (await codes.getByRole('listitem').first().textContent())!;
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      codes.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    assert.equal(saved.suggestedFilename(), 'recovery-codes.txt');
    await codes.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 codes are left.').waitFor();

    // An ended session is opened again with both factors, and a recovery code counts as the second.
    await page.request.delete(`${app.url}/session`, {
      headers: {
        'x-svc-csrf': (await (await page.request.get(`${app.url}/session`)).json()).csrf_token,
      },
    });
    app.advance(MINUTE_MS);
    await page.getByRole('button', { name: 'Turn off' }).click();
    const again = page.getByRole('dialog', { name: 'Please sign in again' });
    await again.getByLabel('Password').fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.getByLabel('Code').fill(recovery);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    assert.equal(await page.getByText('codes are left').count(), 0);
    await tab.close();
  });

  test('sessions of other devices are ended one by one and all together', async () => {
    for (let i = 0; i < 2; i += 1) await app.signIn('carla');
    const tab = await openProfile('sessions', {}, 'carla');
    const { page } = tab;
    const ends = page.getByRole('button', { name: 'End', exact: true });
    await ends.first().waitFor();
    assert.equal(await ends.count(), 2);
    await ends.first().click();
    await page.waitForFunction(() => document.querySelectorAll('.item-list > li').length === 2);
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.item-list > li').length === 1);
    await page.getByText('This device').waitFor();
    await tab.close();
  });
});
