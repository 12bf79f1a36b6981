import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import Type from 'typebox';
import { resolveSchema } from '../src/kernel/call/input-readers.ts';
import type { Operation } from '../src/kernel/declare/operation.ts';
import { createImport } from '../src/modules/imports/import-rows.ts';
import { enqueueMail } from '../src/modules/mail/index.ts';
import { testServer } from './postgres/databases.ts';
import { serveBeside } from './postgres/serve-beside.ts';
import { addonFacts, withAddons, type Scenario, type Scenarios } from './support/addon-facts.ts';
import { everyAddonOn, sendingHere } from './support/every-addon-on.ts';
import { idOf, PASSWORD, type CallOptions, type Reply } from './support/harness.ts';
import { inEveryLanguage, testMail } from './support/in-every-language.ts';
import { openPayoutApp, STORE } from './support/payouts.ts';
import { ABSENT_ID, sampleOf } from './support/sample.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';
import { tempFile } from './support/temp-folder.ts';

/**
 * Sends every POST of both namespaces several times at once with one Idempotency-Key, over several
 * connections and, on PostgreSQL, to two instances: one request runs, the others get its response. The
 * test finds the operations in the registry; a new one needs a scenario here.
 */
const AT_ONCE = 8;

let closeSecond = async () => {};
// Registered before the hook that drops the database.
after(() => closeSecond());
const extensions = tempFile(
  'gateways.mjs',
  `const gateway = (method_type, pay) =>
    ({ method_type, label: method_type, pay, ask: async () => ({ status: 'unknown' }) });
  export default { name: 'gateways', gateways: [
    gateway('silent', async () => ({ status: 'unknown' })),
    gateway('slow', async ({ payout_id }) => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setTimeout(done, 1));
      return { status: 'paid', transaction_id: String(payout_id) };
    }),
  ], ${addonFacts.flatMap(({ extensionHook = [] }) => extensionHook).join()} };`,
);
/** Passkeys are bound to it, so both instances have the same. */
const PUBLIC_URL = 'https://partners.test.example';
const config = { extensions, publicUrl: PUBLIC_URL } as const;
const payouts = await openPayoutApp({
  config,
  settings: {
    'payouts.auto_accept': true,
    'payouts.details_hold_hours': 0,
    ...everyAddonOn,
    ...sendingHere,
    'accounts.sign_in_by_link': true,
  },
});
const { app, admin } = payouts;
const instances = [app];
if (testServer() !== undefined) {
  const second = await serveBeside(app, config);
  closeSecond = second.close;
  instances.push(second.app);
}

let counter = 0;
const callStore = (method: string, path: string, json?: object) =>
  app.call(STORE + path, { method, key: admin, ...(json && { json }) });
const fresh = (name: string) => `${name}${++counter}`;

async function payoutBy(method_type: string): Promise<number> {
  await payouts.setDetails('tomas', { method_type, details: {} });
  return payouts.coupon(10, idOf('tomas'));
}

