import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  openTestApp,
  PASSWORD,
  idOf,
  refusal,
  type Reply,
} from '../../../../test/support/harness.ts';
import { outbox } from '../../../../test/support/outbox.ts';
import { query } from '../../../db/statements/query.ts';
import { findUser } from '../../users/index.ts';
import { createAccountLink } from '../account-link.ts';
import type { LinkPurpose } from '../tables.ts';

const app = await openTestApp();
const NEW = 'four yellow boats 1987';
const MINUTE = 60_000;
let address = 0;

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  app.call(`~${path}`, {
    method: 'POST',
    form: new URLSearchParams(form).toString(),
    headers: { 'x-forwarded-for': `192.0.2.${(address += 1)}`, ...headers },
  });
const signIn = (password: string, more: Record<string, string> = {}) =>
  post('/app/login', { login: 'maya', password, ...more });
const cookieOf = (reply: Reply) => reply.headers.getSetCookie()[0]!.split(';')[0]!;
const user = async (login: string) => (await findUser(app.site.database.read, idOf(login)))!;
const templates = async () => (await outbox(app.site)).map(({ template }) => template);

/** A link as it is mailed, as path and token. */
async function link(login: string, purpose: LinkPurpose, data = '') {
  const { site } = app;
  const url = await site.database.transaction((tx) =>
    createAccountLink(tx, site, { userId: idOf(login), purpose, data }, site.clock()),
  );
  const { pathname, searchParams } = new URL(url);
  return { path: pathname, token: searchParams.get('token')! };
}

describe('/app/login', () => {
  test('303 to the requested page, with the cookie of a session', async () => {
    const reply = await signIn(PASSWORD, { next: '/app/money?month=2026-01' });
    assert.equal(reply.status, 303, reply.text);
    assert.equal(reply.headers.get('location'), '/app/money?month=2026-01');
    const session = { cookie: cookieOf(reply), csrf: undefined };
    assert.equal((await app.call('/me', { session })).status, 200);
  });

  test('never leads to another site', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'evil', '']) {
      assert.equal((await signIn(PASSWORD, { next })).headers.get('location'), '/app', next);
    }
  });

  test('401 for a wrong password: the form with the login, and a failure that counts', async () => {
    const wrong = () =>
      post(
        '/app/login',
        { login: 'nobody', password: 'wrong' },
        { 'x-forwarded-for': '198.51.100.3' },
      );
    const reply = await wrong();
    assert.equal(reply.status, 401);
    assert.match(reply.text, /The login or the password is wrong/);
    assert.match(reply.text, /value="nobody"/);
    assert.deepEqual(reply.headers.getSetCookie(), []);
    for (let i = 0; i < 9; i++) assert.equal((await wrong()).status, 401);
    assert.equal((await wrong()).status, 429);
  });

  test('in the language of the reader', async () => {
    const { text } = await app.call('~/app/login', { headers: { 'accept-language': 'fr' } });
    assert.match(text, /<html lang="fr">[^]*Mot de passe oublié/);
  });

  test('403 for a form of another site', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const form = { login: 'maya', password: PASSWORD };
      assert.equal(
        refusal(await post('/app/login', form, headers as Record<string, string>)),
        '403 svc_api_forbidden',
      );
    }
  });

  test('a page without a referrer may send its own form', async () => {
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' };
    assert.equal(
      (await post('/app/login', { login: 'maya', password: PASSWORD }, headers)).status,
      303,
    );
  });

  test('signs out by form', async () => {
    const cookie = cookieOf(await signIn(PASSWORD));
    const reply = await post('/app/logout', {}, { cookie });
    assert.equal(reply.headers.get('location'), '/app/login?notice=signed-out');
    const session = { cookie, csrf: undefined };
    assert.equal((await app.call('/me', { session })).status, 401);
  });
});

