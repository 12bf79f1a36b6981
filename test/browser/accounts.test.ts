import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { createAccountLink } from '../../src/modules/accounts/index.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { idOf, openTestApp, PASSWORD } from '../support/harness.ts';
import { MailReceiver } from '../support/mail-receiver.ts';
import { openBrowser } from './browser.ts';

const receiver = await new MailReceiver().listen();
const port = await freePort();
/** Browsers accept passkeys for this name, and not for an IP address. */
const site = `http://localhost:${port}`;
const app = await openTestApp({
  jobs: 'all',
  config: {
    port: String(port),
    publicUrl: site,
    smtpUrl: receiver.url(),
    mailFrom: 'program@store.example',
  },
});
const browser = await openBrowser();
const NEW = 'four yellow boats 1987';

async function submitLogin(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel('Login or email address').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The link in the newest mail to this address. */
const mailedLink = (address: string): Promise<string> =>
  eventually(() => {
    const mail = receiver.received.findLast(({ envelopeTo }) => envelopeTo.includes(address));
    const link = /http:\S+token=\w+/.exec(mail?.parsed.text ?? '')?.[0];
    assert.ok(link, `a link to ${address}`);
    return link;
  });

describe('accounts in a browser', browser.needed, () => {
  test('1280 px, dark: signed in by a mailed link, which works once', async () => {
    await app.set({ 'accounts.sign_in_by_link': true });
    const tab = await browser.open(`${site}/app/login`, { theme: 'dark' });
    const { page } = tab;
    await page.getByLabel('Email address', { exact: true }).fill('carla@test.example');
    await tab.assertAccessible();
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    const link = await mailedLink('carla@test.example');
    await page.goto(link);
    await page.getByText('You are signing in as').waitFor();
    await tab.assertAccessible();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${site}/app`);
    await page.getByRole('navigation').first().waitFor();
    await page.goto(link);
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await app.set({ 'accounts.sign_in_by_link': false });
    await tab.close();
  });

  test('390 px, light: a wrong password, the forgotten one, a new one, and signed in', async () => {
    const tab = await browser.open(`${site}/app/login`, { width: 390 });
    const { page } = tab;
    await submitLogin(page, 'maya', 'not the password');
    await page.getByRole('alert').getByText('is wrong').waitFor();
    assert.equal(await page.getByLabel('Login or email address').inputValue(), 'maya');
    await tab.assertNoSidewaysScroll();
    await tab.assertAccessible();

    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email address').fill('maya@test.example');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await tab.assertNoSidewaysScroll();

    const reset = await mailedLink('maya@test.example');
    await page.goto(reset);
    await page.getByLabel('Password').fill(NEW);
    await page.getByRole('button', { name: 'Save the password' }).click();
    await page.getByText('Your new password is set').waitFor();
    await submitLogin(page, 'maya', NEW);
    await page.waitForURL(`${site}/app`);
    await page.getByRole('navigation').first().waitFor();

    await page.goto(reset);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.close();
  });

  test('1280 px, dark: an invitation, a bad password, and signed in', async () => {
    const { database, clock } = app.site;
    const invitation = await database.transaction(async (tx) => {
      await tx.execute(`update users set password_hash = null where login = 'carla'`);
      const link = { userId: idOf('carla'), purpose: 'invitation' } as const;
      return createAccountLink(tx, app.site, link, clock());
    });
    const tab = await browser.open(invitation, { theme: 'dark' });
    const { page } = tab;
    await page.getByLabel('Password').fill('Password123456');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByText('This password is easy to guess').waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.assertAccessible();
    await page.getByLabel('Password').fill(NEW);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.waitForURL(`${site}/app`);
    await tab.close();
  });

  test('390 px, light: the second step without JavaScript', async () => {
    const session = await app.signIn('manager');
    const account = '/svc/store/v1/account';
    const { body } = await app.call(`${account}/totp`, { method: 'POST', session });
    const totp = new TOTP({ secret: Secret.fromBase32(body.secret) });
    const code = () => totp.generate({ timestamp: app.site.clock() });
    const confirm = { method: 'POST', session, json: { code: code() } };
    assert.equal((await app.call(`${account}/totp/confirm`, confirm)).status, 200);
    app.advance(60_000);

    const address = `${site}/app/login?next=/app/money`;
    const tab = await browser.open(address, { width: 390, javaScript: false });
    const { page } = tab;
    await submitLogin(page, 'manager', PASSWORD);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This code is wrong').waitFor();
    assert.equal(await page.getByRole('button', { name: 'passkey' }).count(), 0);
    await page.getByLabel('Code').fill(code());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${site}/app/money`);
    await tab.close();
  });

  test('1280 px, dark: a passkey signs in alone and as the second step', async () => {
    const address = `${site}/app/login?next=${encodeURIComponent('/app/profile?section=security')}`;
    const tab = await browser.open(address, { theme: 'dark', expected: /status of 401/ });
    const { page } = tab;
    const device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const withPasskey = page.getByRole('button', { name: 'Sign in with a passkey' });
    const profile = () => page.waitForURL(`${site}/app/profile?section=security`);
    await withPasskey.waitFor();
    await tab.assertAccessible();

    await submitLogin(page, 'tomas', PASSWORD);
    await profile();
    await page.getByLabel('Name of the new passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('New name').fill('Laptop at home');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByText('Laptop at home').waitFor();

    await page.context().clearCookies();
    await page.goto(address);
    await withPasskey.click();
    await profile();
    await page.getByText('Laptop').waitFor();

    await page.context().clearCookies();
    await page.goto(address);
    await submitLogin(page, 'tomas', PASSWORD);
    await page.getByLabel('Recovery code').waitFor();
    await tab.assertAccessible();
    await withPasskey.click();
    await profile();
    await page.getByText('Laptop').waitFor();

    await page.context().clearCookies();
    await page.goto(address);
    await app.site.database.transaction((tx) => tx.execute('delete from passkeys'));
    await withPasskey.click();
    await page.getByRole('alert').getByText('The passkey was not accepted').waitFor();
    await tab.close();
  });
});