async function registration(): Promise<number> {
  const login = fresh('applicant');
  const json = { login, email: `${login}@test.example` };
  const reply = await app.call(`${STORE}/registrations`, { method: 'POST', json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.id;
}

async function failedMail(): Promise<number> {
  const mail = testMail(
    'test-note',
    inEveryLanguage({ subject: 'Note', text: 'Text.' }),
    Type.Object({}),
  );
  const { database, clock } = app.site;
  await database.transaction(async (tx) => {
    const to = { address: 'a@test.example' };
    enqueueMail(tx, app.site, mail, { to, data: {}, key: fresh('note'), nowMs: clock() });
    await tx.flush();
    await tx.execute(`update outbox set state = 'failed'`);
  });
  return (await app.call(`${STORE}/outbox`, { key: admin })).body[0].id;
}

const withoutTotp = () => app.call(`${STORE}/account/totp`, { method: 'DELETE', key: admin });

/** A code of an authenticator app that is not confirmed yet. */
async function firstCode(): Promise<string> {
  await withoutTotp();
  const { body } = await app.call(`${STORE}/account/totp`, { method: 'POST', key: admin });
  const totp = new TOTP({ secret: Secret.fromBase32(body.secret) });
  return totp.generate({ timestamp: app.site.clock() });
}

async function newPasskey(): Promise<object> {
  const path = `${STORE}/account/passkeys/options`;
  const { body } = await app.call(path, { method: 'POST', key: admin });
  const { challenge, rp } = body;
  return new SoftwareAuthenticator().create({ challenge, rpId: rp.id, origin: PUBLIC_URL });
}

async function newAffiliate(): Promise<{ id: number; login: string }> {
  const login = fresh('affiliate');
  const json = { login, email: `${login}@test.example` };
  const { body } = await app.call(`${STORE}/affiliates`, { method: 'POST', key: admin, json });
  return { id: body.id, login };
}

const ownScenarios: Scenarios = {
  'store:post_imports': {
    coupons: () => ({
      json: {
        source: 'coupons',
        files: [{ name: 'codes.csv', content: `code\n${fresh('code')}\n` }],
      },
    }),
  },
  'store:post_imports_id_undo': {
    'an import': async () => {
      const row = { system: 'affiliatewp', files: '[]', digest: fresh('digest'), run_by: '' };
      const { id } = await app.site.database.transaction((tx) =>
        createImport(tx, { ...row, created_at: app.site.clock() }),
      );
      return { values: { id } };
    },
  },
  'store:post_affiliates_batch': {
    'a tag': async () => ({ json: { ids: [(await newAffiliate()).id], add_tags: [fresh('tag')] } }),
  },
  'store:post_affiliates_id_notes': {
    'a note': async () => ({ values: { id: (await newAffiliate()).id }, json: { text: 'Once' } }),
  },
  'store:post_affiliates_id_views': {
    'a look': async () => ({ values: { id: (await newAffiliate()).id } }),
  },
  'store:post_orders_test': { 'an order': () => ({ json: { total: 100 } }) },
  post_keys: { 'a key': () => ({ json: { description: 'Once' } }) },
  'store:post_settings_effects': {
    'the effect of a change': () => ({ json: { 'payouts.threshold': 50 } }),
  },
  'store:post_rewards_bonuses': {
    'a bonus': () => ({
      json: { name: 'Welcome', target: { event: 'accepted' }, pays: { amount: 5 } },
    }),
  },
  'store:post_rewards_rules': { 'a reward rule': () => ({ json: { rate: { percent: 12 } } }) },
  'store:post_rewards_rules_sentence': {
    'a sentence': () => ({ json: { rate: { percent: 12 } } }),
  },
  'store:post_rewards_bonuses_sentence': {
    'a sentence': () => ({
      json: { target: { event: 'first_order' }, pays: { amount: 50 } },
    }),
  },
  'store:post_rewards_rules_running': {
    'running subscriptions': () => ({
      json: { rules: [{ rate: { percent: 12 }, running: true }] },
    }),
  },
  'store:post_rewards_dry-run': {
    'a dry run': () => {
      const today = app.site.calendar.dayOf(app.site.clock());
      return { json: { from: today, to: today } };
    },
  },
  'store:post_groups': { 'a group': () => ({ json: { name: fresh('group') } }) },
  'store:post_affiliates': {
    'an affiliate with a password, which is hashed before': () => {
      const login = fresh('affiliate');
      const coupon = { code: login };
      const password = 'correct horse battery';
      return { json: { login, email: `${login}@test.example`, password, coupon } };
    },
  },
  'store:post_affiliates_id_invitation': {
    'an invitation of an affiliate': async () => ({ values: { id: (await newAffiliate()).id } }),
  },
  'store:post_affiliates_id_anonymise': {
    'an affiliate': async () => {
      const { id, login } = await newAffiliate();
      return { values: { id }, json: { login } };
    },
  },
  'store:post_report-views': {
    'a view of the reports': () => ({ json: { name: fresh('view'), query: 'by=coupon' } }),
  },
  'store:post_coupons': { 'a coupon': () => ({ json: { code: fresh('CODE') } }) },
  'store:post_coupons_id_adjustments': {
    'an adjustment': async () => ({
      values: { id: await payouts.coupon(0) },
      json: { amount: 5, note: 'Once' },
    }),
  },
  'store:post_orders_batch': {
    'an order': () => {
      const order = { order_id: 7_000 + ++counter, date: '2026-03-01', status: 'completed' };
      return { json: { orders: [{ ...order, total: 10 }] } };
    },
  },
  'store:post_clicks': {
    'a click': async () => ({ json: { coupon_id: await payouts.coupon(0), campaign: 'spring' } }),
  },
  'store:post_outbox_id_retry': {
    'a mail that failed': async () => ({ values: { id: await failedMail() } }),
  },
  post_registrations_id_status: {
    'an application that is accepted': async () => ({
      values: { id: await registration() },
      json: { status: 'accepted' },
    }),
  },
  'store:post_mails_name_language_test': {
    'a test mail': () => ({
      values: { name: 'password-changed', language: 'en' },
      json: { subject: 'Once', text: 'Text' },
    }),
  },
  'store:post_mails_name_language_preview': {
    'a preview': () => ({
      values: { name: 'password-changed', language: 'en' },
      json: { subject: 'Once', text: 'Text' },
    }),
  },
  'store:post_registrations_id_accept': {
    'an application with terms': async () => ({
      values: { id: await registration() },
      json: { percent: 12 },
    }),
  },
  'store:post_registrations_id_decline': {
    'an application with a reason': async () => ({
      values: { id: await registration() },
      json: { reason: 'full' },
    }),
  },
  'store:post_registrations_id_messages': {
    'a message': async () => ({ values: { id: await registration() }, json: { text: 'Once' } }),
  },
  'store:post_registrations_batch': {
    applications: async () => ({
      json: { ids: [await registration(), await registration()], status: 'declined' },
    }),
  },
  'store:post_registrations': {
    'an application without signing in': () => {
      const login = fresh('stranger');
      return { json: { login, email: `${login}@test.example` }, anonymous: true };
    },
  },
  post_payouts: {
    'a payout that waits for a review': async () => ({
      json: { coupon_id: await payouts.coupon(10) },
    }),
    'a payout by a gateway that takes its time': async () => ({
      json: { coupon_id: await payoutBy('slow') },
    }),
  },
  'store:post_withdrawals': {
    'payouts of two coupons': async () => ({
      json: { coupon_ids: [await payouts.coupon(10), await payouts.coupon(20)] },
    }),
    'a payout by a gateway that takes its time': async () => ({
      json: { coupon_ids: [await payoutBy('slow'), await payouts.coupon(30)] },
    }),
  },
  post_payouts_id_status: {
    'a payout that is approved': async () => ({
      values: { id: (await payouts.payoutAt('pending')).id },
      json: { status: 'created' },
    }),
  },
  'store:post_payouts_batch': {
    'a payout that is approved': async () => ({
      json: { ids: [(await payouts.payoutAt('pending')).id], status: 'created' },
    }),
  },
  'store:post_payouts_dry-run': {
    'a payout that would be paid': async () => ({
      json: { ids: [(await payouts.payoutAt('pending')).id], status: 'paid' },
    }),
  },
  'store:post_payouts_id_retry': {
    'a payout that failed': async () => {
      const { body } = await payouts.request(await payoutBy('silent'));
      const json = { outcome: 'failed' };
      const path = `${STORE}/payouts/${body.id}/resolve`;
      assert.equal((await app.call(path, { method: 'POST', key: admin, json })).status, 200);
      return { values: { id: body.id } };
    },
  },
  'store:post_payouts_files': {
    'a file for PayPal': async () => {
      const details = { email: 'tomas@pay.example' };
      await payouts.setDetails('tomas', { method_type: 'paypal', details });
      const { body } = await payouts.request(await payouts.coupon(10, idOf('tomas')));
      return { json: { format: 'paypal', ids: [body.id], again: true } };
    },
  },
  'store:post_payouts_results': {
    'a payout that was paid': async () => {
      const { id } = await payouts.payoutAt('created', 10);
      return { json: { format: 'csv', content: `payout_id,amount,outcome\n${id},10,paid` } };
    },
  },
  'store:post_payouts_id_resolve': {
    'a payout whose outcome is unknown': async () => {
      const { body } = await payouts.request(await payoutBy('silent'));
      assert.equal(body.status, 'processing');
      return { values: { id: body.id }, json: { outcome: 'failed' } };
    },
  },
  'store:post_team': {
    'an invitation': () => {
      const login = fresh('member');
      return { json: { login, email: `${login}@test.example`, role: 'manager' } };
    },
  },
  'store:post_team_id_invitation': {
    'an invitation again': async () => {
      const login = fresh('member');
      const json = { login, email: `${login}@test.example`, role: 'manager' };
      const { body } = await app.call(`${STORE}/team`, { method: 'POST', key: admin, json });
      return { values: { id: body.id } };
    },
  },
  'store:post_account_password': {
    'a new password': () => ({
      json: { current_password: PASSWORD, new_password: 'seven slow green kettles' },
    }),
  },
  'store:post_account_password-resets': {
    'a link, without signing in': () => ({
      json: { email: 'maya@test.example' },
      anonymous: true,
    }),
  },
  'store:post_account_sign-in-links': {
    'a link, without signing in': () => ({
      json: { email: 'maya@test.example' },
      anonymous: true,
    }),
  },
  'store:post_account_email': {
    'another address': () => ({ json: { email: `${fresh('new')}@test.example` } }),
  },
  'store:post_account_keys': { 'a key of its own': () => ({ json: { description: 'Once' } }) },
  'store:post_account_totp': {
    'an authenticator app': async () => {
      await withoutTotp();
      return {};
    },
  },
  'store:post_account_totp_confirm': {
    'its first code': async () => ({ json: { code: await firstCode() } }),
  },
  'store:post_account_recovery-codes': {
    'new codes': async () => {
      await app.call(`${STORE}/account/totp/confirm`, {
        method: 'POST',
        key: admin,
        json: { code: await firstCode() },
      });
      return {};
    },
  },
  'store:post_account_passkeys_options': { 'the options of a passkey': () => ({}) },
  'store:post_account_passkeys': {
    'a passkey': async () => ({ json: { name: 'Phone', response: await newPasskey() } }),
  },
};
const scenarios = withAddons(ownScenarios, (facts) => facts.posts);

function send(
  operation: Operation,
  scenario: Scenario,
  key: string,
  times = AT_ONCE,
): Promise<Reply[]> {
  const path = operation.url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(scenario.values?.[name]),
  );
  const options: CallOptions = {
    method: 'POST',
    ...(!scenario.anonymous && { key: scenario.key ?? admin }),
    ...(scenario.json !== undefined && { json: scenario.json }),
    headers: { 'idempotency-key': key },
  };
  return Promise.all(
    Array.from({ length: times }, (_, i) => instances[i % instances.length]!.call(path, options)),
  );
}

const replayed = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true';

const posts = app.site.registry
  .allOperations()
  .filter(({ method, namespace }) => method === 'POST' && namespace !== 'site');

describe(`${AT_ONCE} concurrent requests with one Idempotency-Key`, () => {
  test('every POST has a scenario', () => {
    const names = posts.map(({ switchName }) => switchName);
    assert.deepEqual(Object.keys(scenarios).sort(), names.sort());
  });

  test('an operation that returns a secret declares it, and repeats it for ten minutes only', async () => {
    const secrets = posts.filter(({ response }) => {
      const { properties = {} } = resolveSchema(response, app.site.registry) as {
        properties?: object;
      };
      return Object.keys(properties).some((name) =>
        /^(?!has_).*(token|secret|password|recovery_codes|content$|approve_url)/.test(name),
      );
    });
    const declared = posts.filter(({ secretAnswer }) => secretAnswer);
    assert.deepEqual(declared, secrets);
    assert.deepEqual(
      secrets.map(({ switchName }) => switchName),
      [
        'post_keys',
        'store:post_account_keys',
        'store:post_account_totp',
        'store:post_account_totp_confirm',
        'store:post_account_recovery-codes',
        'store:post_account_passkeys',
        'store:post_payouts_files',
        'post_webhooks',
        'store:post_connections',
        'store:post_connection-requests',
        'store:post_affiliates_id_postbacks',
      ],
    );
    // The others change the one second factor of their caller, and cannot run again.
    const repeatable = secrets.filter(({ url }) => !url.includes('/account/'));
    const all = await Promise.all(
      repeatable.map(async (operation) => {
        const scenario = await Object.values(scenarios[operation.switchName]!)[0]!(
          fresh,
          callStore,
          app,
        );
        const [first] = await send(operation, scenario, 'a-secret', 1);
        return { operation, scenario, first: first! };
      }),
    );
    app.advance(10 * 60_000);
    for (const { operation, scenario, first } of all) {
      const [later] = await send(operation, scenario, 'a-secret', 1);
      assert.deepEqual([later!.status, replayed(later!)], [201, false]);
      assert.notEqual(later!.text, first.text);
    }
  });

  for (const operation of posts) {
    const { switchName } = operation;
    for (const [what, prepare] of Object.entries(scenarios[switchName] ?? {})) {
      test(`${switchName}, ${what}: one request runs, the others get its response`, async () => {
        const scenario = await prepare(fresh, callStore, app);
        const key = fresh('key');
        const replies = await send(operation, scenario, key);
        const [first] = replies;
        for (const { status, text } of replies) {
          assert.equal(`${status} ${text}`, `${first!.status} ${first!.text}`);
        }
        assert.ok(first!.status < 300, first!.text);
        assert.equal(replies.filter((reply) => !replayed(reply)).length, 1);
        const [later] = await send(operation, scenario, key, 1);
        assert.deepEqual([later!.text, replayed(later!)], [first!.text, true]);
      });
    }

    if (!Object.hasOwn(operation.params?.properties ?? {}, 'id')) continue;
    test(`${switchName} of an unknown id: each request is refused as a single one is`, async () => {
      const values = sampleOf(operation.params);
      const json = operation.body && sampleOf(resolveSchema(operation.body, app.site.registry));
      assert.equal(values.id, ABSENT_ID);
      const replies = await send(operation, { values, ...(json && { json }) }, fresh('key'));
      for (const reply of replies) assert.deepEqual([reply.status, replayed(reply)], [404, false]);
    });
  }
});
