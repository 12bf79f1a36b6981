import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import {
  idOf,
  openTestApp,
  PASSWORD,
  refusal,
  type TestSession,
} from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { query } from '../../db/statements/query.ts';
import { correctInstants } from '../../worker/correct-instants.ts';
import { stepOf } from './totp.ts';

const app = await openTestApp();
const STORE = '/svc/store/v1';
const STEP_MS = 30_000;
let address = 0;

/** Each attempt from an address of its own, so that refused ones never add up to a lock-out. */
const signIn = (json: object, from = `198.51.100.${(address += 1)}`) =>
  app.call('~/session', { method: 'POST', json, headers: { 'x-forwarded-for': from } });
const post = (path: string, session: TestSession, json?: object) =>
  app.call(path, { method: 'POST', session, ...(json && { json }) });
const codeOf = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.site.clock() + stepsAhead * STEP_MS,
  });
const removeAll = (session: TestSession) =>
  app.call(`${STORE}/account/totp`, { method: 'DELETE', session });

async function setUp(session: TestSession) {
  const { secret } = (await post(`${STORE}/account/totp`, session)).body as { secret: string };
  const reply = await post(`${STORE}/account/totp/confirm`, session, { code: codeOf(secret) });
  assert.equal(reply.status, 200, reply.text);
  // The confirmed code is used up.
  app.advance(STEP_MS);
  return { secret, codes: reply.body.recovery_codes as string[] };
}

async function firstStep(login: string): Promise<string> {
  const reply = await signIn({ login, password: PASSWORD });
  assert.equal(refusal(reply), '401 svc_api_second_factor_required');
  return reply.body.data.sign_in_token;
}

test('the codes are those of RFC 6238, with one step of tolerance', () => {
  const secret = Secret.fromLatin1('12345678901234567890').base32;
  const at = (s: number) => stepOf(secret, '287082', s * 1000);
  assert.equal(at(59), 1);
  assert.equal(at(29), 1);
  assert.equal(at(89), 1);
  assert.equal(at(90), undefined);
  assert.equal(stepOf(secret, '28 70 82', 59_000), 1);
  for (const code of ['', '28708', '2870822', 'abcdef', '287083']) {
    assert.equal(stepOf(secret, code, 59_000), undefined, code);
  }
});

describe('an authenticator app', () => {
  test('is active after its first code; the secret is encrypted; event and mail report it', async () => {
    const session = await app.signIn('maya');
    const begun = await post(`${STORE}/account/totp`, session);
    assert.match(begun.body.otpauth_url, /^otpauth:\/\/totp\/.*maya.*secret=[A-Z2-7]{32}/);
    assert.equal((await signIn({ login: 'maya', password: PASSWORD })).status, 201, 'not yet');
    const wrong = await post(`${STORE}/account/totp/confirm`, session, { code: '000000' });
    assert.equal(refusal(wrong), '400 svc_api_wrong_code');
    const { secret, codes } = await setUp(session);
    assert.equal(codes.length, 10);
    assert.equal(new Set(codes).size, 10);
    const again = await post(`${STORE}/account/totp`, session);
    assert.equal(refusal(again), '409 svc_api_totp_exists');

    const rows = query<object, { secret: string }>((db) =>
      db.selectFrom('totp_secrets').selectAll(),
    );
    assert.ok(!JSON.stringify(await app.site.database.read.all(rows, {})).includes(secret));
    const mail = (await outbox(app.site)).at(-1)!;
    assert.deepEqual([mail.template, mail.to_address], ['two-factor-changed', 'maya@test.example']);
    assert.match(mail.text, /authenticator app was set up/);
    const key = await app.key('admin', 'read');
    const { body: events } = await app.call('/events?event=two_factor.updated', { key });
    assert.deepEqual(events[0].data, { user_id: idOf('maya'), change: 'totp_added' });
    assert.ok(!app.logs.some((line) => line.includes(secret)));
    assert.equal((await removeAll(session)).body.recovery_codes_left, 0);
    assert.equal((await signIn({ login: 'maya', password: PASSWORD })).status, 201);
  });

  test('needs a recent proof, to be set up and to be removed', async () => {
    const session = await app.signIn('maya');
    app.advance(10 * 60_000);
    assert.equal(
      refusal(await post(`${STORE}/account/totp`, session)),
      '403 svc_api_proof_required',
    );
    assert.equal(refusal(await removeAll(session)), '403 svc_api_proof_required');
  });
});

