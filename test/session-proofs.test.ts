import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asksForProof } from '../src/kernel/declare/setting.ts';
import { addonFacts } from './support/addon-facts.ts';
import { sendingHere } from './support/every-addon-on.ts';
import { feedHead } from './support/feed-head.ts';
import { idOf, PASSWORD, refusal, type CallOptions, type TestSession } from './support/harness.ts';
import { bankDetails, openPayoutApp, STORE } from './support/payouts.ts';
import { tempFile } from './support/temp-folder.ts';
import { settingsWithoutProof } from './support/without-proof.ts';

/** A gateway that pays, and refuses where the destination says so. */
const extensions = tempFile(
  'till.mjs',
  `export default { name: 'till', gateways: [{ method_type: 'till', label: 'Till',
    pay: async ({ details, payout_id }) => details.answer === 'refuse'
      ? { status: 'failed', code: 'account_closed', reason: 'The account is closed.' }
      : { status: 'paid', transaction_id: 'T-' + payout_id },
    ask: async () => ({ status: 'paid', transaction_id: 'T-0' }) }] };`,
);
const payouts = await openPayoutApp({
  config: { extensions },
  settings: {
    'payouts.details_hold_hours': 0,
    'payouts.auto_accept': true,
    'payouts.methods': ['banktransfer', 'till'],
    ...sendingHere,
  },
});
const { app, admin } = payouts;
const till = (answer: string) =>
  payouts.setDetails('maya', { method_type: 'till', details: { answer } });
const MAYA = `${STORE}/affiliates/${idOf('maya')}`;
const settings = (json: object): Call => [`${STORE}/settings`, { method: 'PATCH', json }];

type Call = [path: string, options: CallOptions];

interface Case {
  what: string;
  /** Makes a call that can succeed once. */
  call(): Promise<Call> | Call;
  who?: string;
}

const asked: Case[] = [
  {
    what: 'the destination of an affiliate',
    call: async () => {
      await payouts.setDetails('maya', bankDetails);
      return [`${MAYA}/payout-details?reveal=true`, {}];
    },
    who: 'manager',
  },
  {
    what: 'a result file',
    who: 'manager',
    call: async () => {
      await payouts.setDetails('maya', bankDetails);
      const { id, amount } = (await payouts.payoutAt('created')) as any;
      const content = `payout_id,amount,outcome\n${id},${amount},paid\n`;
      return [`${STORE}/payouts/results`, { method: 'POST', json: { format: 'csv', content } }];
    },
  },
  {
    what: 'a payout that a gateway pays',
    who: 'manager',
    call: async () => {
      await till('pay');
      const json = { coupon_id: await payouts.coupon(20) };
      return ['/payouts', { method: 'POST', json }];
    },
  },
  {
    what: 'a retry that a gateway pays',
    who: 'manager',
    call: async () => {
      await till('refuse');
      const { body } = await payouts.request(await payouts.coupon(30));
      assert.equal(body.status, 'failed');
      await till('pay');
      return [`${STORE}/payouts/${body.id}/retry`, { method: 'POST' }];
    },
  },
  {
    what: 'a key',
    call: () => ['/keys', { method: 'POST', json: { user_id: idOf('admin'), scopes: ['read'] } }],
  },
  ...addonFacts.flatMap((facts) =>
    Object.entries(facts.asksForProof ?? {}).map(([what, [path, json, method = 'POST']]): Case => ({
      what,
      call: () => [path, { method, json }],
    })),
  ),
  { what: 'payouts without a review', call: () => settings({ 'payouts.auto_accept_max': 900 }) },
  { what: 'the key of a gateway', call: () => settings({ 'payouts.stripe_key': 'sk_live_1' }) },
  { what: 'the account that pays', call: () => settings({ 'payouts.debtor_name': 'Other' }) },
  { what: 'sign-in by link', call: () => settings({ 'accounts.sign_in_by_link': true }) },
  { what: 'a limit of webhooks', call: () => settings({ 'webhooks.max': 49 }) },
  {
    what: 'a setting of managers together with one of administrators',
    call: () => settings({ 'site.name': 'Other', 'webhooks.keep_days': 29 }),
  },
  { what: 'the rate', call: () => settings({ 'commission.percent': 99 }), who: 'manager' },
  {
    what: 'a coupon with a rate of its own',
    who: 'manager',
    call: () => {
      const json = { code: 'RATED', user_id: idOf('maya'), percent_override: 90 };
      return [`${STORE}/coupons`, { method: 'POST', json }];
    },
  },
  {
    what: 'the groups of an affiliate',
    who: 'manager',
    call: () => [MAYA, { method: 'PATCH', json: { groups: [] } }],
  },
];

