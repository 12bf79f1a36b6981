import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sendMails } from '../../../../src/modules/mail/send-mails.ts';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { doubleClick, endSessions, openPortal, tabTo } from '../../../../test/browser/portal.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { MailReceiver } from '../../../../test/support/mail-receiver.ts';
import { openPayoutApp, STORE } from '../../../../test/support/payouts.ts';

const receiver = await new MailReceiver().listen();
const payouts = await openPayoutApp({
  config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
  settings: {
    'site.name': 'Juniper',
    'site.currency': 'EUR',
    'payouts.threshold': 5,
  },
});
const { app, admin } = payouts;
const browser = await openBrowser();

const openConsole = (login: string, path: string, options = {}) =>
  openPortal(browser, app, login, `/console${path}`, options);

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

describe('one payout', browser.needed, () => {
  test('requested in the portal, needs you, reviewed, approved, paid; the affiliate sees it and gets the mail', async () => {
    const coupon = await payouts.coupon(61.5);
    const { body } = await app.call(`/coupons/${coupon}`, { key: admin });
    const portal = await openPortal(browser, app, 'maya', `/app/money?request=${coupon}`, {
      width: 390,
    });
    await press(portal.page, 'Request €61.50');
    await dialogOf(portal.page, /Payout no\./)
      .getByText('Waiting for approval')
      .first()
      .waitFor();

    const tab = await openConsole('manager', '', { theme: 'dark' });
    const { page } = tab;
    await page.getByRole('link', { name: /payouts? to review/i }).click();
    await page.getByRole('link', { name: 'maya' }).first().click();
    await page.getByRole('heading', { name: /^Payout no\./ }).waitFor();
    await page.getByText(body.code).first().waitFor();
    await page.getByText('DE…3000').waitFor();
    await page.getByRole('list', { name: 'What happened' }).waitFor();
    await page.getByRole('table', { name: 'Included earnings' }).getByText('€61.50').waitFor();
    await tab.assertAccessible();
    await page.getByRole('link', { name: 'Approve' }).click();
    const approve = dialogOf(page, 'Approve').getByRole('button', { name: 'Approve' });
    await doubleClick(page, approve, '**/payouts/**');
    await page.getByText('The payout is approved.').waitFor();
    await page.getByRole('link', { name: 'Mark as paid' }).click();
    const pay = dialogOf(page, 'Mark as paid');
    await pay.getByLabel(/Reference/).fill('SEPA 2026-11-16 7');
    await pay.getByRole('button', { name: /^Mark / }).click();
    await page.getByText('The payout is marked as paid.').waitFor();
    await page.getByText('SEPA 2026-11-16 7').first().waitFor();
    await tab.assertNoSidewaysScroll();
    await tab.close();

    await portal.page.goto(`${app.url}/app/money`);
    await portal.page.getByText('Paid', { exact: true }).first().waitFor();
    await portal.close();
    // The background job may be sending it already.
    await eventually(async () => {
      await sendMails.run(app.site);
      const mails = receiver.received.filter(({ envelopeTo }) =>
        envelopeTo.includes('maya@test.example'),
      );
      const paid = mails.find(({ parsed }) => /was paid|has been paid/i.test(parsed.subject!));
      assert.match(paid?.parsed.text ?? '', /SEPA 2026-11-16 7/);
    });
  });

  test('two managers act concurrently: the second reads what happened, and sees the new state', async () => {
    const { id, coupon_id } = await payouts.payoutAt('pending', 40);
    const first = await openConsole('admin', `/payouts/${id}?act=pay`);
    const second = await openConsole('manager', `/payouts/${id}?act=cancel`, { width: 390 });
    const cancel = dialogOf(second.page, 'Cancel payout');
    await cancel.getByRole('button', { name: 'Yes, cancel it' }).waitFor();
    await dialogOf(first.page, 'Mark as paid')
      .getByRole('button', { name: /^Mark / })
      .click();
    await first.page.getByText('The payout is marked as paid.').waitFor();
    await cancel.getByRole('button', { name: 'Yes, cancel it' }).click();
    await second.page
      .getByText(/admin changed this payout while it was open here: “Paid”/)
      .waitFor();
    await second.page.getByText('Your change was not saved.').waitFor();
    assert.deepEqual(await payouts.pools(coupon_id), [0, 0, 40]);
    await second.assertAccessible();
    await second.assertNoSidewaysScroll();
    await first.close();
    await second.close();
  });

  test('an outcome that the gateway does not know is resolved by a person', async () => {
    const { id } = await payouts.payoutAt('created', 33);
    await app.site.database.transaction((tx) =>
      tx.execute(
        `update payouts set status = 'processing', unclear_since = ${app.site.clock()},
          unclear_reason = 'The gateway did not answer in time.' where id = ${id}`,
      ),
    );
    const tab = await openConsole('manager', '/payouts?tab=progress');
    const { page } = tab;
    await page.getByText('Outcome unknown').waitFor();
    await page.goto(`${app.url}/console/payouts/${id}`);
    await page.getByRole('link', { name: 'Record the outcome' }).click();
    await page.getByLabel('It was not paid').check();
    await press(page, 'Save');
    await page.getByText('The gateway is no longer asked about this payout.').waitFor();
    assert.equal((await payouts.get(id)).status, 'failed');
    await tab.close();
  });
});

