import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  countOnImport,
  createImport,
  saveImportState,
} from '../../src/modules/imports/import-rows.ts';
import { carryOutUndos } from '../../src/modules/imports/undo/undo-import.ts';
import { sendMails } from '../../src/modules/mail/send-mails.ts';
import { eventually } from '../support/eventually.ts';
import { idOf, openTestApp, PASSWORD, refusal } from '../support/harness.ts';
import { MailReceiver } from '../support/mail-receiver.ts';
import { PayoutApp } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import type { Tab, TabOptions } from './tab.ts';

const receiver = await new MailReceiver().listen();
const app = await openTestApp({
  config: { smtpUrl: receiver.url(), mailFrom: 'program@store.example' },
});
const browser = await openBrowser();
const admin = await app.key('admin', 'read,write,manage');
const payouts = new PayoutApp(app, admin, '');
const settings = async () => (await app.call('/svc/store/v1/settings', { key: admin })).body;

const light: TabOptions = { width: 390, theme: 'light' };
const dark: TabOptions = { width: 1280, theme: 'dark' };

const consoleAs = (login: string, path: string, options: TabOptions = dark) =>
  openPortal(browser, app, login, `/console/${path}`, options);

async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
}

async function judge(tab: Tab): Promise<void> {
  await tab.assertAccessible();
  await tab.assertNoSidewaysScroll();
}

