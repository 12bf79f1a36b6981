import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { PASSWORD } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { openPortal } from './portal.ts';
import { openScreen } from './screens.ts';

const payouts = await openPayoutApp({
  settings: { 'attribution.lifetime': true, 'multilevel.tiers': 1 },
});
const { app, admin } = payouts;
const browser = await openBrowser();

async function send(method: string, path: string, json: object): Promise<any> {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const { coupon_code: code } = (await payouts.payoutAt('pending')) as any;
const payout = (await payouts.payoutAt('pending')) as any;
await send('PUT', '/orders/7', {
  date: app.site.calendar.toLocal(app.site.clock()),
  status: 'completed',
  total: 50,
  coupon_codes: [code],
  customer: { email: 'kim@shop.example' },
});
await send('POST', '/rewards/rules', { rate: { percent: 5 } });
await send('POST', '/rewards/rules', { rate: { percent: 6 } });

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).last();
const type = (page: Page, label: string, text: string) =>
  page.getByLabel(label, { exact: true }).last().fill(text);

/** What a person does on a screen of the console, and the call that the service asks a proof for. */
interface Way {
  readonly call: RegExp;
  readonly path: string;
  readonly act: (page: Page) => Promise<void>;
}

const ways: Way[] = [
  {
    call: /^POST .*\/connections$/,
    path: '/stores?connect=http',
    act: async (page) => {
      await type(page, 'Name', 'Market stall');
      await button(page, 'Connect').click();
    },
  },
  {
    call: /^POST .*\/coupons$/,
    path: '/coupons?coupon=new',
    act: async (page) => {
      await type(page, 'Code', 'SPRING-1');
      await page
        .getByRole('textbox', { name: /^Percentage/ })
        .first()
        .fill('12.5');
      await button(page, 'New coupon').click();
    },
  },
  {
    call: /^POST .*\/rewards\/rules$/,
    path: '/rewards/new',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Percent' }).fill('9');
      await button(page, 'Save').click();
    },
  },
  {
    call: /^PUT .*\/rewards\/rules\/order$/,
    path: '/rewards',
    act: (page) => button(page, /^Move down: /).click(),
  },
  {
    call: /^(PUT|DELETE) .*\/orders\/7\/customer$/,
    path: '/orders/7',
    act: async (page) => {
      await button(page, 'Change affiliate of the customer').click();
      await page.locator('section').getByLabel('Affiliate').fill('');
      await button(page, 'Save').click();
    },
  },
  {
    call: /^POST .*\/payouts\/batch$/,
    path: `/payouts/${payout.id}`,
    act: async (page) => {
      await page.getByRole('link', { name: 'Approve' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    },
  },
];

describe(
  'what earns money or gives a secret needs a proof, and is then done',
  browser.needed,
  () => {
    for (const width of [390, 1280]) {
      test(`at ${width} px`, async () => {
        const expected = /status of 403/;
        const tab = await openPortal(browser, app, 'admin', '/console', { width, expected });
        const { page } = tab;
        const answers: string[] = [];
        page.on('response', (response) => {
          const request = response.request();
          const { pathname } = new URL(request.url());
          answers.push(`${request.method()} ${pathname} ${response.status()}`);
        });
        // Half of the ways at each width: the dialog is the same in all of them.
        for (const way of ways.filter((_, i) => i % 2 === (width === 390 ? 0 : 1))) {
          await openScreen(page, `${app.url}/console${way.path}`);
          app.advance(11 * 60_000);
          await way.act(page);
          const proof = page.getByRole('dialog', { name: "Confirm it's you" });
          await proof.getByLabel('Password').fill(PASSWORD);
          await tab.assertNoSidewaysScroll();
          await proof.getByRole('button').last().click();
          await eventually(() => {
            const statuses = answers
              .filter((answer) => way.call.test(answer.slice(0, -4)))
              .map((answer) => answer.slice(-3));
            assert.match(statuses.join(' '), /^403 20[01]$/, `${way.path}: ${answers.join('\n')}`);
          });
          answers.length = 0;
        }
        await tab.close();
      });
    }
  },
);
