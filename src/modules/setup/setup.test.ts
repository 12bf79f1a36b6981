import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { openTestApp } from '../../../test/support/harness.ts';
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
const STEPS = {
  store: ['store_name', 'store_url', 'language'],
  money: ['currency', 'timezone'],
  commission: ['percent', 'cookie_days', 'hold_days'],
  you: ['login', 'email', 'password'],
};
/** A browser that follows redirects and keeps the draft. */
class Visitor {
  cookie = '';
  text = '';
  status = 0;
  readonly token: string;
  constructor(token: string) {
    this.token = token;
  }
  async open(path: string, form?: Record<string, string>): Promise<void> {
    const reply = await app.call(`~${path}`, {
      ...(form && { method: 'POST', form: new URLSearchParams(form).toString() }),
      headers: { cookie: this.cookie, 'accept-language': 'en' },
    });
    const draft = reply.headers
      .getSetCookie()
      .find((one) => /^(__Host-)?tributary_setup=/.test(one));
    if (draft) this.cookie = draft.split(';')[0]!;
    this.text = reply.text;
    this.status = reply.status;
    if (reply.status === 303) await this.open(reply.headers.get('location')!);
  }
  show(step: string): Promise<void> {
    return this.open(`/setup?token=${this.token}&step=${step}`);
  }
  send(step: string, fields: Record<string, string>): Promise<void> {
    return this.open('/setup/step', { token: this.token, step, ...fields });
  }
  get title(): string {
    return /<h1>([^<]+)/.exec(this.text)![1]!;
  }
}
const settings = async (...keys: string[]) => {
  const values = await invoke<Record<string, unknown>>(app.site, getSettings);
  return keys.map((key) => values[key]);
};
const STORE_KEYS = ['site.name', 'site.store_url', 'site.currency', 'site.timezone'];