describe('the review of many payouts', browser.needed, () => {
  test('with the keyboard alone; what was refused stays selected with its reason', async () => {
    const good = await payouts.payoutAt('pending', 21);
    const changed = await payouts.payoutAt('pending', 22);
    const tab = await openConsole('manager', '/payouts', {
      width: 390,
      expected: /status of 401/,
    });
    const { page } = tab;
    await page.getByRole('link', { name: 'maya' }).first().waitFor();
    for (const { id } of [good, changed]) {
      await tabTo(tab, `No. ${id}, maya`);
      await page.keyboard.press('Space');
    }
    await page.getByText('2 selected, €43.00').waitFor();
    await tab.assertAccessible();
    await tabTo(tab, 'Review…');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve 2 payouts, €43.00' }).waitFor();
    await tab.assertAccessible();
    await tab.assertNoSidewaysScroll();
    await payouts.change(changed.id, 'cancel');
    await endSessions(app, 'manager');
    await tabTo(tab, 'Approve 2 payouts');
    await page.keyboard.press('Enter');
    await dialogOf(page, 'Please sign in again').waitFor();
    await page.keyboard.type('correct horse battery');
    await page.keyboard.press('Enter');
    const review = dialogOf(page, 'Review payouts');
    await review.getByText('One payout is approved.').waitFor();
    await review
      .getByText('This payout has been changed in the meantime: it is now “Cancelled”.')
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('1 selected, €22.00').waitFor();
    assert.equal((await payouts.get(good.id)).status, 'created');
    assert.equal((await payouts.get(changed.id)).status, 'cancel');
    await tab.close();
  });

  test('without a connection the change waits; with a double click it is made once', async () => {
    const { id } = await payouts.payoutAt('pending', 23);
    const tab = await openConsole('manager', `/payouts?q=${id}`, {
      theme: 'dark',
      expected: /ERR_INTERNET_DISCONNECTED/,
    });
    const { page } = tab;
    await page.getByLabel(`Select No. ${id}, maya`).check();
    await tab.assertAccessible();
    await press(page, 'Review…');
    const approve = page.getByRole('button', { name: 'Approve one payout of €23.00' });
    await approve.waitFor();
    await tab.assertAccessible();
    await page.context().setOffline(true);
    await approve.dblclick();
    await page.getByText('There is no connection right now.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('One payout is approved.').waitFor();
    const { body: changes } = await app.call(`${STORE}/payouts/${id}/changes`, { key: admin });
    assert.equal(changes.length, 2);
    await tab.close();
  });
});

describe('failed payouts, and the files of the bank', browser.needed, () => {
  async function failedPayout(amount: number) {
    const payout = await payouts.payoutAt('created', amount);
    await app.site.database.transaction((tx) =>
      tx.execute(
        `update payouts set status = 'processing', unclear_since = ${app.site.clock()},
          unclear_reason = 'No answer.' where id = ${payout.id}`,
      ),
    );
    const path = `${STORE}/payouts/${payout.id}/resolve`;
    const reply = await app.call(path, { method: 'POST', key: admin, json: { outcome: 'failed' } });
    assert.equal(reply.status, 200, reply.text);
    return payout;
  }

  test('one is tried again, then many; the one that was tried already is refused with the reason', async () => {
    const [one, other] = [await failedPayout(31), await failedPayout(32)];
    const tab = await openConsole('manager', `/payouts/${one.id}`, {
      width: 390,
      expected: /status of 409/,
    });
    const { page } = tab;
    await page.getByRole('link', { name: 'Try again' }).click();
    const dialog = dialogOf(page, 'Try again');
    await dialog.getByText('This one stays failed.').waitFor();
    await tab.assertAccessible();
    await dialog.getByRole('button', { name: /^Pay .* again/ }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(`/${one.id}`));
    await page.getByRole('heading', { name: /^Payout no\./ }).waitFor();

    await page.goto(`${app.url}/console/payouts?tab=failed`);
    for (const { id } of [one, other]) await page.getByLabel(`Select No. ${id}, maya`).check();
    await press(page, 'Try again…');
    await tab.assertNoSidewaysScroll();
    await press(page, 'Try 2 payouts again, €63.00');
    const many = dialogOf(page, 'Try failed payouts again');
    await many.getByText('One payout is on its way again.').waitFor();
    await many.getByText('It has already been retried.').waitFor();
    await tab.assertAccessible();
    await page.keyboard.press('Escape');
    await page.getByText('1 selected, €31.00').waitFor();
    assert.deepEqual(await payouts.pools(other.coupon_id), [0, 32, 0]);
    await tab.close();
  });

  test('the dialogs of the file and of its results, on a phone and in the dark', async () => {
    const { id } = await payouts.payoutAt('created', 24);
    for (const look of [{ width: 390 }, { width: 1280, theme: 'dark' }] as const) {
      const tab = await openConsole('manager', '/payouts?tab=progress', look);
      const { page } = tab;
      await page.getByLabel(`Select No. ${id}, maya`).check();
      await press(page, 'File for the bank…');
      await page.getByRole('button', { name: 'Make a file of one payout, €24.00' }).waitFor();
      await tab.assertAccessible();
      await tab.assertNoSidewaysScroll();
      await page.keyboard.press('Escape');
      await press(page, 'Result file…');
      const result = dialogOf(page, 'Results of the bank');
      const lines = `payout_id,amount,outcome\nPAYOUT-${id},24,refused\nPAYOUT-98765,1,paid`;
      await result
        .getByLabel('File', { exact: true })
        .setInputFiles({ name: 'r.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) });
      await result.getByText('There is no payout with this reference.').waitFor();
      await result.getByText('Not paid', { exact: true }).waitFor();
      await tab.assertAccessible();
      await tab.assertNoSidewaysScroll();
      await tab.close();
    }
  });
});
