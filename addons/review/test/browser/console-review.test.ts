import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { openBrowser } from '../../../../test/browser/browser.ts';
import { openPortal } from '../../../../test/browser/portal.ts';
import { looks } from '../../../../test/browser/tab.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { idOf, PASSWORD } from '../../../../test/support/harness.ts';
import { holdOrder } from '../../../../test/support/hold-order.ts';
import { openPayoutApp, STORE } from '../../../../test/support/payouts.ts';

/** Suspicious orders: the owner decides by keyboard, the affiliate answers on a phone. */
const payouts = await openPayoutApp();
const { app, admin } = payouts;
await app.set({ 'api.rate_per_minute': 100_000 });
const browser = await openBrowser();
const coupon = await payouts.coupon(0);
const { code } = (await app.call(`/coupons/${coupon}`, { key: admin })).body;

/** A file that ends as a PDF does: others are refused. */
const INVOICE = '%PDF-1.7\n%%EOF\n';
let lastOrder = 100;
const hold = () => holdOrder(app, { id: ++lastOrder, code });
const read = async (path: string) => (await app.call(STORE + path, { key: admin })).body;
const balance = () => read(`/affiliates/${idOf('maya')}/balance`);
const openConsole = (path: string, options = {}) =>
  openPortal(browser, app, 'manager', `/console${path}`, options);