const free: Case[] = [
  {
    what: 'a coupon with the standard rate, as the form sends it',
    who: 'manager',
    call: () => {
      const json = { code: 'PLAIN', user_id: idOf('maya'), percent_override: null, discount: null };
      return [`${STORE}/coupons`, { method: 'POST', json }];
    },
  },
  {
    what: 'the name of an affiliate',
    who: 'manager',
    call: () => [MAYA, { method: 'PATCH', json: { display_name: 'Maya O.' } }],
  },
  {
    what: 'a setting of managers',
    call: () => settings({ 'site.name': 'Alpine' }),
    who: 'manager',
  },
  { what: 'masked details', call: () => [`${MAYA}/payout-details`, {}], who: 'manager' },
  {
    what: 'the dry run of a result file',
    call: () => {
      const json = {
        format: 'csv',
        content: 'payout_id,amount,outcome\n1,1,paid\n',
        dry_run: true,
      };
      return [`${STORE}/payouts/results`, { method: 'POST', json }];
    },
  },
  {
    what: 'a payout that waits for a review',
    call: async () => {
      await payouts.setDetails('maya', bankDetails);
      const json = { coupon_id: await payouts.coupon(20) };
      return ['/payouts', { method: 'POST', json }];
    },
  },
  {
    what: 'a payout that a gateway pays to the affiliate itself',
    who: 'maya',
    call: async () => {
      await till('pay');
      const json = { coupon_id: await payouts.coupon(20) };
      return ['/payouts', { method: 'POST', json }];
    },
  },
];

async function oldSession(login: string): Promise<TestSession> {
  const session = await app.signIn(login);
  app.advance(11 * 60_000);
  return session;
}

describe('403 svc_api_proof_required in a session whose last proof is old, and nothing is changed', () => {
  for (const { what, call, who = 'admin' } of asked) {
    test(what, async () => {
      const [path, options] = await call();
      const session = await oldSession(who);
      const head = await feedHead(app.site);
      const reply = await app.call(path, { ...options, session });
      assert.equal(refusal(reply), '403 svc_api_proof_required', reply.text);
      assert.equal(await feedHead(app.site), head);
      const json = { password: PASSWORD };
      await app.call('~/session/proof', { method: 'POST', session, json });
      const again = await app.call(path, { ...options, session });
      assert.ok(again.status < 300, again.text);
    });
  }
});

test('a key is not asked', async () => {
  for (const { what, call } of asked) {
    const [path, options] = await call();
    const reply = await app.call(path, { ...options, key: admin });
    assert.ok(reply.status < 300, `${what}: ${reply.text}`);
  }
});

describe('not asked', () => {
  for (const { what, call, who = 'admin' } of free) {
    test(what, async () => {
      const [path, options] = await call();
      const reply = await app.call(path, { ...options, session: await oldSession(who) });
      assert.ok(reply.status < 300, reply.text);
    });
  }
});

test('every setting that a session may change without a proof has a reason', () => {
  const all = [...app.site.registry.settings().values()];
  const withoutProof = all.filter((setting) => !asksForProof(setting)).map(({ key }) => key);
  assert.deepEqual(withoutProof.toSorted(), Object.keys(settingsWithoutProof).toSorted());
});
