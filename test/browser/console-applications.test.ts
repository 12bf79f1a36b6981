import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sendMails } from '../../src/modules/mail/send-mails.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp } from '../support/harness.ts';
import { MailReceiver, type ReceivedMail } from '../support/mail-receiver.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';

/** From the application to the first link: the applicant on a phone, a manager in the console with the keyboard. */
const receiver = await new MailReceiver().listen();
const app = await openTestApp({
  config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
  settings: { 'site.name': 'Juniper' },
});
const browser = await openBrowser();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
const openConsole = (path: string, options = {}) =>
  openPortal(browser, app, 'manager', `/console${path}`, options);

async function apply(login: string, more: object = {}): Promise<number> {
  const json = { login, email: `${login}@${login}.example`, display_name: login, ...more };
  const reply = await app.call(`${STORE}/registrations`, { method: 'POST', json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.id;
}

/** The newest mail to an address. The job of the service may be sending it right now. */
function mailTo(address: string, subject: RegExp): Promise<ReceivedMail> {
  return eventually(async () => {
    await sendMails.run(app.site);
    const mail = receiver.received.findLast(
      ({ envelopeTo, parsed }) =>
        envelopeTo.includes(address) && subject.test(parsed.subject ?? ''),
    );
    assert.ok(mail, `no mail to ${address}`);
    return mail;
  });
}

describe('Applications in the console', browser.needed, () => {
  test('apply on a phone, accept with the keyboard, choose a password, find the first link', async () => {
    const phone = await browser.open(`${app.url}/apply?lang=en`, { width: 390 });
    await phone.page.getByLabel('Your name').fill('Nora Lindgren');
    await phone.page.getByLabel('Email address').fill('nora@mail.example');
    await phone.page.getByLabel('Login').fill('nora');
    await phone.page.getByRole('button', { name: 'Apply' }).click();
    await phone.page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await apply('bystander');

    const team = await openConsole('/applications?sort=date');
    const { page } = team;
    await page.getByRole('link', { name: 'Nora Lindgren' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Nora Lindgren' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'bystander' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Nora Lindgren' }).waitFor();
    await page.keyboard.press('d');
    await page.getByRole('dialog', { name: 'Decline this application' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    assert.equal(await focused(), 'Nora Lindgren');
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Accept Nora Lindgren' }).waitFor();
    await page.keyboard.type('NORA12');
    await page.keyboard.press('Tab');
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Nora Lindgren' }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'bystander' }).waitFor();
    await team.close();
    const [coupon] = (await app.call('/coupons?search=NORA12', { key: admin })).body;
    assert.equal(coupon.code, 'NORA12');

    const mail = await mailTo('nora@mail.example', /Welcome/);
    const url = /https?:\/\/\S+\/app\/\S+token=\w+/.exec(mail.parsed.text ?? '')![0];
    await phone.page.goto(app.url + url.slice(new URL(url).origin.length));
    await phone.page.getByLabel('Password', { exact: true }).fill('tall-violet-harbour-42');
    await phone.page.getByRole('button', { name: 'Save and sign in' }).click();
    await phone.page.waitForURL(`${app.url}/app`);
    await phone.page.getByRole('link', { name: 'Share' }).click();
    await phone.page
      .getByText(/\/r\/NORA12$/)
      .first()
      .waitFor();
    await phone.assertNoSidewaysScroll();
    await phone.close();
  });

  test('decline with a reason, with a message, and several together', async () => {
    const id = await apply('declan', { language: 'de', promote: 'Coupons everywhere.' });
    const [one, two] = [await apply('multi1'), await apply('multi2')];
    const tab = await openConsole(`/applications?open=${id}`);
    const { page } = tab;
    await page.getByText('Coupons everywhere.').waitFor();
    await page.keyboard.press('m');
    await page.getByLabel('Your message').fill('Which channels?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Which channels?').waitFor();
    await mailTo('declan@declan.example', /Zu Ihrer Bewerbung/);
    await page.keyboard.press('d');
    await page.getByLabel(/^Reason/).selectOption('not_a_fit');
    await page.getByLabel('Give the reason in the email').check();
    await page.getByLabel('Note for the team').fill('Only coupons.');
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const mail = await mailTo('declan@declan.example', /Ihre Bewerbung bei/);
    assert.match(mail.parsed.text!, /passt nicht gut genug/);
    await page.goto(`${app.url}/console/applications?view=declined&open=${id}`);
    await page.getByText('Only coupons.').waitFor();

    await page.goto(`${app.url}/console/applications?q=multi`);
    await page.getByLabel('Select multi1').check();
    await page.getByRole('button', { name: 'Select all on this page' }).click();
    // Another manager was faster with one of them.
    const json = { send_email: false };
    await app.call(`${STORE}/registrations/${two}/decline`, { method: 'POST', key: admin, json });
    await page.getByRole('button', { name: 'Decline…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await page.getByText('1 application is decided.').waitFor();
    await page.getByRole('dialog').getByText('multi2:').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Nothing matches').waitFor();
    const { body } = await app.call(`/registrations/${one}`, { key: admin });
    assert.equal(body.status, 'declined');
    await tab.close();
  });

  test('readable for everyone: list, panel with notes, dialogs, empty', async () => {
    await apply('annelore', { email: 'annelore@gmail.com', website: 'https://same.example' });
    const id = await apply('annelore2', {
      email: 'annelore+2@gmail.com',
      website: 'https://same.example',
      promote: `${'long'.repeat(60)} words`,
    });
    for (const look of [
      { width: 390, theme: 'light' },
      { width: 1280, theme: 'dark' },
    ] as const) {
      const tab = await openConsole('/applications', look);
      const { page } = tab;
      await page.getByRole('link', { name: 'annelore2' }).waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await page.goto(`${app.url}/console/applications?open=${id}`);
      await page.getByText('delivers to the same mailbox').waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await page.goto(`${app.url}/console/applications?open=${id}&dialog=decline`);
      await page.getByRole('dialog', { name: 'Decline this application' }).waitFor();
      await tab.assertNoSidewaysScroll();
      await tab.assertAccessible();
      await tab.close();
    }
  });
});