describe('settings', browser.needed, () => {
  for (const look of [light, dark]) {
    test(`${look.width} px: the minimum is changed with its effect in words`, async () => {
      await app.set({ 'payouts.threshold': 0 });
      if (look === light) {
        await payouts.coupon(12);
        await payouts.coupon(30, idOf('tomas'));
      }
      const tab = await consoleAs('manager', 'settings?group=payouts', look);
      const { page } = tab;
      await page.getByLabel('Minimum payout').fill('20');
      await page.getByText('1 affiliate falls below the new minimum.').waitFor();
      await judge(tab);
      assert.equal((await settings())['payouts.threshold'], 0);
      await press(page, 'Review and save');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 affiliate falls below the new minimum.').waitFor();
      await judge(tab);
      await press(page, 'Save 1 change');
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('1 change, not saved').waitFor({ state: 'detached' });
      assert.equal((await settings())['payouts.threshold'], 20);
      const minimum = page.getByLabel('Minimum payout');
      await eventually(async () => assert.equal(await minimum.inputValue(), '20'));
      await tab.close();
    });
  }

  test('search finds a setting of any group, and a fault is shown at its field', async () => {
    const tab = await consoleAs('admin', 'settings?q=two+factors', { ...dark, expected: /400/ });
    const { page } = tab;
    await page.getByLabel('Require two factors of administrators').check();
    await page.getByText('1 administrator has no second factor').waitFor();
    await press(page, 'Discard');
    await page.goto(`${app.url}/console/settings?group=store`);
    await page.getByLabel('Time zone').selectOption('Europe/Berlin');
    await page.getByLabel('Currency').selectOption({ label: 'EUR – Euro' });
    await page.getByText('It cannot be changed: amounts are already recorded').waitFor();
    await tab.close();
  });

  test('names in the hints of all groups are code', async () => {
    const tab = await consoleAs('admin', 'settings?q=the');
    const { page } = tab;
    await page.getByText('attribution.lifetime_days', { exact: true }).waitFor();
    assert.ok((await page.locator('.field-hint > code').count()) > 5);
    assert.doesNotMatch(await page.locator('main').innerText(), /`/);
    await tab.close();
  });

  test('what statuses of a store mean is chosen in lines, not typed as JSON', async () => {
    const tab = await consoleAs('admin', 'settings?q=woocommerce.statuses', light);
    const { page } = tab;
    const lines = page.getByRole('group', { name: /statuses|status/i }).last();
    await lines.getByRole('button', { name: 'Add a line' }).click();
    await page.getByText('Each line needs a valid name').waitFor();
    await lines.getByLabel('Status in WooCommerce').fill('Ready for pickup');
    await page.getByText('Each line needs a valid name').waitFor();
    await lines.getByLabel('Status in WooCommerce').fill('ready-for-pickup');
    await lines.getByLabel('Counts as').selectOption('Completed');
    await page.getByText('Each line needs a valid name').waitFor({ state: 'detached' });
    await judge(tab);
    await press(page, 'Review and save');
    await page.getByRole('dialog').getByText('ready-for-pickup: completed').waitFor();
    await press(page, 'Save 1 change');
    await page.getByText('1 change, not saved').waitFor({ state: 'detached' });
    const saved = async () => (await settings())['stores.woocommerce.statuses'];
    assert.deepEqual(await saved(), { 'ready-for-pickup': 'completed' });
    await lines.getByRole('button', { name: 'Remove ready-for-pickup' }).click();
    await press(page, 'Review and save');
    await press(page, 'Save 1 change');
    await page.getByText('1 change, not saved').waitFor({ state: 'detached' });
    assert.deepEqual(await saved(), {});
    await tab.close();
  });

  test('names of categories are texts in lines, and rules say them', async () => {
    const rule = { what: { categories: ['gift-sets'] }, rate: { percent: 15 } };
    const rules = '/svc/store/v1/rewards/rules';
    const { body } = await app.call(rules, { method: 'POST', key: admin, json: rule });
    const tab = await consoleAs('admin', 'settings?q=rewards.category_names', light);
    const { page } = tab;
    const lines = page.getByRole('group', { name: 'Names of categories' });
    await lines.getByRole('button', { name: 'Add a line' }).click();
    await lines.getByLabel('Id').fill('gift-sets');
    await page.getByText('Each line needs a valid name').waitFor();
    await lines.getByLabel('Name', { exact: true }).fill('Gift sets');
    await judge(tab);
    await press(page, 'Review and save');
    await press(page, 'Save 1 change');
    await page.getByText('1 change, not saved').waitFor({ state: 'detached' });
    await page.goto(`${app.url}/console/rewards`);
    await page.getByText('15% on products in the category Gift sets').first().waitFor();
    await app.call(`${rules}/${body.id}`, { method: 'DELETE', key: admin });
    await tab.close();
  });

  test('two managers: the later one sees both values, and nothing is lost in silence', async () => {
    await app.set({ 'payouts.threshold': 0, 'commission.percent': 10 });
    const expected = /412/;
    const mine = await consoleAs('manager', 'settings?group=payouts', { ...dark, expected });
    const theirs = await consoleAs('admin', 'settings?group=payouts', { ...light, expected });
    const { page } = mine;
    await page.getByLabel('Minimum payout').fill('25');
    await page.getByRole('main').getByRole('link', { name: 'Commission' }).click();
    await page.getByLabel('Commission in percent').fill('12');
    await page.getByText('New orders earn 12 %').waitFor();

    await theirs.page.getByLabel('Minimum payout').fill('40');
    await press(theirs.page, 'Review and save');
    await press(theirs.page, 'Save 1 change');
    await theirs.page.getByRole('dialog').waitFor({ state: 'detached' });
    await theirs.close();

    await press(page, 'Review and save');
    await press(page, 'Save 2 changes');
    await page.getByText('Someone else has changed settings since').waitFor();
    await page.getByText(/^40, by /).waitFor();
    assert.equal((await settings())['payouts.threshold'], 40);
    assert.equal((await settings())['commission.percent'], 10);
    await judge(mine);
    await press(page, 'Keep the saved value');
    await press(page, 'Save 1 change');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await settings())['payouts.threshold'], 40);
    assert.equal((await settings())['commission.percent'], 12);
    await mine.close();
  });
});

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><script>alert(1)</script><rect width="120" height="32" fill="#a00"/></svg>`;

/** The colour of a link as the browser computes it. */
const accentOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'));
/** Width by height of the logo that is shown; a file that is not an image has none. */
const logoRatio = (page: Page) =>
  page
    .locator('.site-mark')
    .first()
    .evaluate((image) => {
      const { naturalWidth, naturalHeight } = image as HTMLImageElement;
      return naturalWidth / naturalHeight;
    });

describe('brand', browser.needed, () => {
  test('colour and logo are previewed, saved, and seen on portal and public page', async () => {
    const tab = await consoleAs('manager', 'settings?group=brand', { ...dark, expected: /400/ });
    const { page } = tab;
    await page.getByLabel('Accent colour', { exact: true }).fill('#ffcc00');
    await page.getByText(/Shown as #[0-9a-f]{6}, because 1\.\d+:1 is too low/).waitFor();
    await page.getByLabel('Logo').setInputFiles({
      name: 'logo.gif',
      mimeType: 'image/gif',
      buffer: Buffer.from('GIF89a'),
    });
    await page.getByText('This file is not accepted').waitFor();
    await page.getByLabel('Logo').setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(LOGO),
    });
    await page.getByText('The logo is saved and shown on all pages.').waitFor();
    await judge(tab);
    await press(page, 'Review and save');
    await press(page, 'Save 1 change');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(async () => assert.equal(await accentOf(page), '#ffcc00'));
    await tab.close();

    const { accent } = (await app.call('/svc/store/v1/brand')).body;
    const portal = await openPortal(browser, app, 'maya', '/app', light);
    const open = await browser.open(`${app.url}/?lang=en`, light);
    for (const seen of [portal, open]) {
      await seen.page.locator('.site-mark').first().waitFor();
      await eventually(async () => assert.equal(await logoRatio(seen.page), 120 / 32));
      await eventually(async () => assert.equal(await accentOf(seen.page), accent.light.color));
      await judge(seen);
      await seen.close();
    }
  });
});

describe('program page', browser.needed, () => {
  test('a large photo and own sections, seen while they are written and on the page', async () => {
    const tab = await consoleAs('manager', 'settings?group=program', { ...light, expected: /400/ });
    const { page } = tab;
    const picture = page.getByLabel('Picture', { exact: true });
    await picture.setInputFiles({
      name: 'photo.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('no photo'),
    });
    await page.getByText('This file is not accepted').waitFor();
    // As large as a camera's, made by the browser.
    const photo = await page.evaluate(() => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [4000, 2100];
      canvas.getContext('2d')!.fillRect(0, 0, 2000, 2100);
      return canvas.toDataURL('image/jpeg').split(',')[1]!;
    });
    await picture.setInputFiles({
      name: 'photo.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(photo, 'base64'),
    });
    await page.getByText('The picture is saved and shown on the program page.').waitFor();
    await page.locator('img[src$="-1600x840.jpg"]').waitFor();
    // Without a photo: from the logo, the colour, the headline and the commission.
    await press(page, 'Remove the picture');
    await page.getByAltText('The picture of the program page').waitFor({ state: 'detached' });
    await press(page, 'Make a picture from the brand');
    const made = page.getByAltText('The picture of the program page');
    await made.waitFor();
    assert.match((await made.getAttribute('src'))!, /-1200x630\.png$/);
    const { corner, colors } = await made.evaluate((image) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [1200, 630];
      const pen = canvas.getContext('2d')!;
      pen.drawImage(image as HTMLImageElement, 0, 0);
      const pixels = new Uint32Array(pen.getImageData(0, 0, 1200, 630).data.buffer);
      return { corner: [...pen.getImageData(0, 0, 1, 1).data], colors: new Set(pixels).size };
    });
    const { accent } = (await app.call('/svc/store/v1/brand')).body;
    const hex = corner.slice(0, 3).map((part) => part.toString(16).padStart(2, '0'));
    assert.equal(`#${hex.join('')}`, accent?.color ?? '#016b50');
    assert.ok(colors > 100, 'letters and a logo, not a background alone');
    await page.getByLabel('Sections').fill('## Who we are\n\nA **small** shop.\n\n- One\n- Two');
    const preview = page.getByRole('region', { name: 'Preview of the sections' });
    await preview.getByRole('heading', { name: 'Who we are' }).waitFor();
    // At the end of the screen the bar with the changes covers no field.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await judge(tab);
    await press(page, 'Review and save');
    await press(page, 'Save 1 change');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tab.close();

    const open = await browser.open(`${app.url}/?lang=en`, dark);
    await open.page.getByRole('heading', { name: 'Who we are' }).waitFor();
    const size = await open.page.locator('.program-picture').evaluate((image) => {
      const { naturalWidth, naturalHeight } = image as HTMLImageElement;
      return [naturalWidth, naturalHeight];
    });
    assert.deepEqual(size, [1200, 630]);
    await judge(open);
    await open.close();
  });
});

describe('team', browser.needed, () => {
  test('invitation, mail, first sign-in; then disabled', async () => {
    const tab = await consoleAs('admin', 'team', { ...light, expected: /409/ });
    const { page } = tab;
    await page.getByText('admin@test.example').waitFor();
    await judge(tab);
    await press(page, 'Invite');
    await page.getByLabel('Email address').fill('lena@mail.example');
    await page.getByLabel('Login').fill('lena');
    await judge(tab);
    await press(page, 'Send the invitation');
    await page.getByRole('link', { name: 'lena' }).waitFor();
    await page.getByText('Invited').waitFor();

    // The background job may be sending it already.
    const link = await eventually(async () => {
      await sendMails.run(app.site);
      const mail = receiver.received.findLast(({ envelopeTo }) =>
        envelopeTo.includes('lena@mail.example'),
      );
      const found = /https?:\/\/[^\s/]+(\/app\/\S+token=\w+)/.exec(mail?.parsed.text ?? '');
      assert.ok(found, 'the mail with the link');
      return found[1]!;
    });
    const invited = await browser.open(`${app.url}${link}`, dark);
    await invited.page.getByLabel('Password', { exact: true }).fill('tall-violet-harbour-42');
    await press(invited.page, 'Save and sign in');
    await invited.page.waitForURL(`${app.url}/console`);
    const nav = invited.page.getByRole('navigation', { name: 'Main' });
    await nav.getByRole('link', { name: 'Settings' }).waitFor();
    assert.equal(await nav.getByRole('link', { name: 'Team' }).count(), 0);
    await invited.close();

    await page.goto(`${app.url}/console/team`);
    await page.getByRole('link', { name: 'lena' }).click();
    await press(page, 'Disable');
    await page.getByText('Disabled').waitFor();
    assert.equal(
      (
        await app.call('~/session', {
          method: 'POST',
          json: { login: 'lena', password: 'tall-violet-harbour-42' },
        })
      ).status,
      401,
    );

    // The last administrator stays one.
    await page.getByRole('link', { name: /\(You\)/ }).click();
    await page.getByLabel('Change the role').selectOption('manager');
    await press(page, 'Save the role');
    await page.getByRole('alert').waitFor();
    await judge(tab);
    await tab.close();
  });
});

describe('keys', browser.needed, () => {
  test('created after a proof, shown once, used, revoked', async () => {
    const tab = await consoleAs('admin', 'keys', { ...dark, expected: /403/ });
    const { page } = tab;
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await judge(tab);
    app.advance(11 * 60_000);
    await press(page, 'Create a key');
    await page.getByLabel('What is it for?').fill('Order sync');
    await page.getByLabel('Write').check();
    await judge(tab);
    await press(page, 'Create the key');
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Confirm');
    const token = await page.locator('[data-secret="key"]').textContent();
    const curl = await page.locator('[data-secret="curl"]').textContent();
    assert.equal(curl, `curl -H "Authorization: Bearer ${token}" ${app.site.publicUrl}/svc/v2/me`);
    await judge(tab);
    const me = await app.call('/me', { key: token! });
    assert.deepEqual(me.body.auth.scopes, ['read', 'write']);
    await press(page, 'I have stored it');
    await page.getByText(token!).first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Order sync' }).click();
    await press(page, 'Revoke the key');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await app.call('/me', { key: token! })).status, 401);
    await tab.close();
  });
});

