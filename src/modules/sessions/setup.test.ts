import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { openTestApp } from '../../../test/harness.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { getSettings } from '../settings/get-settings.ts';
import { hasAdministrator } from '../users/index.ts';
import { createSetupLink } from './index.ts';

const app = await openTestApp();
const PASSWORD = 'a password hard to guess';
let number = 0;

const execute = (sql: string) => app.site.database.transaction((tx) => tx.execute(sql));
const newToken = async () => new URL(await createSetupLink(app.site)).searchParams.get('token')!;
const show = (token: string) => app.call(`~/setup?token=${encodeURIComponent(token)}`);
const finish = (fields: Record<string, string>) =>
  app.call('~/setup', { method: 'POST', form: new URLSearchParams(fields).toString() });
const someone = () => {
  number += 1;
  return {
    login: `first${number}`,
    email: `first${number}@test.example`,
    password: PASSWORD,
    store_name: `Store ${number}`,
    store_url: 'https://alpine.example/shop',
    currency: 'EUR',
    timezone: 'Europe/Vienna',
  };
};
const settings = async (...keys: string[]) => {
  const values = await invoke<Record<string, unknown>>(app.site, getSettings);
  return keys.map((key) => values[key]);
};
const STORE_KEYS = ['site.name', 'site.store_url', 'site.currency', 'site.timezone'];

const FIELDS = Object.keys(someone()).filter((name) => name !== 'token');
/** Those with aria-invalid, whose fault is there and tied to the field. */
const faultyFields = (text: string) =>
  [...text.matchAll(/<(?:input|select)[^>]*aria-invalid="true"[^>]*>/g)].map(([tag]) => {
    const id = /id="(\w+)"/.exec(tag)![1]!;
    assert.match(tag, new RegExp(`aria-describedby="[^"]*${id}-fault`));
    assert.match(text, new RegExp(`id="${id}-fault">[^<]+<`));
    return id;
  });
const keyIn = (text: string) => /<code id="key">([^<]+)</.exec(text)![1]!;