describe('the review', browser.needed, () => {
  test('says what it does while there is nothing to decide, and leads to its rules', async () => {
    const tab = await openConsole('/review');
    await tab.page.getByRole('link', { name: 'See the rules' }).click();
    await tab.page.getByRole('link', { name: 'Large first order' }).click();
    const rule = tab.page.getByRole('dialog', { name: 'Large first order' });
    await rule.getByLabel('What it does').selectOption('hold');
    await rule.getByLabel('Above this order total').fill('5000');
    await rule.getByRole('button', { name: 'Save' }).click();
    await rule.getByText('Saved.').waitFor();
    await tab.assertAccessible();
    await tab.close();
    const rules = await read('/review/rules');
    const saved = rules.find((one: { name: string }) => one.name === 'first_order_above');
    assert.deepEqual([saved.action, saved.amount], ['hold', 5000]);
  });

  test('a rule is saved after the person has proved who they are', async () => {
    const path = '/console/review?view=rules&rule=paid_ads';
    const expected = /status of 403/;
    const tab = await openPortal(browser, app, 'admin', path, { expected });
    app.advance(11 * 60_000);
    const rule = tab.page.getByRole('dialog', { name: 'Paid ads' });
    await rule.getByRole('button', { name: 'Save' }).click();
    const proof = tab.page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Password').fill(PASSWORD);
    await proof.getByRole('button').last().click();
    await rule.getByText('Saved.').waitFor();
    await tab.close();
  });

  test('a rule is tried before it is saved, and one that is mostly wrong is turned off', async () => {
    for (let i = 0; i < 5; i++) {
      const id = await hold();
      const json = { decision: 'clear' };
      await app.call(`${STORE}/cases/${id}/decide`, { method: 'POST', key: admin, json });
    }
    const tab = await openConsole('/review?view=rules', looks[0]);
    const record = '0 of 5 decided were confirmed.';
    await tab.page
      .getByRole('row', { name: /^Throw-away mailbox/ })
      .getByText(record)
      .waitFor();
    await tab.page.getByRole('link', { name: 'Large first order' }).click();
    const first = tab.page.getByRole('dialog', { name: 'Large first order' });
    await first.getByLabel('Above this order total').fill('50');
    await first.getByRole('button', { name: 'Try it first' }).click();
    await first.getByText(/it would have found 1 order with .*10\.00/).waitFor();
    await first.getByLabel('Above this order total').fill('500');
    await first.getByRole('button', { name: 'Try it first' }).click();
    await first.getByText('In the last 90 days it would have found nothing.').waitFor();
    await tab.assertAccessible();
    await tab.page.goto(`${app.url}/console/review?view=rules&rule=throwaway_mail`);
    const mail = tab.page.getByRole('dialog', { name: 'Throw-away mailbox' });
    await mail.getByRole('button', { name: 'Turn the rule off' }).click();
    await mail.getByRole('button', { name: 'Turn the rule off' }).waitFor({ state: 'detached' });
    const rules = await read('/review/rules');
    const now = (name: string) => rules.find((one: { name: string }) => one.name === name);
    assert.equal(now('throwaway_mail').action, 'off');
    assert.equal(now('first_order_above').amount, 5_000, 'a trial saves nothing');
    assert.equal(await mail.getByLabel('What it does').inputValue(), 'off');
    await tab.close();
  });

  test('the owner decides one case after the other by keyboard, and undoes a decision', async () => {
    const [first, second] = [await hold(), await hold()];
    const { available, in_review } = await balance();
    assert.equal(in_review, 20);
    const tab = await openConsole('/review?sort=oldest');
    const { page } = tab;
    await page.getByRole('link', { name: 'maya' }).first().waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: `Case ${first}` }).waitFor();
    await page
      .getByText('The customer has a throw-away mailbox at gone.example.')
      .first()
      .waitFor();
    await tab.assertAccessible();
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Release the commission' }).waitFor();
    await page.keyboard.type('A known customer.');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Case ${second}` }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const done = page.locator('.notice', { hasText: `Case ${first}: the commission is released.` });
    await done.getByRole('button', { name: 'Undo the decision' }).click();
    await done.waitFor({ state: 'detached' });
    assert.equal((await balance()).in_review, 20);
    await page.getByText('Other cases of this affiliate').waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: `Case ${first}` }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Release the commission' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Case ${second}` }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Withhold the commission for good' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing to decide').waitFor();
    const after = await balance();
    assert.deepEqual([after.in_review, after.available], [0, available + 10]);

    await page.goto(`${app.url}/console/review/${second}`);
    await page.getByRole('button', { name: 'Undo the decision' }).click();
    await page.getByRole('button', { name: 'Withhold for good', exact: true }).waitFor();
    assert.equal((await balance()).in_review, 10);
    await tab.close();
  });

  test('several are decided together, from the need on the overview', async () => {
    await hold();
    const tab = await openConsole('');
    const { page } = tab;
    await page.getByRole('link', { name: /2 suspicious cases to decide/ }).click();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Release commission…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByText('Nothing to decide').waitFor();
    assert.equal((await balance()).in_review, 0);
    await tab.close();
  });

  test('twenty cases are decided by keyboard alone, with two keys each', async (t) => {
    const ids: number[] = [];
    for (let i = 0; i < 20; i += 1) ids.push(await hold());
    const tab = await openConsole('/review?sort=oldest');
    const { page } = tab;
    let keys = 0;
    const press = async (key: string) => {
      keys += 1;
      await page.keyboard.press(key);
    };
    await page.getByRole('link', { name: 'maya' }).first().waitFor();
    const startedMs = performance.now();
    await press('j');
    for (const [i, id] of ids.entries()) {
      await page.getByRole('heading', { name: `Case ${id}`, exact: true }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await press(i % 4 === 3 ? 'r' : 'c');
      await page.getByRole('dialog').waitFor();
      await press('Enter');
    }
    await page.getByText('Nothing to decide').waitFor();
    t.diagnostic(`${keys} keys in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    assert.equal(keys, 41);
    const states = await Promise.all(ids.map(async (id) => (await read(`/cases/${id}`)).state));
    const wanted = ids.map((_, i) => (i % 4 === 3 ? 'rejected' : 'cleared'));
    assert.deepEqual(states, wanted);
    await tab.close();
  });

  test('a photo of more than the service takes is made smaller before it is sent', async () => {
    const id = await hold();
    const phone = await openPortal(browser, app, 'maya', '/app/money', { width: 390 });
    const card = phone.page.getByRole('region', { name: 'Orders in review' });
    await card.getByText(`Order #${lastOrder}`).waitFor();
    await card.getByRole('link', { name: 'Answer' }).first().click();
    await phone.page.getByLabel('Your answer').fill('This is the receipt.');
    // Noise, which no format makes smaller without a loss.
    const [width, height] = [2_400, 1_600];
    const raw = { width, height, channels: 3 as const };
    const photo = await sharp(randomBytes(width * height * 3), { raw })
      .png()
      .toBuffer();
    assert.ok(photo.length > 10_000_000, `${photo.length} bytes`);
    await phone.page.getByLabel('A file, if it helps').setInputFiles({
      name: 'receipt.png',
      mimeType: 'image/png',
      buffer: photo,
    });
    await phone.page.getByRole('button', { name: 'Send' }).click();
    await card.getByText('You sent receipt.jpg.').waitFor();
    await phone.close();
    const { answer_file: sent } = await read(`/cases/${id}`);
    assert.equal(sent.type, 'image/jpeg');
    assert.ok(sent.size < photo.length / 2, `${sent.size} bytes`);
    const json = { decision: 'clear' };
    await app.call(`${STORE}/cases/${id}/decide`, { method: 'POST', key: admin, json });
  });

  test('an affiliate answers on a phone, once, and the owner reads it', async () => {
    const id = await hold();
    const phone = await openPortal(browser, app, 'maya', '/app/money', { width: 390 });
    const card = phone.page.getByRole('region', { name: 'Orders in review' });
    await card.getByText(`Order #${lastOrder}`).waitFor();
    await card.getByRole('link', { name: 'Answer' }).click();
    await phone.page.getByLabel('Your answer').fill('She is a reader of mine.');
    await phone.page.getByLabel('A file, if it helps').setInputFiles({
      name: 'invoice.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(INVOICE),
    });
    await phone.assertAccessible();
    await phone.page.getByRole('button', { name: 'Send' }).click();
    await card.getByText('You sent invoice.pdf.').waitFor();
    await card.getByText('You answered: She is a reader of mine.').waitFor();
    assert.equal(await card.getByRole('link', { name: 'Answer' }).count(), 0);
    await phone.assertNoSidewaysScroll();
    await phone.assertAccessible();
    await phone.close();

    const tab = await openConsole(`/orders/${lastOrder}`);
    await tab.page.getByRole('link', { name: 'To the case' }).click();
    await tab.page.getByRole('heading', { name: `Case ${id}` }).waitFor();
    await tab.page.getByText('She is a reader of mine.').waitFor();
    const downloading = tab.page.waitForEvent('download');
    await tab.page.getByRole('button', { name: 'invoice.pdf' }).click();
    const saved = await downloading;
    assert.equal(readFileSync(await saved.path(), 'utf8'), INVOICE);
    await tab.page.goto(`${app.url}/console/affiliates/${idOf('maya')}`);
    await tab.page.getByRole('link', { name: '1 case of this affiliate to decide' }).click();
    await tab.page.getByRole('row', { name: /Answered/ }).waitFor();
    await tab.close();
  });

  test('a payout and an application lead to the open cases of their affiliate', async () => {
    const post = async (path: string, json: object, key?: string) => {
      const options = { method: 'POST', json, ...(key !== undefined && { key }) };
      const { status, body, text } = await app.call(path, options);
      assert.ok(status < 300, text);
      return body;
    };
    const person = { login: 'noor', email: 'noor@mail.example', display_name: 'Noor' };
    const applied = await post(`${STORE}/registrations`, { ...person, coupon_code: 'NOOR' });
    await post(`/registrations/${applied.id}/status`, { status: 'accepted' }, admin);
    await holdOrder(app, { id: ++lastOrder, code: 'NOOR' });
    await hold();
    const { id: payout } = (await payouts.request(await payouts.coupon(50))).body;

    const tab = await openConsole(`/payouts/${payout}`);
    const { page } = tab;
    const toCases = page.getByRole('link', { name: /of this affiliate to decide/ });
    const ofAffiliate = (login: string) => page.getByRole('link', { name: login });
    await toCases.click();
    await ofAffiliate('maya').first().waitFor();
    assert.equal(await ofAffiliate('noor').count(), 0);
    await page.goto(`${app.url}/console/applications?view=all&open=${applied.id}`);
    await toCases.click();
    await ofAffiliate('noor').first().waitFor();
    assert.equal(await ofAffiliate('maya').count(), 0);
    await tab.close();
  });

  for (const { name, ...look } of looks) {
    test(`many cases, one of them, and the rules: ${name}`, async () => {
      for (let i = 0; i < 15; i += 1) await hold();
      const tab = await openConsole('/review', look);
      for (const path of ['', '?open=1&view=all', '?view=rules', '?view=rules&rule=paid_ads']) {
        await tab.page.goto(`${app.url}/console/review${path}`);
        await tab.page.getByRole('heading', { name: 'Suspicious orders' }).waitFor();
        await eventually(async () => assert.equal(await tab.page.locator('.skeleton').count(), 0));
        await tab.assertNoSidewaysScroll();
        await tab.assertAccessible();
      }
      await tab.close();
    });
  }

  test('without the add-on there is no screen and no way to it', async () => {
    await app.set({ 'addons.disabled': ['review'] });
    const tab = await openConsole('');
    await tab.page.getByRole('link', { name: 'Payouts' }).first().waitFor();
    assert.equal(await tab.page.getByRole('link', { name: 'Suspicious', exact: true }).count(), 0);
    await tab.close();
  });
});
