import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { openTestApp, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { LINK_PLACEHOLDER } from '../mail/one-time-link.ts';
import { findUser } from '../users/index.ts';

const app = await openTestApp({ settings: { 'site.name': 'Käse & Brot' } });
const admin = await app.key('admin', 'read,write');
const administrator = await app.basic('admin');
const list = async () => (await app.call('/registrations', { key: admin })).body;

let number = 0;
const someone = (more: object = {}): Record<string, string> => {
  number += 1;
  const login = `form${number}`;
  return { login, email: `${login}@test.example`, display_name: `Form ${number}`, ...more };
};
const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.call('~/apply', {
    method: 'POST',
    form: new URLSearchParams(fields).toString(),
    headers: { 'x-forwarded-for': `10.1.1.${number}`, ...headers },
  });

beforeEach(() => app.set({ 'registrations.open': true, 'registrations.auto_accept': false }));

describe('GET /apply', () => {
  test('200: a form that works without script', async () => {
    const { status, text, headers } = await app.call('~/apply');
    assert.equal(status, 200);
    assert.match(headers.get('content-type')!, /^text\/html/);
    assert.match(headers.get('content-security-policy')!, /default-src 'none'.*form-action 'self'/);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.match(text, /<form[^>]* method="post" action="\/apply">/);
    assert.match(text, /Apply to the Käse &amp; Brot program/);
    assert.doesNotMatch(text, /<script|style=|onclick|role="alert"/);
    for (const name of ['login', 'email', 'display_name', 'website', 'coupon_code', 'promote']) {
      assert.match(text, new RegExp(`<label for="${name}">`));
      assert.match(text, new RegExp(`id="${name}"[^>]* name="${name}"`));
    }
  });

  test('403: the program is closed for applications', async () => {
    await app.set({ 'registrations.open': false });
    const { status, text } = await app.call('~/apply');
    assert.equal(status, 403);
    assert.match(text, /not accepting applications/);
    assert.doesNotMatch(text, /<form/);
  });
});

describe('the fields of the site', () => {
  const fields = [
    {
      name: 'audience',
      label: { en: 'Audience', de: 'Publikum <b>' },
      type: 'choice',
      required: true,
      choices: ['Small', 'Large'],
    },
    { name: 'channel', label: 'Channel', type: 'url', required: false, help: 'Where we find you' },
    { name: 'country', label: 'Country', type: 'country', required: true },
    { name: 'about', label: 'About', type: 'long_text', required: false },
    { name: 'phone', label: 'Phone', type: 'text', required: false },
  ];
  const answer = (name: string) => `custom_fields[${name}]`;
  const api = (custom_fields: object) =>
    app.call('/svc/store/v1/registrations', {
      method: 'POST',
      json: { ...someone(), custom_fields },
    });
  beforeEach(() => app.set({ 'registrations.fields': fields }));
  after(() => app.set({ 'registrations.fields': [] }));

  test('are in the form, with labels and countries in its language', async () => {
    const { text } = await app.call('~/apply?lang=de');
    assert.match(text, /<label for="custom_fields\[audience\]">Publikum &lt;b></);
    assert.match(text, /<label for="custom_fields\[channel\]">Channel[^]*Where we find you/);
    assert.match(text, /<option value="DE">Deutschland</);
    assert.match(text, /<option value="Large">Large</);
  });

  test('answers are stored; empty and undeclared ones are not', async () => {
    const person = someone({
      [answer('audience')]: 'Large',
      [answer('country')]: 'AT',
      [answer('phone')]: ' ',
      [answer('about')]: 'One\r\ntwo',
      [answer('other')]: 'x',
    });
    assert.equal((await send(person)).status, 201);
    const [row] = await list();
    assert.deepEqual(row.custom_fields, { audience: 'Large', country: 'AT', about: 'One\r\ntwo' });
  });

  test('400: each fault is shown at its field, with those of the other fields', async () => {
    const { status, text } = await send({
      ...someone({ email: 'nobody' }),
      [answer('audience')]: 'Huge',
      [answer('channel')]: 'javascript:alert(1)',
      [answer('country')]: '',
      [answer('about')]: 'x'.repeat(1001),
    });
    assert.equal(status, 400);
    for (const name of ['audience', 'channel', 'country', 'about'].map(answer)) {
      assert.ok(text.includes(`id="${name}-fault"`), name);
      assert.ok(text.includes(`<a href="#${name}">`), name);
    }
    assert.ok(text.includes('id="email-fault"'));
    assert.ok(!text.includes(`id="${answer('phone')}-fault"`));
  });

  test('the API checks the declared ones, and stores any other', async () => {
    const refused = await api({ audience: 'Huge', channel: 'x' });
    assert.equal(refusal(refused), '400 rest_invalid_param');
    assert.deepEqual(refused.body.data.params, {
      'custom_fields.audience': 'must be one of the choices',
      'custom_fields.channel': 'must be a URL that starts with https:// or http://',
      'custom_fields.country': 'is required',
    });
    const { status, body } = await api({ audience: 'Small', country: 'DE', shoe_size: '43' });
    assert.equal(status, 201);
    assert.deepEqual(body.custom_fields, { audience: 'Small', country: 'DE', shoe_size: '43' });
  });

  test('the setting refuses a field named twice and a choice without choices', async () => {
    const set = (value: unknown) =>
      app.call('/svc/store/v1/settings', {
        method: 'PATCH',
        basic: administrator,
        json: { 'registrations.fields': value },
      });
    const [audience, , country] = fields;
    for (const value of [
      [country, country],
      [{ ...audience, choices: ['One'] }],
      [{ ...country, choices: ['One', 'Two'] }],
      [{ ...country, name: 'Not a name' }],
      [{ ...country, label: {} }],
      [{ ...country, type: 'password' }],
    ]) {
      assert.equal(refusal(await set(value)), '400 rest_invalid_param');
    }
  });
});

describe('POST /apply', () => {
  describe('201', () => {
    test('an application is stored, and the page says what happens next', async () => {
      const person = someone({
        coupon_code: 'Brie',
        promote: 'Daily',
        website: 'https://a.example',
      });
      const { status, text } = await send({ ...person, referrer: '', homepage: '' });
      assert.equal(status, 201);
      assert.match(text, /Thank you for applying/);
      assert.match(text, /email you our decision/);
      const [row] = await list();
      assert.deepEqual(
        [row.user.login, row.status, row.coupon_code, row.promote, row.website],
        [person['login'], 'pending', 'Brie', 'Daily', 'https://a.example'],
      );
      const mail = (await outbox(app.site)).at(-1)!;
      assert.equal(mail.to_address, person['email']);
      const [, path] = /href="(\/apply\/status[^"]+)"/.exec(text)!;
      assert.ok(mail.text.includes(LINK_PLACEHOLDER), 'the mail has the link');
      assert.ok(!mail.text.includes(path!), 'the outbox does not show it');
    });

    test("the language of the form is the applicant's", async () => {
      const { text } = await send(someone(), { 'accept-language': 'de' });
      assert.match(text, /Danke für Ihre Bewerbung/);
      const [row] = await list();
      const { body } = await app.call(`/registrations/${row.id}`, { key: admin });
      assert.equal(body.user.login, `form${number}`);
      const user = await findUser(app.site.database.read, row.user.id);
      assert.equal(user!.language, 'de');
    });

    test('an application is accepted automatically if the site is configured to', async () => {
      await app.set({ 'registrations.auto_accept': true });
      const { status, text } = await send(someone());
      assert.equal(status, 201);
      assert.match(text, /emailed you your coupon code/);
      assert.equal((await list())[0].status, 'accepted');
    });

    test('a form submitted twice stores one application and shows the same page', async () => {
      const person = someone();
      const head = await feedHead(app.site);
      const replies = await Promise.all([send(person), send(person), send(person)]);
      for (const { status, text } of replies) {
        assert.equal(status, 201);
        assert.equal(text, replies[0].text);
      }
      assert.equal(await feedHead(app.site), head + 1);
      app.advance(11 * 60_000);
      assert.equal((await send(person)).status, 409, 'later it is a new application');
    });

    test('a filled honeypot shows the same page and stores nothing', async () => {
      const before = [await list(), await outbox(app.site), await feedHead(app.site)];
      const { status, text } = await send(someone({ homepage: 'https://spam.example' }));
      assert.equal(status, 201);
      assert.match(text, /Thank you for applying/);
      assert.deepEqual([await list(), await outbox(app.site), await feedHead(app.site)], before);
    });

    test('a signed-in browser applies like any other', async () => {
      const session = await app.signIn('maya');
      const { status } = await send(someone(), { cookie: session.cookie });
      assert.equal(status, 201);
      assert.notEqual((await list())[0].user.login, 'maya');
    });
  });

  describe('400', () => {
    test('the form shows an error at each invalid field; input is preserved and escaped', async () => {
      const head = await feedHead(app.site);
      const { status, text } = await send({
        login: 'a b"><script>',
        email: 'nobody',
        display_name: '',
        website: 'javascript:alert(1)',
        coupon_code: 'two words',
        promote: '</textarea><script>alert(1)</script>',
        referrer: 'A friend',
      });
      assert.equal(status, 400);
      for (const name of ['login', 'email', 'display_name', 'website', 'coupon_code']) {
        assert.match(text, new RegExp(`<p class="field-fault" id="${name}-fault">[^<]+</p>`), name);
        assert.match(text, new RegExp(`id="${name}"[^>]*aria-invalid="true"`), name);
        assert.match(text, new RegExp(`role="alert"[^]*<a href="#${name}">`), name);
      }
      assert.doesNotMatch(text, /id="referrer-fault"|<script/);
      assert.match(text, /value="a b&quot;>&lt;script>"/);
      assert.match(text, /value="A friend"/);
      assert.match(text, /&lt;\/textarea>&lt;script>alert\(1\)/);
      assert.equal(await feedHead(app.site), head);
    });

    test('an empty form is refused', async () => {
      assert.equal((await send({})).status, 400);
    });
  });

  describe('403', () => {
    test('a closed program accepts no application', async () => {
      await app.set({ 'registrations.open': false });
      const before = (await list()).length;
      assert.equal((await send(someone())).status, 403);
      assert.equal((await list()).length, before);
    });

    test('a form sent by a page of another site is refused', async () => {
      const before = (await list()).length;
      for (const [name, value] of [
        ['sec-fetch-site', 'cross-site'],
        ['origin', 'https://evil.example'],
      ] as const) {
        assert.equal((await send(someone(), { [name]: value })).status, 403);
      }
      assert.equal((await list()).length, before);
    });
  });

  test('409: a login that is taken; input is preserved', async () => {
    const { status, text } = await send(someone({ login: 'Maya', promote: 'Kept' }));
    assert.equal(status, 409);
    assert.match(text, /role="alert"><p>The login or email address is already in use/);
    assert.match(text, /value="Maya"/);
    assert.match(text, />Kept<\/textarea>/);
  });

  describe('429', () => {
    test('too many applications from one address get the form again, with the input preserved', async () => {
      const from = { 'x-forwarded-for': '10.9.9.9' };
      for (let i = 0; i < 10; i++) assert.equal((await send(someone(), from)).status, 201);
      const before = (await list()).length;
      const { status, text, headers } = await send(someone({ promote: 'Kept' }), from);
      assert.equal(status, 429);
      assert.equal(headers.get('retry-after'), '60');
      assert.match(text, />Kept<\/textarea>/);
      assert.equal((await list()).length, before);
      assert.equal((await send(someone())).status, 201, 'other addresses are not limited');
      app.advance(60_000);
      assert.equal((await send(someone(), from)).status, 201);
    });

    test('too many applications from all addresses together are refused', async () => {
      app.advance(60_000);
      await app.set({ 'api.anonymous_rate_per_minute': 2 });
      const statuses = [];
      for (let i = 0; i < 3; i++) statuses.push((await send(someone())).status);
      assert.deepEqual(statuses, [201, 201, 429]);
      await app.set({ 'api.anonymous_rate_per_minute': 1_000_000 });
    });
  });
});
