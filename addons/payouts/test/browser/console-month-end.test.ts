import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { allowOneAccount } from '../../../../test/support/changes.ts';
import { openPayoutApp, STORE } from '../../../../test/support/payouts.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';

const MINUTE_MS = 60_000;
const AFFILIATES = 80;
const payouts = await openPayoutApp({
  settings: {
    'site.name': 'Juniper',
    'site.currency': 'EUR',
    'payouts.threshold': 5,
    'payouts.debtor_name': 'Juniper GmbH',
    'payouts.debtor_iban': 'DE02120300000000202051',
    'payouts.debtor_bic': 'BYLADEM1001',
  },
});
const { app, admin } = payouts;
const browser = await openBrowser();

async function send(method: string, path: string, json: object): Promise<any> {
  const reply = await app.call(path, { method, key: admin, json });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body;
}

const payoutsIn = async (status: string) =>
  (await app.call(`${STORE}/payouts?status=${status}&search=partner&per_page=100`, { key: admin }))
    .body;

const openConsole = (login: string, path: string, options = {}) =>
  openPortal(browser, app, login, `/console${path}`, options);

/** Affiliates with bank details, one order each, and a request for its commission. */
async function openMonthEnd(): Promise<void> {
  // All of them have the same account.
  await allowOneAccount((method, path, json) => send(method, STORE + path, json));
  const numbers = Array.from({ length: AFFILIATES }, (_, i) => i + 1);
  const coupons = await Promise.all(
    numbers.map(async (i) => {
      const { id, coupons: own } = await send('POST', `${STORE}/affiliates`, {
        login: `partner${i}`,
        email: `partner${i}@mail.example`,
        display_name: `Partner ${String(i).padStart(2, '0')}`,
        coupon: { code: `MONTH${i}` },
      });
      await send('PUT', `${STORE}/affiliates/${id}/payout-details`, {
        method_type: 'banktransfer',
        details: { account_holder: `Partner ${i}`, iban: 'DE89370400440532013000' },
      });
      return own[0].id as number;
    }),
  );
  const date = app.site.calendar.toLocal(app.site.clock());
  await send('POST', `${STORE}/orders/batch`, {
    orders: numbers.map((i) => ({
      order_id: 5000 + i,
      date,
      status: 'completed',
      subtotal: 100 + i,
      total: 100 + i,
      coupon_codes: [`MONTH${i}`],
    })),
  });
  await Promise.all(coupons.map((coupon_id) => send('POST', '/payouts', { coupon_id })));
}

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

describe('the month end of 80 affiliates', browser.needed, () => {
  test('all selected, reviewed, file made, marked paid by the result file', async () => {
    await openMonthEnd();
    // The proof that the file needs is asked with 403.
    const tab = await openConsole('manager', '/payouts', { expected: /status of 403/ });
    const { page } = tab;
    await page.getByRole('link', { name: 'To review (80)' }).waitFor();
    await page.getByRole('link', { name: 'Partner 01' }).waitFor();
    await tab.assertNoSidewaysScroll();
    await press(page, 'Select all 80');
    await page.getByText('80 selected, €1,124.00').waitFor();
    await press(page, 'Review…');
    const review = dialogOf(page, 'Review payouts');
    await review.getByRole('table', { name: 'By method' }).getByText('Bank transfer').waitFor();
    assert.equal((await payoutsIn('pending')).length, AFFILIATES, 'the dry run changes nothing');
    await press(page, 'Approve 80 payouts, €1,124.00');
    await review.getByText('80 payouts are approved.').waitFor();
    assert.equal((await payoutsIn('created')).length, AFFILIATES);

    app.advance(11 * MINUTE_MS);
    await press(page, 'File for the bank…');
    const file = dialogOf(page, 'File for the bank');
    await file.getByText('80 of the selected payouts can be paid there.').first().waitFor();
    await press(page, 'Make a file of 80 payouts, €1,124.00');
    const proof = dialogOf(page, "Confirm it's you");
    await proof.getByLabel('Password').fill('correct horse battery');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      proof.getByRole('button').last().click(),
    ]);
    const xml = await readFile(await download.path(), 'utf8');
    assert.match(download.suggestedFilename(), /^payouts-sepa-.*\.xml$/);
    assert.match(xml, /<NbOfTxs>80<\/NbOfTxs>\s*<CtrlSum>1124\.00<\/CtrlSum>/);
    await file.getByText('The file is saved on your device.').waitFor();
    await page.keyboard.press('Escape');

    await press(page, 'Result file…');
    const result = dialogOf(page, 'Results of the bank');
    const lines = (await payoutsIn('created')).map(
      ({ id, amount }: any) => `PAYOUT-${id},${amount},paid,FT-${id}`,
    );
    const textOf = (content: readonly string[]) =>
      ['payout_id,amount,outcome,transaction_id', ...content].join('\n');
    const compare = async (...content: string[]) => {
      const csv = {
        name: 'results.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(textOf(content)),
      };
      await result.getByLabel('File', { exact: true }).setInputFiles(csv);
    };
    /** As a person drags a file from a folder onto the field. */
    const drop = async (...content: string[]) => {
      const path = join(tempFolder(), 'results.csv');
      await writeFile(path, textOf(content));
      const box = (await result.locator('.file-field').boundingBox())!;
      const session = await page.context().newCDPSession(page);
      const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
        session.send('Input.dispatchDragEvent', {
          type,
          x: box.x + box.width / 2,
          y: box.y + box.height / 2,
          data: { items: [], files: [path], dragOperationsMask: 1 },
        });
      await drag('dragEnter');
      await drag('dragOver');
      await result.locator('.file-field[data-over="true"]').waitFor();
      await drag('drop');
      await session.detach();
    };
    // A line with another amount shows both and the name; the key A accepts the others.
    const [first, ...others] = lines;
    const wrong = first.replace(/,[\d.]+,/, ',99.5,');
    await compare(wrong, ...others.slice(1), 'PAYOUT-987654,1,paid,FT-0');
    await result.getByText('2 lines do not match.').waitFor();
    await result.getByText('There is no payout with this reference.').waitFor();
    const row = result.getByRole('row', { name: /€99\.50/ });
    assert.match(
      await row.innerText(),
      /No\. \d+, Partner \d\d[^]*Differs[^]*€1\d\.\d\d[^]*€99\.50/,
    );
    await result.getByRole('button', { name: /^Mark 78 payouts as paid/ }).waitFor();
    assert.equal((await payoutsIn('paid')).length, 0, 'comparing changes nothing');
    await press(page, 'Another file');
    await compare(wrong, ...others.slice(1));
    await result.getByText('One line does not match.').waitFor();
    await page.keyboard.press('a');
    await result.getByText('78 payouts are marked as paid.').waitFor();
    await page.keyboard.press('Escape');
    await press(page, 'Result file…');
    await drop(first, others[0]);
    await press(page, /^Mark 2 payouts as paid/);
    await result.getByText('2 payouts are marked as paid.').waitFor();
    assert.equal((await payoutsIn('paid')).length, AFFILIATES);
    await payouts.assertClean();
    await tab.close();
  });
});
