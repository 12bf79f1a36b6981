import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressChangedMail } from '../../src/modules/affiliates/address-mail.ts';
import { enqueueMail } from '../../src/modules/mail/index.ts';
import { eventually } from '../support/eventually.ts';
import { openTestApp } from '../support/harness.ts';
import { MailReceiver, smtpRefusal } from '../support/mail-receiver.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import type { Tab, TabOptions } from './tab.ts';

const receiver = await new MailReceiver().listen();
const app = await openTestApp({
  jobs: 'all',
  config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
  settings: { 'site.name': 'Juniper' },
});
const browser = await openBrowser();

const phone: TabOptions = { width: 390, theme: 'light' };
const laptop: TabOptions = { width: 1280, theme: 'dark' };
/** Refused texts, and a missing proof. */
const expected = /status of 4(00|03|12)/;
const openConsole = (login: string, path: string, options: TabOptions) =>
  openPortal(browser, app, login, `/console${path}`, { ...options, expected });

async function judge(tab: Tab): Promise<void> {
  await tab.assertAccessible();
  await tab.assertNoSidewaysScroll();
}

const GERMAN = '/mails/registration-declined?language=de';
const OWN = 'Servus von {{site.name}}';
const warnsBeforeLeaving = ({ page }: Tab) =>
  page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