describe('/app/reset', () => {
  test('GET does not use the link up, and keeps it from caches and other sites', async () => {
    const { path, token } = await link('tomas', 'reset');
    for (let i = 0; i < 2; i++) {
      const reply = await app.call(`~${path}?token=${token}`);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.equal(reply.headers.get('referrer-policy'), 'no-referrer');
    }
  });

  test('sets the password once, under real concurrency; sessions and other links end', async () => {
    const before = await app.signIn('tomas');
    const invitation = await link('tomas', 'invitation');
    const { path, token } = await link('tomas', 'reset');
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => post(path, { token, password: NEW })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 410, 410, 410]);
    assert.equal((await app.call('/me', { session: before })).status, 401);
    assert.equal((await post(invitation.path, { ...invitation, password: NEW })).status, 410);
    const json = { login: 'tomas', password: NEW };
    const headers = { 'x-forwarded-for': '192.0.2.250' };
    assert.equal((await app.call('~/session', { method: 'POST', json, headers })).status, 201);
    assert.deepEqual(await templates(), ['password-changed']);
  });

  test('refuses bad passwords with the reason, and the link still works', async () => {
    const { path, token } = await link('carla', 'reset');
    for (const [password, reason] of [
      ['short', /at least 12/],
      ['Password123456', /easy to guess/],
      ['nine carla lanterns', /must not contain/],
      ['abcdefghijklmnop', /repetition or a sequence/],
    ] as const) {
      const reply = await post(path, { token, password });
      assert.equal(reply.status, 400);
      assert.match(reply.text, reason);
    }
    assert.equal((await post(path, { token, password: NEW })).status, 303);
  });

  test('the longest password signs in as it is, and not with one character more', async () => {
    const { path, token } = await link('carla', 'reset');
    const longest = 'seven slow green kettles '.repeat(8);
    assert.equal((await post(path, { token, password: longest })).status, 303);
    const signInWith = async (password: string) =>
      (await post('/app/login', { login: 'carla', password })).status;
    assert.equal(await signInWith(`${longest}x`), 401);
    assert.equal(await signInWith(longest), 303);
  });

  test('410: expired, replaced, of another purpose, invented, or of a disabled user', async () => {
    const old = await link('maya', 'reset');
    const replaced = await link('maya', 'reset');
    await link('maya', 'reset');
    app.advance(60 * MINUTE);
    const invitation = await link('maya', 'invitation');
    const disabled = await link('manager', 'reset');
    await app.site.database.transaction((tx) =>
      tx.execute(`update users set disabled_at = 1 where login = 'manager'`),
    );
    for (const { token } of [old, replaced, invitation, disabled, { token: 'x' }, { token: '' }]) {
      assert.equal((await post('/app/reset', { token, password: NEW })).status, 410);
      assert.equal((await app.call(`~/app/reset?token=${token}`)).status, 410);
    }
  });
});

const forgetPassword = query<{ id: number }>((db, p) =>
  db.updateTable('users').set({ password_hash: null }).where('id', '=', p.id),
);

describe('/app/invitation', () => {
  test('the first password signs in immediately', async () => {
    await app.site.database.transaction((tx) => tx.run(forgetPassword, { id: idOf('carla') }));
    const { path, token } = await link('carla', 'invitation');
    assert.match((await app.call(`~${path}?token=${token}`)).text, /Welcome/);
    const reply = await post(path, { token, password: NEW });
    assert.equal(reply.headers.get('location'), '/app');
    const session = { cookie: cookieOf(reply), csrf: undefined };
    assert.equal((await app.call('/me', { session })).body.user.login, 'carla');
  });

  test('a link that a wrong clock made lasts no longer than seven days', async () => {
    app.setClock(30 * 24 * 60 * MINUTE);
    const { path, token } = await link('carla', 'invitation');
    app.setClock(-30 * 24 * 60 * MINUTE);
    const module = app.site.registry.modules.find(({ name }) => name === 'accounts')!;
    await module.correctInstants!(app.site, app.site.clock());
    assert.equal((await app.call(`~${path}?token=${token}`)).status, 200);
    app.advance(7 * 24 * 60 * MINUTE);
    assert.equal((await app.call(`~${path}?token=${token}`)).status, 410);
  });
});

describe('/app/confirm-email', () => {
  const addressOf = async (login: string) => (await user(login)).email;

  test('changes the address, tells both, and ends links sent to the old one', async () => {
    const reset = await link('maya', 'reset');
    const { path, token } = await link('maya', 'email', 'Maya@new.example');
    assert.match((await app.call(`~${path}?token=${token}`)).text, /Maya@new\.example/);
    const reply = await post(path, { token });
    assert.equal(reply.headers.get('location'), '/app/login?notice=address-confirmed');
    assert.equal(await addressOf('maya'), 'Maya@new.example');
    const told = (await outbox(app.site)).filter((mail) => mail.template === 'address-confirmed');
    assert.deepEqual(told.map((mail) => mail.to_address).sort(), [
      'Maya@new.example',
      'maya@test.example',
    ]);
    assert.equal((await app.call(`~/app/reset?token=${reset.token}`)).status, 410);
    assert.equal((await post(path, { token })).status, 410);
  });

  test('410: the address now belongs to another user', async () => {
    const { path, token } = await link('maya', 'email', 'tomas@test.example');
    assert.equal((await post(path, { token })).status, 410);
    assert.equal(await addressOf('maya'), 'Maya@new.example');
  });
});