// As on a new installation: there is no administrator yet.
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

  test('the form asks for the store and the account, with a label for each field', async () => {
    const { text } = await show(await newToken());
    for (const name of FIELDS) {
      assert.ok(text.includes(`<label for="${name}">`), name);
      assert.match(text, new RegExp(`<(input|select)\\s+id="${name}"\\s+name="${name}"`), name);
    }
    assert.match(text, /<option value="BHD"[^>]*>BHD – Bahraini Dinar</);
    assert.match(text, /<option value="Asia\/Kathmandu"|<option value="Asia\/Katmandu"/);
    assert.match(text, /<option value="UTC"/);
  });

  test('410: no token, a wrong one, one that is markup: the page says where the link is', async () => {
    await newToken();
    for (const token of ['', 'wrong', '"><script>']) {
      const { status, text } = await show(token);
      assert.equal(status, 410);
      assert.ok(!text.includes('<script>'));
      assert.match(text, /in the terminal/);
      assert.match(text, /\.\/tributary setup/);
    }
    assert.equal((await app.call('~/setup')).status, 410);
  });

  test('410: once there is an administrator the page says that it is done, and no more', async () => {
    const token = await newToken();
    await execute("update users set role = 'administrator' where login = 'admin'");
    for (const given of ['', 'wrong', token]) {
      const { status, text } = await show(given);
      assert.equal(status, 410);
      assert.match(text, /Setup is done/);
      assert.match(text, /href="\/docs"/);
      assert.doesNotMatch(text, /tributary setup|terminal/);
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

  describe('200', () => {
    test('makes an administrator and signs it in', async () => {
      const person = someone();
      const reply = await finish({ token: await newToken(), ...person });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('cache-control'), 'no-store', 'the page holds a key');
      const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!;
      const me = await app.call('/me', { session: { cookie, csrf: undefined } });
      assert.equal(me.body.user.login, person.login);
      assert.equal(me.body.role, 'administrator');
    });

    test('the store is what was entered, in force at once and in the feed', async () => {
      const { text } = await finish({
        token: await newToken(),
        ...someone(),
        timezone: 'Asia/Tokyo',
      });
      const key = keyIn(text);
      const values = await settings(...STORE_KEYS);
      assert.deepEqual(values, [
        `Store ${number}`,
        'https://alpine.example/shop',
        'EUR',
        'Asia/Tokyo',
      ]);
      assert.equal(app.site.currency.code, 'EUR');
      assert.equal(app.site.calendar.timeZone, 'Asia/Tokyo');
      const { body } = await app.call('/events?per_page=5', { key });
      const names = body.map((event: { event: string }) => event.event);
      assert.ok(names.includes('settings.updated'), names.join());
      assert.ok(names.includes('key.created'), names.join());
    });

    test('spaces around what was pasted are left out', async () => {
      const person = someone();
      await finish({
        token: await newToken(),
        ...person,
        email: ` ${person.email} `,
        store_name: ' Wide ',
      });
      assert.deepEqual(await settings('site.name'), ['Wide']);
    });

    test('shows a key, once, that may read and write', async () => {
      const { text } = await finish({ token: await newToken(), ...someone() });
      const key = keyIn(text);
      assert.equal((await app.call('/me', { key })).status, 200);
      const group = { method: 'POST', key, json: { name: `Group ${number}` } };
      assert.equal((await app.call('/svc/store/v1/groups', group)).status, 201);
      const another = await app.call('/keys', { method: 'POST', key, json: {} });
      assert.equal(another.body.code, 'svc_api_insufficient_scope');
      assert.match(text, /\/docs/);
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
      assert.deepEqual(replies.map((reply) => reply.status).sort(), [200, 410]);
    });
  });

  describe('400', () => {
    for (const [why, fault] of [
      ['a short password', { password: 'elevenchars' }],
      ['a login with spaces', { login: 'a b' }],
      ['a login that looks like an address', { login: 'a@b.example' }],
      ['an address that is none', { email: 'nowhere' }],
      ['no store name', { store_name: ' ' }],
      ['a store address that is none', { store_url: 'store.example' }],
      ['no currency', { currency: '' }],
      ['a currency that is none', { currency: 'XYZ' }],
      ['a zone that is none', { timezone: 'Mars/Olympus' }],
    ] as const) {
      test(why, async () => {
        const token = await newToken();
        const reply = await finish({ token, ...someone(), ...fault });
        assert.equal(reply.status, 400);
        assert.deepEqual(faultyFields(reply.text), Object.keys(fault));
        assert.ok(!reply.text.includes(PASSWORD));
        assert.equal((await show(token)).status, 200, 'the link is still good');
      });
    }
  });

  test('400: all faults at once beside their fields, and nothing typed is lost', async () => {
    const token = await newToken();
    const typed = { login: 'a b', email: 'nowhere', store_name: 'Name "with" <marks>' };
    const reply = await finish({
      token,
      ...someone(),
      ...typed,
      store_url: 'x',
      password: 'short',
    });
    assert.equal(reply.status, 400);
    assert.deepEqual(faultyFields(reply.text), ['store_url', 'login', 'email', 'password']);
    assert.match(reply.text, /role="alert"/);
    for (const value of ['a b', 'nowhere', 'Name &quot;with&quot; &lt;marks&gt;', 'x']) {
      assert.ok(reply.text.includes(`value="${value}"`), value);
    }
    assert.match(reply.text, /<option value="EUR" selected/);
    assert.match(reply.text, /<option value="Europe\/Vienna" selected/);
    assert.ok(!reply.text.includes('short'), 'but the password');
    assert.equal(await hasAdministrator(app.site.database.read), false);
  });

  describe('409', () => {
    test('a login that is taken: the form again, and the link is still good', async () => {
      const token = await newToken();
      const reply = await finish({ token, ...someone(), login: 'MAYA' });
      assert.equal(reply.status, 409);
      assert.match(reply.text, /role="alert"/);
      assert.ok(!reply.text.includes(PASSWORD));
      assert.equal((await finish({ token, ...someone() })).status, 200);
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