/** Those with aria-invalid, whose error is there and tied to the field. */
const invalidFields = (text: string) =>
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

  test('four pages ask for the store, money, commission and the account, with a label for each field', async () => {
    const visitor = new Visitor(await newToken());
    for (const [step, names] of Object.entries(STEPS)) {
      await visitor.show(step);
      assert.equal(visitor.status, 200);
      for (const name of names) {
        assert.ok(visitor.text.includes(`<label for="${name}">`), name);
        const control = new RegExp(`<(input|select)\\s+id="${name}"[^>]* name="${name}"`);
        assert.match(visitor.text, control, name);
      }
    }
    await visitor.show('commission');
    const [hold] = /<input[^>]* name="hold_days"[^>]*>/.exec(visitor.text)!;
    assert.match(hold, / value="14"/, 'returns are known before a commission is paid');
    await visitor.show('money');
    const { text } = visitor;
    // A script replaces a guess of the server by the time zone of the browser.
    assert.match(text, /<select[^>]* name="timezone"[^>]* data-suggested/);
    assert.match(text, /<option value="BHD"[^>]*>BHD – Bahraini Dinar</);
    assert.doesNotMatch(text, /<option value="(DEM|FRF|XAU|ZWL|HRK)"/, 'of the past, and metals');
    assert.match(text, /<option value="Asia\/Kathmandu"|<option value="Asia\/Katmandu"/);
    assert.match(text, /<option value="UTC"/);
    await visitor.show('nowhere');
    assert.equal(visitor.title, 'Your store');
  });

  test('in the language of the reader, with the token in the links to the others', async () => {
    const token = await newToken();
    const { text } = await app.call(`~/setup?token=${token}&step=money&lang=de`);
    assert.match(text, /<h1>Geld und Zeit</);
    assert.match(text, /<option value="CHF"[^>]*>CHF – Schweizer Franken</);
    assert.ok(text.includes(`?token=${token}&amp;step=money&amp;lang=fr"`));
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

  test('410: once there is an administrator the page says only that it is done', async () => {
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

    test('the store is what was entered, in force immediately and in the feed', async () => {
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
    for (const [why, error] of [
      ['a short password', { password: 'elevenchars' }],
      ['a login with spaces', { login: 'a b' }],
      ['a login that looks like an address', { login: 'a@b.example' }],
      ['an address that is none', { email: 'nowhere' }],
      ['no store name', { store_name: ' ' }],
      ['a store address that is none', { store_url: 'not an address' }],
      ['no currency', { currency: '' }],
      ['a currency that is none', { currency: 'XYZ' }],
      ['a zone that is none', { timezone: 'Mars/Olympus' }],
    ] as const) {
      test(why, async () => {
        const token = await newToken();
        const reply = await finish({ token, ...someone(), ...error });
        assert.equal(reply.status, 400);
        assert.deepEqual(invalidFields(reply.text), Object.keys(error));
        assert.ok(!reply.text.includes(PASSWORD));
        assert.equal((await show(token)).status, 200, 'the link is still good');
      });
    }
  });

  test('400: all faults of a page beside their fields, and nothing typed is lost', async () => {
    const token = await newToken();
    const typed = { login: 'a "b" <c>', email: 'nowhere', password: 'shorty' };
    const reply = await finish({ token, ...someone(), ...typed, store_url: 'x' });
    assert.equal(reply.status, 400);
    assert.deepEqual(invalidFields(reply.text), ['login', 'email', 'password']);
    assert.match(reply.text, /role="alert"/);
    for (const value of ['a &quot;b&quot; &lt;c>', 'nowhere']) {
      assert.ok(reply.text.includes(`value="${value}"`), value);
    }
    assert.ok(!reply.text.includes('shorty'), 'but the password');
    assert.equal(await hasAdministrator(app.site.database.read), false);
  });

  test('400: a common password, and one with the name of the store', async () => {
    const token = await newToken();
    for (const password of ['password1234', 'Alpine Goods 1']) {
      const reply = await finish({ token, ...someone(), store_name: 'Alpine Goods', password });
      assert.equal(reply.status, 400);
      assert.deepEqual(invalidFields(reply.text), ['password']);
    }
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

    test('there is already an administrator', async () => {
      const token = await newToken();
      await execute("update users set role = 'administrator' where login = 'admin'");
      const person = someone();
      assert.equal((await finish({ token, ...person })).status, 410);
      const json = { login: person.login, password: PASSWORD };
      assert.equal((await app.call('~/session', { method: 'POST', json })).status, 401);
    });
  });
});

describe('POST /setup/step', () => {
  const money = { currency: 'JPY', timezone: 'Asia/Tokyo' };
  const commission = { percent: '12,5', cookie_days: '45', hold_days: '14' };

  test('five pages lead to the store; nothing is stored before the last', async () => {
    const { store_name, store_url, login, email, password } = someone();
    const before = await settings(...STORE_KEYS);
    const visitor = new Visitor(await newToken());
    await visitor.send('store', { store_name, store_url, language: 'pt' });
    assert.equal(visitor.title, 'Money and time');
    await visitor.send('money', money);
    assert.equal(visitor.title, 'Commission');
    await visitor.send('commission', commission);
    assert.equal(visitor.title, 'You');
    assert.deepEqual(await settings(...STORE_KEYS), before);
    await visitor.open('/setup', { token: visitor.token, step: 'you', login, email, password });
    assert.equal(visitor.title, 'Your store is set up');
    assert.match(visitor.cookie, /tributary_setup=$/, 'the draft is gone');
    assert.deepEqual(
      await settings(
        ...STORE_KEYS,
        'site.language',
        'commission.percent',
        'attribution.cookie_days',
        'commission.delay_days',
      ),
      [store_name, store_url, 'JPY', 'Asia/Tokyo', 'pt', 12.5, 45, 14],
    );
    await app.set({ 'site.language': 'en', 'commission.percent': 10 });
  });

  test('going back keeps what was typed on both pages, faulty or not, and a reload shows it again', async () => {
    const visitor = new Visitor(await newToken());
    await visitor.send('store', {
      store_name: 'Name "with" <marks>',
      store_url: 'https://a.example',
    });
    await visitor.send('money', { currency: 'EUR', timezone: 'Europe/Vienna' });
    await visitor.send('commission', { ...commission, percent: 'lots', go: 'back' });
    assert.equal(visitor.title, 'Money and time');
    assert.match(visitor.text, /<option value="EUR" selected/);
    assert.match(visitor.text, /<option value="Europe\/Vienna" selected/);
    await visitor.send('money', { go: 'back' });
    assert.ok(visitor.text.includes('value="Name &quot;with&quot; &lt;marks>"'));
    await visitor.show('commission');
    assert.match(visitor.text, /name="percent"[^>]*value="lots"/);
  });

  test('400: each page checks its own fields', async () => {
    const visitor = new Visitor(await newToken());
    for (const [step, fields, invalid] of [
      ['store', { store_name: ' ', store_url: 'not an address', language: 'xx' }, STEPS.store],
      ['money', { currency: '', timezone: 'Mars/Olympus' }, STEPS.money],
      ['commission', { percent: '101', cookie_days: '0', hold_days: '1.5' }, STEPS.commission],
    ] as const) {
      await visitor.send(step, fields);
      assert.equal(visitor.status, 400);
      assert.deepEqual(invalidFields(visitor.text), invalid);
    }
  });

  test('the last page leads back to a page with a fault', async () => {
    const visitor = new Visitor(await newToken());
    const { login, email, password } = someone();
    await visitor.open('/setup', { token: visitor.token, currency: '', login, email, password });
    assert.equal(visitor.status, 400);
    assert.equal(visitor.title, 'Money and time');
    await visitor.show('you');
    assert.match(visitor.text, new RegExp(`value="${login}"`));
  });

  test('a password is kept nowhere', async () => {
    const visitor = new Visitor(await newToken());
    await visitor.send('you', { login: 'kaito', password: PASSWORD, go: 'back' });
    const kept = Buffer.from(visitor.cookie.split(/[=.]/)[1]!, 'base64url').toString();
    assert.match(kept, /kaito/);
    assert.ok(!(kept + visitor.text).includes(PASSWORD));
  });

  test('a draft that was changed, or that belongs to another link, is not read', async () => {
    const visitor = new Visitor(await newToken());
    await visitor.send('store', { store_name: 'Mine', store_url: 'https://mine.example' });
    const draft = visitor.cookie;
    const evil = Buffer.from('{"store_url":"https://evil.example"}').toString('base64url');
    visitor.cookie = draft.replace(/=[^.]*/, `=${evil}`);
    await visitor.show('store');
    assert.doesNotMatch(visitor.text, /evil\.example/);
    const other = new Visitor(await newToken());
    other.cookie = draft;
    await other.show('store');
    assert.doesNotMatch(other.text, /mine\.example/);
  });

  test('a draft that is too long for a cookie is left out', async () => {
    const visitor = new Visitor(await newToken());
    await visitor.send('store', {
      store_name: 'x',
      store_url: `https://a.example/${'ü'.repeat(2000)}`,
    });
    assert.ok(visitor.cookie.length < 4096);
  });

  test('410: without a valid link, and once there is an administrator', async () => {
    const visitor = new Visitor('wrong');
    await visitor.send('store', {});
    assert.equal(visitor.status, 410);
    const late = new Visitor(await newToken());
    await execute("update users set role = 'administrator' where login = 'admin'");
    await late.send('store', {});
    assert.equal(late.status, 410);
    assert.match(late.text, /Setup is done/);
  });
});
