import { describe, test } from 'node:test';
import { PASSWORD } from '../support/harness.ts';
import { openPayoutApp, STORE } from '../support/payouts.ts';
import { openBrowser } from './browser.ts';
import { ScreenReader } from './screen-reader.ts';
import type { Tab } from './tab.ts';

/** Three flows by ear: headings, names of controls, other screens and results have to be spoken. */
const payouts = await openPayoutApp({
  settings: { 'site.name': 'Juniper', 'payouts.threshold': 25 },
});
const { app } = payouts;
const browser = await openBrowser();

/** Signs in with the keyboard. */
async function signIn(login: string, width: number): Promise<{ tab: Tab; reader: ScreenReader }> {
  const tab = await browser.open(`${app.url}/healthz`, { width });
  const reader = await ScreenReader.open(tab, `${app.url}/app/login?lang=en`);
  await reader.reads('document', 'main', 'heading, Sign in, level 1', 'form', 'end of form');
  await reader.goTo('textbox, Login or email address, required');
  await reader.type(login);
  await reader.press('Tab');
  await reader.type(PASSWORD);
  await reader.press('Enter');
  return { tab, reader };
}

describe('by ear', browser.needed, () => {
  test('a manager approves a payout and marks it as paid', async () => {
    await payouts.payoutAt('pending', 40);
    const { tab, reader } = await signIn('manager', 1280);
    await reader.activate('link, Payouts (1 waiting)');
    await reader.hears('heading, Payouts, level 1');
    await reader.activate('link, maya maya');
    await reader.hears('heading, Payout no. 1, level 1');
    await reader.reads(
      'heading, Payout no. 1, level 1',
      'heading, $40.00, level 2',
      'To review',
      'link, Approve',
      'button, Show the payout details in full, not busy',
      'table, Included earnings',
      'list, What happened',
    );
    await reader.activate('link, Approve');
    await reader.hears('dialog, Approve, modal', 'heading, Approve, level 2');
    await reader.reads('Amount', '$40.00', 'button, Approve $40.00, not busy');
    await reader.activate('button, Approve $40.00, not busy');
    await reader.hears('polite: The payout is approved.');
    await reader.activate('link, Mark as paid');
    await reader.hears('dialog, Mark as paid, modal');
    await reader.activate('button, Mark $40.00 as paid, not busy');
    await reader.hears('polite: The payout is marked as paid.');
    await tab.close();
  });

  test('an affiliate signs in, hears the balance and withdraws it', async () => {
    await payouts.coupon(84.2);
    const { tab, reader } = await signIn('maya', 390);
    await reader.reads(
      'link, Skip to content',
      'navigation, Main',
      'link, Home, current page',
      'main',
      'heading, Hello, maya, level 1',
      'region, Balance',
      'You can withdraw',
      '$84.20',
      'link, Withdraw',
    );
    await reader.activate('link, Withdraw');
    await reader.hears('heading, Money, level 1');
    await reader.reads('link, Money, current page', 'heading, Available, level 2', '$84.20');
    await reader.activate('link, Request payout');
    await reader.hears('dialog, Request payout, modal', 'heading, Request payout, level 2');
    await reader.reads(
      'dialog, Request payout, modal',
      'button, Close',
      'Amount',
      '$84.20',
      'To',
      'DE…3000',
      'button, Request $84.20, not busy',
    );
    await reader.activate('button, Request $84.20, not busy');
    await reader.hears('dialog, Payout no. 2, modal', 'heading, Payout no. 2, level 2');
    await reader.reads(
      'heading, Payout no. 2, level 2',
      'list, What happened',
      'Waiting for approval',
    );
    await reader.press('Escape');
    await reader.reads('heading, Money, level 1', 'table, Payouts', 'link, No. 2');
    await tab.close();
  });

  test('a manager signs in, opens an application and accepts it', async () => {
    for (const login of ['nora', 'otto']) {
      const json = { login, email: `${login}@${login}.example`, display_name: login };
      await app.call(`${STORE}/registrations`, { method: 'POST', json });
    }
    const { tab, reader } = await signIn('manager', 1280);
    await reader.reads(
      'heading, Overview, level 1',
      'heading, Needs attention, level 2',
      'link, 2 applications to decide otto and nora',
    );
    await reader.activate('link, 2 applications to decide otto and nora');
    await reader.hears('heading, Applications, level 1', 'polite: 2 rows');
    await reader.reads(
      'link, To decide, current item',
      'table, Applications',
      'columnheader, Name',
      'columnheader, Received, sorted in descending order',
      'checkbox, Select otto, not checked',
      'link, otto',
      'link, nora',
    );
    await reader.activate('link, nora');
    await reader.hears('polite: nora');
    await reader.reads('region, nora', 'heading, nora, level 2', 'button, Accept, not busy');
    await reader.activate('button, Accept, not busy');
    await reader.hears('dialog, Accept nora, modal', 'heading, Accept nora, level 2');
    await reader.reads('checkbox, Send an email with the decision, checked');
    await reader.activate('button, Accept, not busy');
    await reader.hears('polite: nora is accepted.');
    await tab.close();
  });
});
