import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { idOf, openTestApp, PASSWORD, refusal, type Reply } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { storedText } from '../../../test/support/stored-text.ts';
import { createAccountLink } from './account-link.ts';
import { mailLinks } from './link-requests.ts';

const app = await openTestApp({
  settings: { 'accounts.sign_in_by_link': true },
});
const STORE = '/svc/store/v1';
const MINUTE = 60_000;
let address = 0;
const from = () => ({ 'x-forwarded-for': `192.0.2.${(address += 1)}` });

const ask = (email: string, headers = from()) =>
  app.call(`${STORE}/account/sign-in-links`, { method: 'POST', json: { email }, headers });
const post = (path: string, form: Record<string, string>) =>
  app.call(`~${path}`, {
    method: 'POST',
    form: new URLSearchParams(form).toString(),
    headers: from(),
  });
const use = (token: string) => post('/app/sign-in-link', { token });
const mailed = async (email: string) => {
  await mailLinks.run(app.site);
  const mails = (await outbox(app.site)).filter(({ to_address }) => to_address === email);
  return mails.map(({ template }) => template);
};
const sessionOf = (reply: Reply) => ({
  cookie: reply.headers.getSetCookie()[0]!.split(';')[0]!,
  csrf: undefined,
});

/** Whether a link did not work: the reply leads to the page that says so, without a session. */
function isOver({ status, headers }: Reply): boolean {
  assert.equal(status, 303);
  return headers.get('location') === '/app/sign-in-link' && headers.getSetCookie().length === 0;
}

async function tokenFor(login: string): Promise<string> {
  const { site } = app;
  const of = { userId: idOf(login), purpose: 'sign-in' } as const;
  const url = await site.database.transaction((tx) =>
    createAccountLink(tx, site, of, site.clock()),
  );
  return new URL(url).searchParams.get('token')!;
}

describe('a mailed link to sign in with', () => {
  test('the answer is the same for every address; mails are limited like those of resets', async () => {
    const known = await ask('Maya@Test.Example');
    const unknown = await ask('nobody@test.example');
    assert.deepEqual([known.status, known.text], [202, unknown.text]);
    assert.deepEqual([...known.headers.keys()], [...unknown.headers.keys()]);
    await ask('maya@test.example');
    assert.deepEqual(await mailed('maya@test.example'), ['sign-in-link']);
    app.advance(4 * MINUTE);
    await ask('maya@test.example');
    assert.equal((await mailed('maya@test.example')).length, 1);
    const here = { 'x-forwarded-for': '198.51.100.7' };
    for (let i = 0; i < 10; i++) assert.equal((await ask(`x${i}@test.example`, here)).status, 202);
    assert.equal(refusal(await ask('maya@test.example', here)), '429 svc_api_rate_limited');
  });

  test('by the form of the sign-in page', async () => {
    assert.match((await app.call('~/app/login')).text, /Send me a link/);
    const invalid = await post('/app/login-link', { email: 'no address', next: '/app/money' });
    assert.equal(invalid.status, 400);
    assert.match(invalid.text, /value="no address"/);
    const sent = await post('/app/login-link', { email: 'carla@test.example' });
    assert.match(sent.text, /15 minutes/);
    assert.deepEqual(await mailed('carla@test.example'), ['sign-in-link']);
  });

  test('opening it uses nothing up; it signs in once, and money still asks for the password', async () => {
    const token = await tokenFor('tomas');
    for (const [place, text] of await storedText(app)) {
      assert.ok(!text.includes(token), `hashed at rest: ${place}`);
    }
    const page = `~/app/sign-in-link?token=${token}`;
    for (let i = 0; i < 2; i++) assert.equal((await app.call(page)).status, 200);
    const reply = await use(token);
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, '/app']);
    const session = sessionOf(reply);
    assert.equal((await app.call('/me', { session })).body.user.login, 'tomas');
    const exported = await app.call(`${STORE}/account/export`, { session });
    assert.equal(refusal(exported), '403 svc_api_proof_required');
    assert.ok(isOver(await use(token)));
    assert.equal((await app.call(page)).status, 410);
  });

  test('of requests at the same time, one signs in', async () => {
    const token = await tokenFor('tomas');
    const replies = await Promise.all(Array.from({ length: 8 }, () => use(token)));
    assert.equal(replies.filter(isOver).length, 7);
    assert.equal(replies.filter(({ headers }) => headers.getSetCookie().length > 0).length, 1);
  });

  test('works for 15 minutes, and not after another one was used or after a new password', async () => {
    const old = await tokenFor('tomas');
    const unused = await tokenFor('tomas');
    assert.ok(!isOver(await use(old)), 'a newer one does not end it: any caller can ask for one');
    assert.ok(isOver(await use(unused)));
    const token = await tokenFor('tomas');
    app.advance(15 * MINUTE);
    assert.ok(isOver(await use(token)));
    const before = await tokenFor('tomas');
    const session = await app.signIn('tomas');
    const json = { current_password: PASSWORD, new_password: 'seven slow green kettles' };
    await app.call(`${STORE}/account/password`, { method: 'POST', session, json });
    assert.ok(isOver(await use(before)));
  });

  test('a second factor is still required', async () => {
    const session = await app.signIn('manager');
    const call = (path: string, json?: object) =>
      app.call(STORE + path, { method: 'POST', session, ...(json && { json }) });
    const { secret } = (await call('/account/totp')).body as { secret: string };
    const codeNow = () =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.site.clock() });
    assert.equal((await call('/account/totp/confirm', { code: codeNow() })).status, 200);
    app.advance(MINUTE);
    const page = await use(await tokenFor('manager'));
    assert.equal(page.status, 200);
    assert.deepEqual(page.headers.getSetCookie(), []);
    const sign_in_token = /name="sign_in_token" value="(\w+)"/.exec(page.text)![1]!;
    const methods = /name="methods" value="([^"]*)"/.exec(page.text)![1]!;
    const wrong = await post('/app/login', { sign_in_token, methods, code: '000000' });
    assert.equal(wrong.status, 401);
    const right = await post('/app/login', { sign_in_token, methods, code: codeNow() });
    assert.deepEqual([right.status, right.headers.get('location')], [303, '/console']);
  });

  test('an outage of the database delays the mail and loses no request', async () => {
    const rename = (table: string, to: string) =>
      app.site.database.transaction((tx) => tx.execute(`alter table ${table} rename to ${to}`));
    app.advance(10 * MINUTE);
    const before = (await mailed('maya@test.example')).length;
    await ask('maya@test.example');
    const json = { email: 'maya@test.example' };
    const headers = from();
    await app.call(`${STORE}/account/password-resets`, { method: 'POST', json, headers });
    await rename('account_links', 'account_links_away');
    await assert.rejects(Promise.resolve(mailLinks.run(app.site)));
    await rename('account_links_away', 'account_links');
    const after = await mailed('maya@test.example');
    assert.deepEqual(after.slice(before).sort(), ['password-reset', 'sign-in-link']);
    assert.equal((await mailed('maya@test.example')).length, after.length);
  });

  test('without the setting there is neither form nor page, and links stop working', async () => {
    const token = await tokenFor('maya');
    await app.set({ 'accounts.sign_in_by_link': false });
    assert.doesNotMatch((await app.call('~/app/login')).text, /Send me a link/);
    assert.equal((await app.call(`~/app/sign-in-link?token=${token}`)).status, 404);
    assert.equal((await use(token)).status, 404);
    assert.equal((await post('/app/login-link', { email: 'maya@test.example' })).status, 404);
    assert.equal(refusal(await ask('maya@test.example')), '409 svc_api_sign_in_by_link_off');
  });
});
