import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { runTrials } from '../../src/modules/reward-trials/run-trials.ts';
import { eventually } from '../support/eventually.ts';
import { idOf, openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal, tabTo } from './portal.ts';
import { looks, type Tab, type TabOptions } from './tab.ts';

const app = await openTestApp();
const browser = await openBrowser();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
const call = async (method: string, path: string, json?: object) => {
  const reply = await app.call(STORE + path, { method, key: admin, ...(json && { json }) });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
};
const rules = async () => (await call('GET', '/rewards/rules')).rules;
const bonuses = async () => (await call('GET', '/rewards/bonuses')).bonuses;
const names = async () => (await rules()).map(({ name }: { name: string }) => name);
await call('POST', '/groups', { name: 'Gold' });
await call('POST', '/groups', { name: 'Silver' });
await call('POST', '/coupons', { code: 'MAYA10', user_id: idOf('maya') });
await call('POST', '/coupons', { code: 'TOMAS10', user_id: idOf('tomas') });
const ORDER = { date: app.site.calendar.toLocal(app.site.clock()), status: 'completed' };
for (const [id, code, total] of [
  [1, 'MAYA10', 100],
  [2, 'MAYA10', 50],
  [3, 'TOMAS10', 200],
] as const) {
  await call('PUT', `/orders/${id}`, { ...ORDER, total, coupon_codes: [code] });
}

const open = (login: string, path: string, options: TabOptions = {}) =>
  openPortal(browser, app, login, `/console/rewards${path}`, options);