describe('the second step of a sign-in', () => {
  test('a code signs in once; the step too; a password alone does not', async () => {
    const session = await app.signIn('maya');
    const { secret, codes } = await setUp(session);
    const reply = await signIn({ login: 'maya', password: PASSWORD });
    assert.deepEqual(reply.body.data.methods, ['totp', 'recovery']);
    assert.deepEqual(reply.headers.getSetCookie(), []);
    const form = new URLSearchParams({ login: 'maya', password: PASSWORD }).toString();
    const page = await app.call('~/app/login', { method: 'POST', form });
    assert.equal(page.status, 200, 'the page of the second step');
    assert.match(page.text, /name="sign_in_token"/);
    const { sign_in_token } = reply.body.data;
    const code = codeOf(secret);
    assert.equal((await signIn({ sign_in_token, code })).status, 201);
    const next = codeOf(secret, 1);
    assert.equal(refusal(await signIn({ sign_in_token, code: next })), '401 svc_api_unauthorized');
    const other = await firstStep('maya');
    const replayed = await signIn({ sign_in_token: other, code });
    assert.equal(refusal(replayed), '401 svc_api_unauthorized', 'a code works once');
    app.advance(2 * STEP_MS);
    const atOnce = { login: 'maya', password: PASSWORD, code: codeOf(secret) };
    assert.equal((await signIn(atOnce)).status, 201);
    const spaced = codes[0]!.toUpperCase().replace('-', ' ');
    assert.equal((await signIn({ ...atOnce, code: spaced })).status, 201);
    assert.equal((await signIn({ ...atOnce, code: codes[0]! })).status, 401);
    await removeAll(session);
  });

  test('wrong codes delay further ones at the account, whatever the network; passwords do not help', async () => {
    const session = await app.signIn('tomas');
    const { secret } = await setUp(session);
    for (let i = 0; i < 10; i++) {
      const guess = { login: 'tomas', password: PASSWORD, code: '000000' };
      assert.equal(refusal(await signIn(guess)), '401 svc_api_unauthorized');
    }
    const right = { login: 'tomas', password: PASSWORD, code: codeOf(secret) };
    const delayed = await signIn(right);
    assert.equal(refusal(delayed), '429 svc_api_rate_limited');
    assert.equal(delayed.body.data.retry_after, 1);
    assert.equal((await post('~/session/proof', session, { code: codeOf(secret) })).status, 200);
    app.advance(STEP_MS);
    assert.equal((await signIn({ ...right, code: codeOf(secret) })).status, 201);
    await removeAll(session);
  });

  test('of many requests with the same code, or the same recovery code, one succeeds', async () => {
    const session = await app.signIn('maya');
    const { secret, codes } = await setUp(session);
    for (const code of [codeOf(secret), codes[0]!]) {
      const tokens = await Promise.all(Array.from({ length: 6 }, () => firstStep('maya')));
      const replies = await Promise.all(
        tokens.map((sign_in_token) => signIn({ sign_in_token, code })),
      );
      assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    }
    await removeAll(session);
  });

  test('after five wrong codes, tried concurrently, the password is asked again', async () => {
    const session = await app.signIn('maya');
    const { secret } = await setUp(session);
    const sign_in_token = await firstStep('maya');
    await Promise.all(Array.from({ length: 8 }, () => signIn({ sign_in_token, code: '000000' })));
    // Wrong codes delay further ones too; how many of these were counted depends on their order.
    app.advance(60_000);
    assert.equal((await signIn({ sign_in_token, code: codeOf(secret) })).status, 401);
    const fresh = await firstStep('maya');
    assert.equal((await signIn({ sign_in_token: fresh, code: codeOf(secret) })).status, 201);
    await removeAll(session);
  });

  test('wrong codes count towards the lock-out of the address, a right password does not', async () => {
    const session = await app.signIn('maya');
    await setUp(session);
    const from = '203.0.113.9';
    let token = '';
    for (let i = 0; i < 12; i++) {
      const reply = await signIn({ login: 'maya', password: PASSWORD }, from);
      assert.equal(reply.status, 401);
      token = reply.body.data.sign_in_token;
    }
    for (let i = 0; i < 10; i++) await signIn({ sign_in_token: token, code: '000000' }, from);
    const reply = await signIn({ login: 'maya', password: PASSWORD }, from);
    assert.equal(refusal(reply), '429 svc_api_too_many_auth_failures');
    await removeAll(session);
  });

  test('ends after five minutes, and with the sessions of the user', async () => {
    const session = await app.signIn('maya');
    const { secret } = await setUp(session);
    const late = await firstStep('maya');
    app.advance(5 * 60_000);
    assert.equal((await signIn({ sign_in_token: late, code: codeOf(secret) })).status, 401);
    const ended = await firstStep('maya');
    await app.call(`${STORE}/account/sessions`, { method: 'DELETE', session });
    assert.equal((await signIn({ sign_in_token: ended, code: codeOf(secret) })).status, 401);
    await removeAll(await mayaWith(secret));
  });

  test('a code that was used while the clock was ahead does not lock the user out', async () => {
    const session = await app.signIn('maya');
    const { secret } = await setUp(session);
    await correctInstants.run(app.site);
    app.setClock(60 * 60_000);
    await correctInstants.run(app.site);
    await mayaWith(secret);
    app.setClock(-60 * 60_000);
    await correctInstants.run(app.site);
    app.advance(2 * STEP_MS);
    await removeAll(await mayaWith(secret));
  });

  async function mayaWith(secret: string): Promise<TestSession> {
    const reply = await signIn({ login: 'maya', password: PASSWORD, code: codeOf(secret) });
    assert.equal(reply.status, 201, reply.text);
    const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!;
    return { cookie, csrf: reply.body.csrf_token };
  }
});

