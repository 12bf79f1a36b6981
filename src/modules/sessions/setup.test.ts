import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { openTestApp } from '../../../test/harness.ts';
import { hasAdministrator } from '../users/index.ts';
import { createSetupLink } from './index.ts';

const app = await openTestApp();
const PASSWORD = 'a password nobody guesses';
let number = 0;

const execute = (sql: string) => app.site.database.transaction((tx) => tx.execute(sql));
const newToken = async () => new URL(await createSetupLink(app.site)).searchParams.get('token')!;
const show = (token: string) => app.call(`~/setup?token=${encodeURIComponent(token)}`);
const finish = (fields: Record<string, string>) =>
  app.call('~/setup', { method: 'POST', form: new URLSearchParams(fields).toString() });
const someone = () => {
  number += 1;
  return { login: `first${number}`, email: `first${number}@test.example`, password: PASSWORD };
};

// As on a new installation: nobody is an administrator yet.
beforeEach(() => execute("update users set role = 'customer' where role = 'administrator'"));

describe('GET /setup', () => {
  test('200: the form, while the link is valid', async () => {
    const token = await newToken();
    const { status, text, headers } = await show(token);
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^text\/html/);
    assert.match(text, new RegExp(`name="token" value="${token}"`));
    assert.equal(headers.get('referrer-policy'), 'no-referrer', 'the token stays in the address');
  });

  test('410: no token, a wrong one, one that is markup', async () => {
    await newToken();
    for (const token of ['', 'wrong', '"><script>']) {
      const { status, text } = await show(token);
      assert.equal(status, 410);
      assert.ok(!text.includes('<script>'));
    }
  });

  test('410: after thirty minutes', async () => {
    const token = await newToken();
    app.advance(29 * 60_000);
    assert.equal((await show(token)).status, 200);
    app.advance(61_000);
    assert.equal((await show(token)).status, 410);
    assert.equal((await finish({ token, ...someone() })).status, 410);
    assert.equal(await hasAdministrator(app.site.database.read), false);
  });

  test('410: a new link ends the old one', async () => {
    const [old, fresh] = [await newToken(), await newToken()];
    assert.equal((await show(old)).status, 410);
    assert.equal((await show(fresh)).status, 200);
  });
});

describe('POST /setup', () => {
  test('401 over plain HTTP, unless on the machine itself: the password would be in the clear', async () => {
    const token = await newToken();
    const form = new URLSearchParams({ token, ...someone() }).toString();
    const headers = { 'x-forwarded-for': '192.0.2.250', 'x-forwarded-proto': 'http' };
    const reply = await app.call('~/setup', { method: 'POST', form, headers });
    assert.equal(reply.body.code, 'svc_api_https_required');
    assert.equal(await hasAdministrator(app.site.database.read), false);
  });

  describe('303', () => {
    test('makes an administrator and signs it in', async () => {
      const person = someone();
      const reply = await finish({ token: await newToken(), ...person });
      assert.equal(reply.status, 303);
      assert.equal(reply.headers.get('location'), '/');
      const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!;
      const me = await app.call('/me', { session: { cookie, csrf: undefined } });
      assert.equal(me.body.user.login, person.login);
      assert.equal(me.body.role, 'administrator');
    });

    test('the password is the one given', async () => {
      const person = someone();
      await finish({ token: await newToken(), ...person });
      const json = { login: person.email, password: PASSWORD };
      assert.equal((await app.call('~/session', { method: 'POST', json })).status, 201);
    });

    test('of two that arrive together one wins', async () => {
      const token = await newToken();
      const replies = await Promise.all([
        finish({ token, ...someone() }),
        finish({ token, ...someone() }),
      ]);
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [303, 410]);
    });
  });

  describe('400', () => {
    for (const [why, fault] of [
      ['a short password', { password: 'elevenchars' }],
      ['a login with spaces', { login: 'a b' }],
      ['a login that looks like an address', { login: 'a@b.example' }],
      ['an address that is none', { email: 'nowhere' }],
    ] as const) {
      test(why, async () => {
        const token = await newToken();
        const reply = await finish({ token, ...someone(), ...fault });
        assert.equal(reply.status, 400);
        const alert = /role="alert">([^<]*)</.exec(reply.text)?.[1] ?? '';
        assert.ok(alert.startsWith(`${Object.keys(fault)[0]} `), `the form says why: ${alert}`);
        assert.ok(!reply.text.includes(PASSWORD));
        assert.equal((await show(token)).status, 200, 'the link is still good');
      });
    }
  });

  describe('409', () => {
    test('a login that is taken: the form again, and the link is still good', async () => {
      const token = await newToken();
      const reply = await finish({ token, ...someone(), login: 'MAYA' });
      assert.equal(reply.status, 409);
      assert.match(reply.text, /role="alert"/);
      assert.ok(!reply.text.includes(PASSWORD));
      assert.equal((await finish({ token, ...someone() })).status, 303);
    });
  });

  describe('410', () => {
    test('a link works once', async () => {
      const token = await newToken();
      await finish({ token, ...someone() });
      await execute("update users set role = 'customer' where role = 'administrator'");
      assert.equal((await finish({ token, ...someone() })).status, 410);
      assert.equal(await hasAdministrator(app.site.database.read), false);
    });

    test('there is an administrator already', async () => {
      const token = await newToken();
      await execute("update users set role = 'administrator' where login = 'admin'");
      const person = someone();
      assert.equal((await finish({ token, ...person })).status, 410);
      const json = { login: person.login, password: PASSWORD };
      assert.equal((await app.call('~/session', { method: 'POST', json })).status, 401);
    });
  });
});