async function judge(tab: Tab): Promise<void> {
  // The sentence stays in sight, and covers a part of what is scrolled below it.
  await tab.page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await tab.assertAccessible();
  await tab.assertNoSidewaysScroll();
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
/** Adds a condition to the form of a rule. */
const add = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const box = (page: Page, name: string) => page.getByRole('textbox', { name });
const sentence = (page: Page) => page.locator('.rule-preview');
const moveButton = (page: Page, way: string, text: string) =>
  page.getByRole('button', { name: new RegExp(`^Move ${way}: .*${text}`) });

/** Waits until the list of rules has this many entries. */
const shows = (page: Page, count: number) =>
  eventually(async () => assert.equal(await page.locator('.reward-rules > li').count(), count));

describe('rewards', browser.needed, () => {
  for (const look of looks) {
    test(`${look.name}: without a rule, the rates of the settings and what to do`, async () => {
      const tab = await open('admin', '', look);
      const { page } = tab;
      await page.getByText('No rules yet').waitFor();
      await page.getByText('If no rule has decided').waitFor();
      await judge(tab);
      await page.getByRole('link', { name: 'New rule' }).click();
      await page.getByText('Enter a rate to see a summary of the rule').waitFor();
      await judge(tab);
      await tab.close();
    });
  }

  for (const look of looks) {
    test(`${look.name}: a rule is tried on past orders before it is saved`, async () => {
      const tab = await open('admin', '', look);
      const { page } = tab;
      await page.getByRole('link', { name: 'New rule' }).click();
      const tryIt = page.getByRole('button', { name: 'Try on the last 90 days' });
      await tryIt.click();
      await page.getByText('Fill in the rule first').waitFor();
      await page.getByRole('radio', { name: 'Certain affiliates' }).check();
      await page.getByRole('combobox', { name: 'Certain affiliates' }).fill('tomas');
      await page.keyboard.press('Enter');
      await page.locator('.picked').getByText('Tomas').waitFor();
      await box(page, 'Percent').fill('5');
      await tryIt.click();
      await page.getByRole('progressbar', { name: 'Trying on past orders' }).waitFor();
      await judge(tab);
      await runTrials.run(app.site);
      await page.getByText('$35.00 → $25.00').waitFor();
      await page.getByText('1 affiliate would get less').waitFor();
      const affiliates = page.getByRole('table', { name: 'Affiliates whose commission changes' });
      await affiliates.getByText('-$10.00').waitFor();
      const link = affiliates.getByRole('link', { name: 'tomas' });
      assert.equal(await link.getAttribute('href'), `/console/affiliates/${idOf('tomas')}`);
      const orders = page.getByRole('table', { name: 'The orders that change most' });
      const order = orders.getByRole('link', { name: '3' });
      assert.equal(await order.getAttribute('href'), '/console/orders/3');
      const questions: string[] = [];
      page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void dialog.dismiss();
      });
      await order.click();
      await link.click();
      const question = 'Leave without saving? Your changes will be lost.';
      assert.deepEqual(questions, [question, question]);
      assert.equal(new URL(page.url()).pathname, '/console/rewards/new');
      await page.evaluate(() => history.back());
      await eventually(() => assert.equal(questions.length, 3));
      assert.equal(new URL(page.url()).pathname, '/console/rewards/new');
      assert.equal(await box(page, 'Percent').inputValue(), '5');
      await judge(tab);
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const csv = await readFile(await (await saving).path(), 'utf8');
      assert.equal(
        csv,
        `user_id,name,before,after,difference\r\n${idOf('tomas')},"tomas",20.00,10.00,-10.00\r\n`,
      );

      await box(page, 'Percent').fill('10');
      await page.getByText('You have changed the rule since this trial.').waitFor();
      await tryIt.click();
      await page.getByRole('progressbar').waitFor();
      await runTrials.run(app.site);
      await page.getByText('No order of the last 90 days would change.').waitFor();
      assert.deepEqual(await rules(), []);
      await tab.close();
    });
  }

  test('a rule for running subscriptions says how many change, and how much money it moves', async () => {
    for (const [i, subscription] of [{ id: 'S', payment: 1 }, { id: 'S' }].entries()) {
      const coupon_codes = i === 0 ? ['MAYA10'] : [];
      await call('PUT', `/orders/${90 + i}`, { ...ORDER, total: 80, coupon_codes, subscription });
    }
    const tab = await open('admin', '/new');
    const { page } = tab;
    await box(page, 'Percent').fill('20');
    await add(page, 'Also for running subscriptions');
    await page.getByRole('checkbox', { name: 'Also for running subscriptions' }).check();
    await page
      .getByText(
        '1 of 1 running subscriptions would change: their next payments would earn $16.00 instead of $0.00.',
      )
      .waitFor();
    await judge(tab);
    await box(page, 'Percent').fill('0');
    await page.getByText('No running subscription would change.').waitFor();
    await tab.close();
    for (const id of [90, 91]) {
      await call('PUT', `/orders/${id}`, { ...ORDER, total: 80, status: 'cancelled' });
    }
  });

  test('a trial is cancelled, also by leaving, and another one that runs is named', async () => {
    const tab = await open('admin', '/new', { expected: /409/ });
    const { page } = tab;
    const start = async () => {
      await box(page, 'Percent').fill('5');
      await page.getByRole('button', { name: 'Try on the last 90 days' }).click();
    };
    const day = app.site.calendar.dayOf(app.site.clock());
    const { id } = await call('POST', '/rewards/dry-run', { from: day, to: day });
    await start();
    await page.getByText('Another trial is running.').waitFor();
    await call('DELETE', `/rewards/dry-run/${id}`);
    await start();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    const stateOf = async (trial: number) => (await call('GET', `/rewards/dry-run/${trial}`)).state;
    assert.equal(await stateOf(id + 1), 'cancelled');
    await start();
    await page.getByRole('progressbar').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: 'Commission' }).filter({ visible: true }).first().click();
    await eventually(async () => assert.equal(await stateOf(id + 2), 'cancelled'));
    await tab.close();
  });

  for (const look of looks) {
    test(`${look.name}: groups with their rates and discounts`, async () => {
      const tab = await open('admin', '?tab=groups', { ...look, expected: /409/ });
      const { page } = tab;
      const name = look.name.replaceAll(/[^a-z]/gi, '');
      await page.getByRole('link', { name: 'Gold', exact: true }).waitFor();
      await judge(tab);
      await page.getByRole('link', { name: 'New group' }).click();
      const dialog = page.getByRole('dialog');
      // Some are followed by "(optional)".
      const field = (label: string) =>
        dialog.getByRole('textbox', { name: new RegExp(`^${label}`) });
      await field('Name').fill('gold');
      await field('Percentage').fill('12,5');
      await dialog.getByLabel('Customers get').selectOption('A percentage off');
      await field('Discount').fill('10');
      await judge(tab);
      await save(page);
      await dialog.getByText('already exists').waitFor();
      await field('Name').fill(`Press ${name}`);
      await save(page);
      await dialog.waitFor({ state: 'detached' });
      const entry = page.getByRole('listitem').filter({ hasText: `Press ${name}` });
      await entry.getByText('12.5% · 10% off for customers').waitFor();
      await entry.getByRole('link', { name: `Press ${name}` }).click();
      await field('Name').fill(`Media ${name}`);
      await field('Percentage').fill('');
      await save(page);
      await dialog.waitFor({ state: 'detached' });
      const changed = page.getByRole('listitem').filter({ hasText: `Media ${name}` });
      await changed.getByText('10% off for customers', { exact: true }).waitFor();
      await judge(tab);
      await tab.close();
    });
  }

  test('an owner writes three rules and reads each as a sentence before saving it', async () => {
    const tab = await open('admin', '/new');
    const { page } = tab;
    await page.getByRole('radio', { name: 'Groups' }).check();
    await page.getByRole('checkbox', { name: 'Gold' }).check();
    await page.getByRole('radio', { name: 'Categories' }).check();
    await box(page, 'IDs of the categories').fill('candles');
    await box(page, 'Percent').fill('20');
    await add(page, 'Only between two days');
    await page.getByLabel('First day').fill('2026-11-01');
    await page.getByLabel('Last day').fill('2026-11-30');
    await add(page, 'Name');
    await box(page, 'Name').fill('Candles in November');
    await sentence(page)
      .getByText(/Gold.*20.*candles/)
      .waitFor();
    await judge(tab);
    await save(page);
    await shows(page, 1);

    await page.getByRole('link', { name: 'New rule' }).click();
    await page.getByRole('radio', { name: 'Tags' }).check();
    await box(page, 'IDs of the tags').fill('gift-card');
    await page.getByRole('radio', { name: 'Nothing' }).check();
    await sentence(page)
      .getByText(/No one earns anything.*gift-card/)
      .waitFor();
    await save(page);
    await shows(page, 2);

    await page.getByRole('link', { name: 'New rule' }).click();
    await page.getByRole('radio', { name: 'Rising rate (tiers)' }).check();
    await box(page, 'Percent').first().fill('10');
    await box(page, 'From sales of').fill('1000');
    await box(page, 'Percent').last().fill('15');
    await sentence(page).getByText(/10/).waitFor();
    await page.locator('.staircase').getByText('$1,000.00').waitFor();
    await judge(tab);
    await save(page);
    await shows(page, 3);
    await judge(tab);
    const [candles, cards, steps] = await rules();
    assert.deepEqual(candles.who, { groups: ['Gold'] });
    assert.deepEqual([candles.from, candles.to], ['2026-11-01', '2026-11-30']);
    assert.equal(candles.rate.percent, 20);
    assert.deepEqual([cards.what, cards.rate], [{ tags: ['gift-card'] }, { excluded: true }]);
    assert.deepEqual(steps.rate.steps.steps, [
      { from: 0, percent: 10 },
      { from: 1000, percent: 15 },
    ]);
    await tab.close();
  });

  test('the keyboard alone changes the order, and the focus stays on the rule', async () => {
    const tab = await open('admin', '');
    const { page } = tab;
    await shows(page, 3);
    const before = (await rules()).map(({ id }: { id: number }) => id);
    await tabTo(tab, 'Move up: No one earns anything');
    await page.keyboard.press('Enter');
    await page.getByText('The rule is now number 1 of 3.').waitFor({ state: 'attached' });
    const after = (await rules()).map(({ id }: { id: number }) => id);
    assert.deepEqual(after, [before[1], before[0], before[2]]);
    // There is no way up from the top: its other button has the focus.
    await eventually(async () => {
      const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
      assert.match(label ?? '', /^Move down: .*gift-card/);
    });
    await tab.close();
  });

  test('the mouse drags a rule to another place', async () => {
    const tab = await open('admin', '');
    const { page } = tab;
    await shows(page, 3);
    const before = (await rules()).map(({ id }: { id: number }) => id);
    const rows = page.locator('.reward-rules > li');
    await rows.nth(2).dragTo(rows.nth(0));
    await page.getByText('The rule is now number 1 of 3.').waitFor({ state: 'attached' });
    const after = (await rules()).map(({ id }: { id: number }) => id);
    assert.deepEqual(after, [before[2], before[0], before[1]]);
    await tab.close();
  });

  for (const look of looks) {
    test(`${look.name}: a list that another person has changed is shown again, with why`, async () => {
      const tab = await open('admin', '', { ...look, expected: /409/ });
      const { page } = tab;
      const count = (await rules()).length;
      await shows(page, count);
      await page.route('**/rewards/rules', (route) => route.abort());
      const name = `Hidden ${look.width}`;
      await call('POST', '/rewards/rules', {
        name,
        what: { tags: ['gift-card'] },
        rate: { percent: 1 },
      });
      await page.unroute('**/rewards/rules');
      await moveButton(page, 'up', 'gift-card').first().click();
      await page.getByText('so your order was not saved').waitFor();
      await shows(page, count + 1);
      await page.getByText(/Hidden by rule \d/).waitFor();
      assert.equal((await names()).at(-1), name);
      await judge(tab);
      await tab.close();
    });
  }

  test('a refused value is shown at its field, and while it is typed', async () => {
    const tab = await open('admin', '/new', { expected: /400/ });
    const { page } = tab;
    await box(page, 'Percent').fill('101');
    await page.getByText('must be <= 100').waitFor();
    await box(page, 'Percent').fill('12');
    await page.getByText('must be <= 100').waitFor({ state: 'detached' });
    await add(page, 'Only between two days');
    await page.getByLabel('First day').fill('2026-11-30');
    await page.getByLabel('Last day').fill('2026-11-01');
    await page.getByText('must not be before from').waitFor();
    await save(page);
    await page.getByText('must not be before from').waitFor();
    await box(page, 'Percent').fill('');
    await save(page);
    await page.getByText('Please fill this in.').waitFor();
    await tab.close();
  });

  test('every part of a rule is kept, shown again and changed', async () => {
    const tab = await open('admin', '/new');
    const { page } = tab;
    await page.getByRole('radio', { name: 'Certain affiliates' }).check();
    await page.getByRole('combobox', { name: 'Certain affiliates' }).fill('maya');
    await page.keyboard.press('Enter');
    await page.locator('.picked').getByText('Maya').waitFor();
    await box(page, 'Percent').fill('7,5');
    await box(page, 'Amount per product').fill('0.50');
    await add(page, 'Orders of the customer');
    await page
      .getByRole('combobox', { name: 'Orders of the customer' })
      .selectOption('The first one');
    await add(page, 'Payments of a subscription');
    await page
      .getByRole('combobox', { name: 'Payments of a subscription' })
      .selectOption('Renewals');
    await box(page, 'From payment number').fill('2');
    await box(page, 'To payment number').fill('12');
    await add(page, 'Minimum total');
    await box(page, 'Minimum total').fill('50');
    await add(page, 'Countries');
    await box(page, 'Countries').fill('de, at');
    await add(page, 'Credited by');
    await page.getByRole('checkbox', { name: 'Coupon' }).check();
    await add(page, 'Limit');
    await page.getByRole('combobox', { name: 'Limit', exact: true }).selectOption('A sum');
    await box(page, 'Sum').fill('100');
    await page.getByLabel('Counted in').selectOption('the last days');
    await add(page, 'Name');
    await box(page, 'Name').fill('All of it');
    await add(page, 'Also for running subscriptions');
    await page.getByRole('checkbox', { name: 'Also for running subscriptions' }).check();
    await add(page, 'Active');
    await page.getByRole('checkbox', { name: 'Active' }).uncheck();
    await save(page);
    await page.getByRole('link', { name: 'New rule' }).waitFor();
    await page.getByText('All of it', { exact: true }).waitFor();
    const rule = (await rules()).at(-1);
    assert.deepEqual(rule.who, { affiliates: [idOf('maya')] });
    assert.deepEqual(rule.order, {
      customer: 'first',
      payment: 'renewal',
      payments: { from: 2, to: 12 },
      min_total: 50,
      countries: ['DE', 'AT'],
      via: ['coupon'],
    });
    assert.deepEqual(rule.rate, { percent: 7.5, fixed_per_order: null, fixed_per_product: 0.5 });
    const window = { kind: 'days', days: 30 };
    assert.deepEqual(rule.limit, { amount: 100, per: 'affiliate', window });
    assert.deepEqual([rule.running, rule.active], [true, false]);

    await page.goto(`${app.url}/console/rewards/${rule.id}`);
    await page.locator('.picked').getByText('Maya').waitFor();
    assert.equal(await box(page, 'To payment number').inputValue(), '12');
    // All conditions that the rule has are shown; the others are one press away.
    assert.equal(await page.locator('.condition').count(), 9);
    await add(page, 'Remove: Minimum total');
    assert.equal(await box(page, 'Minimum total').count(), 0);
    await add(page, 'Minimum total');
    assert.equal(await box(page, 'Minimum total').inputValue(), '');
    await box(page, 'Minimum total').fill('60');
    await page.getByRole('radio', { name: 'Certain coupons' }).check();
    await page.getByRole('combobox', { name: 'Certain coupons' }).fill('maya10');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.locator('.picked').getByText('MAYA10').waitFor();
    await judge(tab);
    await save(page);
    await page.getByRole('link', { name: 'New rule' }).waitFor();
    const changed = (await rules()).at(-1);
    assert.equal(changed.who.coupons.length, 1);
    assert.deepEqual(changed.order, { ...rule.order, min_total: 60 });
    await tab.close();
  });

  test('two owners: the later one sees what the rule says now, and starts again from it', async () => {
    const { id } = await call('POST', '/rewards/rules', { name: 'Both', rate: { percent: 3 } });
    const tab = await open('admin', `/${id}`, { expected: /409/ });
    const { page } = tab;
    await box(page, 'Percent').fill('4');
    await call('PATCH', `/rewards/rules/${id}`, { rate: { percent: 9 } });
    await save(page);
    await page.getByText('Someone else has changed this rule').waitFor();
    await page.locator('.notice').getByText(/9/).waitFor();
    await judge(tab);
    await page.getByRole('button', { name: 'Continue with the current rule' }).click();
    await eventually(async () => assert.equal(await box(page, 'Percent').inputValue(), '9'));
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Orders that came in before keep their commission.').waitFor();
    await judge(tab);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'New rule' }).waitFor();
    assert.ok(!(await names()).includes('Both'));
    await tab.close();
  });

  for (const look of looks) {
    test(`${look.name}: an owner writes, changes and deletes bonuses`, async () => {
      const tab = await open('admin', '', { ...look, expected: /400|409/ });
      const { page } = tab;
      await page.getByRole('link', { name: 'Bonuses', exact: true }).click();
      await page.getByText('No bonuses yet').waitFor();
      await judge(tab);
      await page.getByRole('link', { name: 'New bonus' }).click();
      await save(page);
      await page.getByText('Please fill this in.').first().waitFor();
      await box(page, 'Name').fill('Autumn');
      await page.getByRole('radio', { name: 'Groups' }).check();
      await page.getByRole('checkbox', { name: 'Gold' }).check();
      await box(page, 'From sales of').fill('1000');
      await page.getByRole('radio', { name: 'A percentage' }).check();
      await box(page, 'Percent').fill('101');
      await page.getByLabel('Of what?').selectOption('Commission');
      await judge(tab);
      await page.getByText('must be <= 100').waitFor();
      await save(page);
      await page.getByText('must be <= 100').waitFor();
      await box(page, 'Percent').fill('2,5');
      await sentence(page)
        .getByText(/The group Gold .*2\.5%.*1,000/)
        .waitFor();
      await save(page);
      await page.getByRole('link', { name: /The group Gold .*1,000/ }).waitFor();
      await judge(tab);
      const [first] = await bonuses();
      assert.deepEqual(first.who, { groups: ['Gold'] });
      const window = { kind: 'month' };
      assert.deepEqual(first.target, { by: 'sales', counts: 'granted', window, at: 1000 });
      assert.deepEqual([first.pays, first.once], [{ percent: 2.5, of: 'commission' }, 'window']);

      await page.getByRole('link', { name: /The group Gold/ }).click();
      await page.getByRole('radio', { name: 'The first order' }).check();
      assert.equal(await page.getByRole('radio', { name: 'A percentage' }).count(), 0);
      await box(page, 'Amount').fill('20');
      await page.getByRole('checkbox', { name: 'Active' }).uncheck();
      await call('PATCH', `/rewards/bonuses/${first.id}`, { name: 'Winter' });
      await save(page);
      await page.getByText('Someone else has changed this bonus').waitFor();
      await judge(tab);
      await page.getByRole('button', { name: 'Continue with the current bonus' }).click();
      await eventually(async () => assert.equal(await box(page, 'Name').inputValue(), 'Winter'));
      await page.getByRole('radio', { name: 'The first order' }).check();
      await box(page, 'Amount').fill('20');
      await page.getByRole('checkbox', { name: 'Active' }).uncheck();
      await save(page);
      await page.getByText('Inactive', { exact: true }).waitFor();
      const [changed] = await bonuses();
      assert.deepEqual(changed.target, { event: 'first_order' });
      assert.deepEqual(
        [changed.name, changed.pays, changed.once, changed.active],
        ['Winter', { amount: 20 }, 'ever', false],
      );

      await page.locator('.reward-rules').getByRole('link').click();
      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Bonuses that were paid').waitFor();
      await judge(tab);
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No bonuses yet').waitFor();
      assert.deepEqual(await bonuses(), []);
      await tab.close();
    });
  }

  test('managers read the rules and change nothing', async () => {
    const tab = await open('manager', '');
    const { page } = tab;
    await page.getByText('Administrators change the rules.').waitFor();
    await page
      .locator('.reward-rules')
      .getByText(/gift-card/)
      .waitFor();
    assert.equal(await page.locator('main').getByRole('button').count(), 0);
    assert.equal(await page.getByRole('link', { name: 'New rule' }).count(), 0);
    await tab.close();
  });
});
