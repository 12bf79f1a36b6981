import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkBonuses } from '../../src/modules/bonuses/check-bonuses.ts';
import { idOf, openTestApp } from '../support/harness.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { looks } from './tab.ts';

const app = await openTestApp();
// In the middle of a month, so that no window ends while the tests run.
app.setClock(Date.parse('2026-11-10T12:00:00Z') - app.site.clock());
const browser = await openBrowser();
const admin = await app.key('admin', 'read,write,manage');
const call = async (method: string, path: string, json: object) => {
  const reply = await app.call(`/svc/store/v1${path}`, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
};
await call('POST', '/coupons', { code: 'MAYA10', user_id: idOf('maya') });
await call('POST', '/rewards/rules', { what: { tags: ['sale'] }, rate: { excluded: true } });
const counter = { by: 'sales', counts: 'granted', window: { kind: 'month' } };
const steps = [
  { from: 0, percent: 10 },
  { from: 310, percent: 12.5 },
];
const stepped = (tag: string, rule: object) =>
  call('POST', '/rewards/rules', { what: { tags: [tag] }, rate: { steps: rule } });
await stepped('tea', { ...counter, steps });
const highest = { ...counter, window: { kind: 'always' }, by: 'orders' };
const reached = [steps[0], { from: 1, percent: 20 }];
await stepped('jam', { ...highest, steps: reached });
// The last one: above the others it would hide them.
await call('POST', '/rewards/rules', { rate: { percent: 15 } });
for (const [name, target] of Object.entries({
  Autumn: { ...counter, at: 200 },
  First: { event: 'first_order' },
})) {
  await call('POST', '/rewards/bonuses', { name, target, pays: { amount: 25 } });
}
const date = app.site.calendar.toLocal(app.site.clock());
const order = { date, status: 'completed', subtotal: 50, total: 50, coupon_codes: ['MAYA10'] };
await call('PUT', '/orders/7', order);
await checkBonuses.run(app.site);

describe('how an affiliate earns', browser.needed, () => {
  for (const look of looks) {
    test(`${look.name}: the rules as sentences, from the first screen and after a reload`, async () => {
      const tab = await openPortal(browser, app, 'maya', '/app', look);
      const { page } = tab;
      await page.getByRole('link', { name: 'Money' }).filter({ visible: true }).first().click();
      await page.getByRole('link', { name: 'How you earn' }).click();
      await page.getByText('You earn 15%.').waitFor();
      await page.reload();
      await page.getByText('You earn 15%.').waitFor();
      await page.getByText('Everything else').waitFor();
      await tab.assertAccessible();
      await tab.assertNoSidewaysScroll();
      await tab.close();
    });
  }

  for (const look of looks) {
    test(`${look.name}: the steps and the bonuses, with what is missing`, async () => {
      const tab = await openPortal(browser, app, 'maya', '/app/rewards', look);
      const { page } = tab;
      await page.getByText('Now 10%. $260.00 more this month for 12.5%.').waitFor();
      const step = page.getByRole('progressbar', { name: 'more this month for 12.5%' });
      assert.equal(await step.getAttribute('value'), '50');
      assert.equal(await step.getAttribute('max'), '310');
      await page.getByText('$50.00 of $310.00').waitFor();
      await page.getByText('You have reached the highest step: 20%.').waitFor();
      const bonuses = page.getByRole('region', { name: 'Your bonuses' }).getByRole('listitem');
      assert.match(await bonuses.nth(0).innerText(), /\$50\.00 of \$200\.00/);
      assert.doesNotMatch(await bonuses.nth(0).innerText(), /Earned/);
      assert.match(await bonuses.nth(1).innerText(), /Earned$/);
      await tab.assertAccessible();
      await tab.assertNoSidewaysScroll();
      await tab.close();
    });
  }

  const inLanguages = {
    de: 'Jetzt 10 %. Noch 260,00 $ in diesem Monat für 12,5 %.',
    es: 'Ahora, el 10 %. 260,00 US$ más este mes para el 12,5 %.',
    fr: 'Actuellement 10 %. Encore 260,00 $US ce mois-ci pour 12,5 %.',
    pt: 'Agora 10%. Mais US$ 260,00 neste mês para 12,5%.',
  };
  test('the steps in every language', async () => {
    const tab = await openPortal(browser, app, 'maya', '/app/rewards', { width: 390 });
    for (const [language, sentence] of Object.entries(inLanguages)) {
      await tab.page.goto(`${app.url}/app/rewards?lang=${language}`);
      await tab.page.getByText(sentence).waitFor();
      await tab.assertNoSidewaysScroll();
    }
    await tab.close();
  });

  test('an order names the rule that decided, to the affiliate and to the team', async () => {
    const portal = await openPortal(browser, app, 'maya', '/app/orders?order=7');
    await portal.page.getByRole('dialog').getByText('You earn 15%.').waitFor();
    await portal.close();
    const team = await openPortal(browser, app, 'manager', '/console/orders/7');
    await team.page.getByText('Everyone earns 15%.').waitFor();
    await team.close();
  });
});