describe('POST /account/recovery-codes, POST /session/proof', () => {
  test('new codes replace the old ones; a code is a proof', async () => {
    const session = await app.signIn('tomas');
    const without = await post(`${STORE}/account/recovery-codes`, session);
    assert.equal(refusal(without), '409 svc_api_no_second_factor');
    const { secret, codes } = await setUp(session);
    const renewed = await post(`${STORE}/account/recovery-codes`, session);
    assert.equal(renewed.body.recovery_codes.length, 10);
    app.advance(10 * 60_000);
    const prove = (code: string) => post('~/session/proof', session, { code });
    assert.equal(refusal(await prove(codes[0]!)), '401 svc_api_wrong_password');
    assert.equal((await prove(codeOf(secret))).status, 200);
    assert.equal((await removeAll(session)).status, 200);
  });
});

describe('accounts.require_two_factor_of_administrators', () => {
  test('an administrator without a second factor may only set one up', async () => {
    const [session, manager] = [await app.signIn('admin'), await app.signIn('manager')];
    const key = await app.key('admin', 'read');
    assert.equal((await app.call('/me', { session })).status, 200);
    await app.set({ 'accounts.require_two_factor_of_administrators': true });
    for (const path of ['/me', `${STORE}/team`, `${STORE}/account/sessions`]) {
      const reply = await app.call(path, { session });
      assert.equal(refusal(reply), '403 svc_api_second_factor_setup_required', path);
    }
    assert.equal((await app.call('/me', { session: manager })).status, 200);
    assert.equal((await app.call('/me', { key })).status, 200);
    assert.equal((await app.call('~/session', { session })).status, 200);
    await setUp(session);
    assert.equal((await app.call('/me', { session })).status, 200);
    await removeAll(session);
    assert.equal((await app.call('/me', { session })).status, 403);
    await app.set({ 'accounts.require_two_factor_of_administrators': false });
    assert.equal((await app.call('/me', { session })).status, 200);
  });
});