describe('add-ons', browser.needed, () => {
  test('one is switched off and on again, with what it leads to', async () => {
    const tab = await consoleAs('admin', 'add-ons', light);
    const { page } = tab;
    await page.getByRole('button', { name: 'Switch off Levels?' }).waitFor();
    await page.getByText(/earn a share of what those earn/).waitFor();
    await page.locator('.add-ons').getByRole('link', { name: 'Webhooks' }).waitFor();
    await judge(tab);
    await press(page, 'Switch off Levels?');
    await page.getByText(/off for the team, for affiliates and for programs/).waitFor();
    await judge(tab);
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch on Levels?' }).waitFor();
    assert.deepEqual((await settings())['addons.disabled'], ['multilevel']);
    await press(page, 'Switch on Levels?');
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Switch off Levels?' }).waitFor();
    assert.deepEqual((await settings())['addons.disabled'], []);
    await tab.close();
  });
});

describe('imports', browser.needed, () => {
  test('are listed with what they brought, and undone after a question', async () => {
    const tab = await consoleAs('admin', 'imports', light);
    const { page } = tab;
    await page.getByText('Nothing has been imported yet').waitFor();
    await judge(tab);
    const files = JSON.stringify(['affiliates.csv', 'referrals of all years.csv']);
    for (const system of ['affiliatewp', 'rewardful']) {
      await app.site.database.transaction(async (tx) => {
        const values = { system, files, digest: system, run_by: 'deploy' };
        const { id } = await createImport(tx, { ...values, created_at: app.site.clock() });
        await countOnImport(tx, id, { affiliates: 3, coupons: 4, balance: 1_250, records: 80 });
        await saveImportState(tx, id, 'done', app.site.clock());
      });
    }
    await page.reload();
    await page
      .getByRole('link', { name: /Rewardful/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Import 2 from Rewardful' });
    await dialog.getByText('deploy', { exact: true }).waitFor();
    await dialog.getByText('$12.50').waitFor();
    await press(page, 'Undo the import');
    await dialog.getByText(/Undoing takes the opening balances back/).waitFor();
    await judge(tab);
    await press(page, 'Yes, undo it');
    await dialog.getByText('The import is being undone in the background.').waitFor();
    await carryOutUndos.run(app.site);
    await dialog.getByText('Undone', { exact: true }).waitFor();
    await tab.close();
    const wide = await consoleAs('admin', 'imports', dark);
    await wide.page.getByText('Undone', { exact: true }).waitFor();
    await judge(wide);
    await wide.close();
  });

  test('rates of another system are read as sentences before they become rules', async () => {
    const folder = new URL('../moving/rates/coupon-affiliates/', import.meta.url).pathname;
    for (const look of [light, dark]) {
      const tab = await consoleAs('admin', 'imports?new=1', look);
      const dialog = tab.page.getByRole('dialog', { name: 'New import' });
      await dialog.getByLabel('What do you import?').selectOption('Coupon Affiliates');
      const files = ['affiliate-users.csv', 'table_data.csv', 'wcusage-tools.csv'];
      await dialog.getByLabel('Files').setInputFiles(files.map((name) => folder + name));
      await press(tab.page, 'Check the files');
      await dialog.getByText('Everyone earns 15% on products 61 and 62.').waitFor();
      await dialog.getByText('the coupon tia10 earns 12.5% and 2 USD per order').waitFor();
      await judge(tab);
      await tab.close();
    }
  });

  test('a CSV file is checked, imported and undone, and Escape asks before it is lost', async () => {
    const buffer = Buffer.from(
      'login,email,coupon_code,Shoe size\nnora,nora@mail.example,NORA10,38\nodd,no address,,40\n',
    );
    for (const look of [light, dark]) {
      const tab = await consoleAs('admin', 'imports', { ...look, expected: /403/ });
      const { page } = tab;
      await page.getByRole('link', { name: 'New import' }).click();
      const dialog = page.getByRole('dialog', { name: 'New import' });
      await dialog.getByLabel('What do you import?').selectOption('Affiliates');
      await judge(tab);
      const csv = { name: 'people.csv', mimeType: 'text/csv', buffer };
      await dialog.getByLabel('Files').setInputFiles(csv);
      await page.keyboard.press('Escape');
      await dialog.getByText('Discard what you have entered?').waitFor();
      await judge(tab);
      await dialog.getByRole('button', { name: 'Keep editing' }).click();
      await dialog.getByRole('button', { name: 'Check the files' }).click();
      await dialog.getByText('login, email, coupon_code').waitFor();
      await dialog.getByText('Shoe size', { exact: true }).waitFor();
      await dialog.getByText('people.csv, line 3').waitFor();
      await judge(tab);
      if (look === light) {
        await tab.close();
        continue;
      }
      await dialog.getByRole('button', { name: 'Import one line' }).click();
      const proof = page.getByRole('dialog', { name: "Confirm it's you" });
      const done = page.getByRole('dialog', { name: /Import \d+ from Affiliates/ });
      await proof.or(done).waitFor();
      if (await proof.isVisible()) {
        await proof.getByLabel('Password').fill(PASSWORD);
        await proof.getByRole('button').last().click();
      }
      await done.getByText('Done', { exact: true }).waitFor();
      await press(page, 'Undo the import');
      await press(page, 'Yes, undo it');
      await done.getByText('The import is being undone in the background.').waitFor();
      await carryOutUndos.run(app.site);
      await done.getByText('Undone', { exact: true }).waitFor();
      await tab.close();
    }
  });
});

describe('a manager', browser.needed, () => {
  test('sees neither the screens nor the settings of administrators, and their calls are refused', async () => {
    const tab = await consoleAs('manager', 'settings?q=requests+per+minute');
    const { page } = tab;
    await page.getByText('No setting matches').waitFor();
    for (const screen of ['team', 'add-ons', 'imports', 'webhooks']) {
      await page.goto(`${app.url}/console/${screen}`);
      await page.getByText('This is for administrators').first().waitFor();
    }
    await tab.close();
    const session = await app.signIn('manager');
    for (const [method, path, json] of [
      ['GET', '/team'],
      ['POST', '/team', { login: 'x1', email: 'x@test.example', role: 'administrator' }],
      ['PATCH', `/team/${idOf('admin')}`, { role: 'manager' }],
      ['POST', `/team/${idOf('admin')}/invitation`, {}],
      ['GET', '/addons'],
      ['PATCH', '/settings', { 'addons.disabled': ['payouts'] }],
      ['PATCH', '/settings', { 'web.enabled': false }],
      ['POST', '/settings/effects', { 'api.rate_per_minute': 1 }],
    ] as const) {
      const reply = await app.call(`/svc/store/v1${path}`, { method, session, json });
      assert.equal(refusal(reply), '403 svc_api_forbidden', `${method} ${path}`);
    }
  });
});
