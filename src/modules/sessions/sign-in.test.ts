import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import {
  idOf,
  openTestApp,
  PASSWORD,
  refusal,
  type CallOptions,
} from '../../../test/support/harness.ts';
import { savePassword } from '../users/index.ts';
import { hashPassword, passwordQueue } from '../users/password.ts';
import { endSessions } from './end-sessions.ts';

const app = await openTestApp();
let address = 0;

/** Each call from an address of its own, so that the refused ones never add up to a lock-out. */
const signIn = (json: unknown, options: CallOptions = {}) =>
  app.call('~/session', {
    method: 'POST',
    json,
    ...options,
    headers: { 'x-forwarded-for': `192.0.2.${(address += 1)}`, ...options.headers },
  });

describe('POST /session', () => {
  describe('201', () => {
    test('who signed in, and the token for changes', async () => {
      const { status, body } = await signIn({ login: 'maya', password: PASSWORD });
      assert.equal(status, 201);
      assert.deepEqual(body.user, {
        id: idOf('maya'),
        display_name: 'maya',
        login: 'maya',
        email: 'maya@test.example',
      });
      assert.equal(body.role, 'affiliate');
      assert.ok(body.csrf_token.length >= 32);
    });

    test('by login or email address, in any case', async () => {
      for (const login of ['maya', 'MAYA', 'maya@test.example', 'Maya@Test.Example']) {
        const { body } = await signIn({ login, password: PASSWORD });
        assert.equal(body.user.id, idOf('maya'), login);
      }
    });

    test('as a form', async () => {
      const form = new URLSearchParams({ login: 'maya', password: PASSWORD }).toString();
      const headers = { 'x-forwarded-for': '192.0.2.200' };
      const reply = await app.call('~/session', { method: 'POST', form, headers });
      assert.equal(reply.status, 201);
    });

    test('the cookie is bound to this host and hidden from scripts', async () => {
      const { headers } = await signIn({ login: 'maya', password: PASSWORD });
      const [cookie, device, ...others] = headers.getSetCookie();
      assert.deepEqual(others, []);
      assert.match(
        device!,
        /^__Host-tributary_device=\w+\.[\w-]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      const [pair, ...attributes] = cookie!.split('; ');
      assert.match(pair!, /^__Host-\w+=[0-9A-Za-z]{40,}$/);
      assert.deepEqual(attributes.sort(), ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
    });

    test('over plain HTTP on the machine itself; the cookie has no __Host- and no Secure', async () => {
      const json = { login: 'maya', password: PASSWORD };
      const reply = await app.call('~/session', { method: 'POST', json, secure: false });
      const { status, headers } = reply;
      assert.equal(status, 201);
      const [pair, ...attributes] = headers.getSetCookie()[0]!.split('; ');
      assert.match(pair!, /^(?!__)\w+=/);
      assert.deepEqual(attributes.sort(), ['HttpOnly', 'Path=/', 'SameSite=Lax']);
    });

    test('every sign-in opens a session of its own', async () => {
      const [one, two] = [await app.signIn('maya'), await app.signIn('maya')];
      assert.notEqual(one.cookie, two.cookie);
      assert.notEqual(one.csrf, two.csrf);
    });

    test('an old cookie is ignored', async () => {
      const headers = { cookie: '__Host-tributary_session=longgone' };
      assert.equal((await signIn({ login: 'maya', password: PASSWORD }, { headers })).status, 201);
    });

    test('ends the session that the browser had before, also of someone else', async () => {
      const stays = await app.signIn('maya');
      const former = await app.signIn('tomas');
      const { cookie } = former;
      const wrong = await signIn({ login: 'maya', password: 'wrong' }, { headers: { cookie } });
      assert.equal(wrong.status, 401);
      assert.equal((await app.call('/me', { session: former })).status, 200, 'not by a failure');
      const right = await signIn({ login: 'maya', password: PASSWORD }, { headers: { cookie } });
      assert.equal(right.status, 201);
      assert.equal(refusal(await app.call('/me', { session: former })), '401 svc_api_unauthorized');
      assert.equal((await app.call('/me', { session: stays })).status, 200, 'another browser');
    });

    test('a token that the browser brings never becomes that of its session', async () => {
      const fixed = `__Host-tributary_session=${'a'.repeat(43)}`;
      const reply = await signIn(
        { login: 'maya', password: PASSWORD },
        { headers: { cookie: fixed } },
      );
      assert.ok(!reply.headers.getSetCookie()[0]!.startsWith(fixed));
      const session = { cookie: fixed, csrf: undefined };
      assert.equal(refusal(await app.call('/me', { session })), '401 svc_api_unauthorized');
    });
  });

  describe('400', () => {
    test('missing parameters are named, all of them', async () => {
      const reply = await signIn({});
      assert.equal(refusal(reply), '400 rest_missing_callback_param');
      assert.deepEqual(reply.body.data.params, ['login', 'password']);
      assert.deepEqual((await signIn({ login: 'x' })).body.data.params, ['password']);
    });

    test('a missing and a faulty one together', async () => {
      const reply = await signIn({ login: 5 });
      assert.equal(refusal(reply), '400 rest_missing_callback_param');
      assert.deepEqual(reply.body.data.params, ['password']);
      assert.deepEqual(Object.keys(reply.body.data.invalid), ['login']);
    });

    test('a password longer than any can be', async () => {
      const reply = await signIn({ login: 'maya', password: 'x'.repeat(201) });
      assert.equal(refusal(reply), '400 rest_invalid_param');
    });
  });

  describe('401', () => {
    test('a wrong password and an unknown login are the same bytes', async () => {
      const wrong = await signIn({ login: 'maya', password: 'wrong wrong wrong' });
      const unknown = await signIn({ login: 'nobody', password: 'wrong wrong wrong' });
      assert.equal(refusal(wrong), '401 svc_api_unauthorized');
      assert.equal(wrong.text, unknown.text);
      assert.deepEqual(wrong.headers.getSetCookie(), []);
    });

    test('a password that is changed while it is being checked opens no session that stays', async () => {
      const { database } = app.site;
      const hash = await hashPassword('four yellow boats 1987');
      const before = passwordQueue.startedCount;
      const signingIn = Array.from({ length: 4 }, () =>
        signIn({ login: 'manager', password: PASSWORD }),
      );
      await eventually(() => assert.ok(passwordQueue.startedCount > before));
      await database.transaction(async (tx) => {
        await savePassword(tx, { id: idOf('manager'), password_hash: hash });
        await endSessions(tx, app.site, { userId: idOf('manager') }, app.site.clock());
      });
      for (const { status, headers } of await Promise.all(signingIn)) {
        const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
        const session = { cookie, csrf: undefined };
        assert.equal((await app.call('/me', { session })).status, 401, `sign-in: ${status}`);
      }
    });

    test('an application password or a key is no password', async () => {
      const [login, secret] = (await app.basic('maya')).split(':');
      assert.equal((await signIn({ login, password: secret })).status, 401);
      assert.equal((await signIn({ login, password: await app.key('maya', 'read') })).status, 401);
    });
  });

  describe('401 svc_api_https_required', () => {
    for (const [why, headers] of [
      ['from another machine', { 'x-forwarded-for': '192.0.2.250', 'x-forwarded-proto': 'http' }],
      ['passed on by a proxy that does not say how', { 'x-forwarded-for': '192.0.2.250' }],
      ['passed on by a proxy on this machine', { via: '1.1 proxy' }],
    ] as const) {
      test(`over plain HTTP, ${why}: unexamined, and no failure of theirs`, async () => {
        for (let i = 0; i < 12; i++) {
          const json = { login: 'maya', password: i % 2 ? PASSWORD : 'wrong' };
          const reply = await app.call('~/session', {
            method: 'POST',
            json,
            headers,
            secure: false,
          });
          assert.equal(refusal(reply), '401 svc_api_https_required');
          assert.deepEqual(reply.headers.getSetCookie(), []);
        }
      });
    }
  });

  describe('403', () => {
    for (const [why, headers] of [
      ['of a sibling host', { 'sec-fetch-site': 'same-site' }],
      ['of a sibling host, as Origin says', { origin: 'https://shop.test.example' }],
      [
        'of another host, whatever Sec-Fetch-Site says',
        { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      ],
      ['Sec-Fetch-Site says so', { 'sec-fetch-site': 'cross-site' }],
      ['Origin says so', { origin: 'https://evil.example' }],
      ['Origin is opaque', { origin: 'null' }],
    ] as const) {
      test(`sent by a page of another site: ${why}`, async () => {
        const reply = await signIn({ login: 'maya', password: PASSWORD }, { headers });
        assert.equal(refusal(reply), '403 svc_api_forbidden');
        assert.deepEqual(reply.headers.getSetCookie(), []);
      });
    }

    test('an API key cannot sign in', async () => {
      const key = await app.key('maya', 'read');
      const reply = await signIn({ login: 'maya', password: PASSWORD }, { key });
      assert.equal(refusal(reply), '403 svc_api_key_wrong_namespace');
    });
  });
});

describe('GET /session', () => {
  test('200: who is signed in, with the token for changes', async () => {
    const session = await app.signIn('tomas');
    const { status, body } = await app.call('~/session', { session });
    assert.equal(status, 200);
    assert.equal(body.user.login, 'tomas');
    assert.equal(body.csrf_token, session.csrf);
  });

  test('401: an anonymous caller, or a user without a session', async () => {
    assert.equal(refusal(await app.call('~/session')), '401 svc_api_unauthorized');
    const basic = await app.basic('maya');
    assert.equal(refusal(await app.call('~/session', { basic })), '401 svc_api_unauthorized');
  });
});