describe('the texts of mails', browser.needed, () => {
  test('own text in one language, preview, test; what two people write is never lost in silence', async () => {
    const other = await openConsole('admin', GERMAN, laptop);
    const subjectOf = ({ page }: Tab) => page.getByLabel('Subject');
    await subjectOf(other).fill('Hallo aus {{site.name}}');

    const tab = await openConsole('manager', '/mails', phone);
    const { page } = tab;
    const link = page.getByRole('link', { name: 'Application declined' });
    await page.getByRole('link', { name: 'Payout paid' }).waitFor();
    assert.ok(!(await link.isVisible()), 'what is about other things is folded');
    await page.getByText(/^To affiliates and applicants \(\d+\)$/).click();
    await link.waitFor();
    await judge(tab);
    await link.click();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByText('The built-in text.').waitFor();
    await subjectOf(tab).fill('{{nmae}}');
    await page.getByText(/\{\{nmae\}\} is unknown/).waitFor();
    await subjectOf(tab).fill(OWN);
    await page.getByText('Servus von Juniper').waitFor();
    assert.ok(await warnsBeforeLeaving(tab));
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByText('Your application to Juniper', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByText('Servus von Juniper').waitFor();
    assert.equal(await subjectOf(tab).inputValue(), OWN, 'a draft stays while others are shown');
    await page.getByRole('button', { name: 'Send a test to me' }).click();
    await page.getByText('The test is on its way to manager@test.example.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. The next email uses it.').waitFor();
    await page.getByText(/Your own text, by manager/).waitFor();
    assert.ok(!(await warnsBeforeLeaving(tab)));
    await judge(tab);
    await eventually(() =>
      assert.ok(
        receiver.received.some(({ parsed }) => parsed.subject === '[Test] Servus von Juniper'),
      ),
    );

    await other.page.getByRole('button', { name: 'Save' }).click();
    const conflict = other.page.getByRole('dialog', { name: 'Someone else changed this text' });
    await conflict.getByText(/manager saved this text on/).waitFor();
    await conflict.getByText(OWN).waitFor();
    await conflict.getByText('Hallo aus {{site.name}}').waitFor();
    await judge(other);
    await other.page.keyboard.press('Escape');
    assert.equal(await subjectOf(other).inputValue(), 'Hallo aus {{site.name}}');
    await other.page.getByRole('button', { name: 'Save' }).click();
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click();
    await other.page.getByText('Saved. The next email uses it.').waitFor();

    await page.getByRole('link', { name: 'Use the built-in text' }).click();
    const reset = page.getByRole('dialog', { name: 'Back to the built-in text?' });
    await reset.getByRole('button', { name: 'Use the built-in text' }).click();
    await reset.getByText(/Someone else has changed this/).waitFor();
    await reset.getByRole('button', { name: 'Use the built-in text' }).click();
    await page.getByText('The built-in text.').waitFor();
    assert.match(await subjectOf(tab).inputValue(), /Bewerbung/);

    await subjectOf(other).fill('Noch einmal');
    await other.page.getByRole('button', { name: 'Save' }).click();
    await conflict.getByText(/restored the built-in text/).waitFor();
    await conflict.getByRole('button', { name: 'Keep the saved text' }).click();
    await conflict.waitFor({ state: 'detached' });
    assert.match(await subjectOf(other).inputValue(), /Bewerbung/);
    assert.ok(!(await warnsBeforeLeaving(other)));
    await tab.close();
    await other.close();
  });
});

describe('the text of a mail with a one-time link', browser.needed, () => {
  const RESET = '/mails/password-reset?language=en';
  const TEXT = 'Hello {{name}},\n\n{{link}}\n\nBye';

  test('a manager reads it', async () => {
    const tab = await openConsole('manager', RESET, phone);
    await tab.page.getByText(/Only administrators may change its text/).waitFor();
    assert.equal(await tab.page.getByRole('button', { name: 'Save' }).count(), 0);
    await judge(tab);
    await tab.close();
  });

  test('an administrator whose proof is old proves who it is, and what was typed is saved', async () => {
    const tab = await openConsole('admin', RESET, laptop);
    const { page } = tab;
    const text = page.getByLabel('Text of the email');
    await text.fill('https://collect.example/?u={{link}}');
    await page
      .getByText(/exactly once, alone on its line/)
      .first()
      .waitFor();
    await text.fill(TEXT);
    app.advance(11 * 60_000);
    await page.getByRole('button', { name: 'Save' }).click();
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Password').fill('correct horse battery');
    await judge(tab);
    await proof.getByRole('button').last().click();
    await page.getByText('Saved. The next email uses it.').waitFor();
    assert.equal(await text.inputValue(), TEXT);
    await eventually(() =>
      assert.ok(receiver.received.some(({ parsed }) => /has changed/.test(parsed.subject ?? ''))),
    );
    await tab.close();
  });
});

describe('the outbox', browser.needed, () => {
  test('a mail that failed is found from the overview, with its reason, and sent again', async () => {
    receiver.refuse = smtpRefusal(554, 'The mailbox of this person is full.');
    const address = 'nora-with-a-long-address@mail.example';
    // Without a link that works only once: such a mail cannot be sent again.
    await app.site.database.transaction(async (tx) =>
      enqueueMail(tx, app.site, addressChangedMail, {
        to: { address },
        data: { name: 'Nora' },
        key: 'nora',
        nowMs: app.site.clock(),
      }),
    );
    const key = await app.key('admin', 'read,manage');
    await eventually(async () => {
      const path = `/svc/store/v1/outbox?state=failed&to=${address}`;
      assert.equal((await app.call(path, { key })).body.length, 1);
    });
    const tab = await openConsole('manager', '/outbox', laptop);
    await tab.page.getByText('Failed', { exact: true }).last().waitFor();
    await judge(tab);
    await tab.close();
    const small = await openConsole('manager', '', phone);
    const { page } = small;
    await page.getByRole('link', { name: /mail.* (could not be sent|failed)/i }).click();
    const row = page.getByRole('row', { name: /nora-with-a-long-address/ });
    await row.getByText('Failed', { exact: true }).waitFor();
    await judge(small);
    await row.getByRole('link').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/The mailbox of this person is full/).waitFor();
    receiver.refuse = undefined;
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('Sent', { exact: true }).first().waitFor();
    await dialog.getByRole('button', { name: 'Send again' }).waitFor({ state: 'detached' });
    assert.ok(receiver.received.some(({ envelopeTo }) => envelopeTo.includes(address)));
    await small.close();
  });
});
