import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sendMails } from '../../src/modules/mail/send-mails.ts';
import { allowOneAccount } from '../support/changes.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp } from '../support/harness.ts';
import { MailReceiver, type ReceivedMail } from '../support/mail-receiver.ts';
import { openBrowser } from './browser.ts';
import { looks } from './tab.ts';

/**
 * The way of a person, from the program page to the money on the bank account, in a real browser and with
 * a real mail server. The store decides over the API.
 */
const receiver = await new MailReceiver().listen();
const app = await openTestApp({
  config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
  settings: { 'payouts.threshold': 5 },
});
const browser = await openBrowser();
const store = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

async function send(method: string, path: string, json: object): Promise<any> {
  const reply = await app.call(path, { method, key: store, json });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body;
}

// The same person goes the way twice, with one account.
await allowOneAccount((method, path, json) => send(method, STORE + path, json));

/** The mail to an address with this subject. The job of the service may be sending it right now. */
function mailTo(address: string, subject: RegExp): Promise<ReceivedMail> {
  return eventually(async () => {
    await sendMails.run(app.site);
    const mail = receiver.received.find(
      ({ envelopeTo, parsed }) =>
        envelopeTo.includes(address) && subject.test(parsed.subject ?? ''),
    );
    assert.ok(mail, `no mail to ${address}: ${subject}`);
    return mail;
  });
}

/** The first link to a page with a token, as the mail program shows it. */
function linkIn({ parsed }: ReceivedMail): string {
  const url = /https?:\/\/\S+\/app\/\S+token=\w+/.exec(parsed.text ?? '')?.[0];
  assert.ok(url, `no link in: ${parsed.text}`);
  return app.url + url.slice(new URL(url).origin.length);
}

async function submit(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
}

describe('the way of a person', browser.needed, () => {
  for (const [i, { width, theme, name }] of looks.entries()) {
    test(`${name}: application, invitation, first link, order, payout, paid`, async () => {
      const login = `nora${i}`;
      const address = `${login}@mail.example`;
      const tab = await browser.open(`${app.url}/?lang=en`, { width, theme });
      const { page } = tab;

      await page.getByRole('link', { name: 'Apply' }).first().click();
      await page.getByLabel('Your name').fill('Nora Lindgren');
      await page.getByLabel('Email address').fill(address);
      await page.getByLabel('Login').fill(login);
      await submit(page, 'Apply');
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      await tab.assertAccessible();

      const applications = await app.call('/registrations?status=pending', { key: store });
      const { id } = applications.body.find(({ user }: any) => user.login === login);
      await send('POST', `/registrations/${id}/status`, { status: 'accepted' });

      await page.goto(linkIn(await mailTo(address, /welcome/i)));
      await tab.assertAccessible();
      await page.getByLabel('Password', { exact: true }).fill('tall-violet-harbour-42');
      await submit(page, 'Save and sign in');
      await page.waitForURL(`${app.url}/app`);
      await page.getByRole('heading', { name: 'Hello, Nora Lindgren' }).waitFor();

      await page.getByRole('link', { name: 'Share' }).click();
      await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
      const shown = await page
        .getByText(/\/r\/[\w-]+$/)
        .first()
        .textContent();
      const code = decodeURIComponent(/\/r\/(\S+)$/.exec(shown!)![1]!);

      const visit = await app.call(`~/r/${encodeURIComponent(code)}`);
      const landing = new URL(visit.headers.get('location')!);
      const click_id = Number(landing.searchParams.get('click_id'));
      await send('PUT', `${STORE}/orders/${7000 + i}`, {
        date: app.site.calendar.toLocal(app.site.clock()),
        status: 'completed',
        total: 100,
        currency: 'USD',
        click_id,
      });

      await page.getByRole('link', { name: 'Orders' }).click();
      await page
        .getByText(`#${7000 + i}`)
        .first()
        .waitFor();
      await page.goto(`${app.url}/app/payout-details`);
      await page.getByLabel('Bank transfer').check();
      await page.getByLabel('Account holder').fill('Nora Lindgren');
      await page.getByRole('textbox', { name: 'IBAN' }).fill('DE89 3704 0044 0532 0130 00');
      await submit(page, 'Save payout details');
      await page.getByText('Saved. For your safety').waitFor();
      await mailTo(address, /payout details/i);

      await page.getByRole('link', { name: 'Money' }).first().click();
      await page.getByRole('link', { name: 'Request payout' }).click();
      await submit(page, 'Request $10.00');
      await page.getByText('Waiting for approval').first().waitFor();

      const payouts = await app.call('/payouts?status=pending', { key: store });
      const payout = payouts.body.find(({ coupon_code }: any) => coupon_code === code);
      await send('POST', `/payouts/${payout.id}/status`, { status: 'created' });
      await send('POST', `/payouts/${payout.id}/status`, { status: 'paid' });
      await page.goto(`${app.url}/app/money`);
      await page.getByText('Paid', { exact: true }).first().waitFor();
      await tab.assertAccessible();
      await tab.assertNoSidewaysScroll();
      await mailTo(address, /paid/i);
      await tab.close();
    });
  }
});
