import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { feedHead } from '../../../test/feed-head.ts';
import { openTestApp } from '../../../test/harness.ts';
import { outbox } from '../../../test/outbox.ts';

const app = await openTestApp({ settings: { 'site.name': 'Käse & Brot' } });
const admin = await app.key('admin', 'read,write');
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
    assert.match(text, /<form method="post" action="\/apply">/);
    assert.match(text, /Join the Käse &amp; Brot affiliate program/);
    assert.doesNotMatch(text, /<script|style=|onclick|role="alert"/);
    for (const name of ['login', 'email', 'display_name', 'website', 'coupon_code', 'promote']) {
      assert.match(text, new RegExp(`<label for="${name}">`));
      assert.match(text, new RegExp(`id="${name}" name="${name}"`));
    }
  });

  test('403: the program is closed for applications', async () => {
    await app.set({ 'registrations.open': false });
    const { status, text } = await app.call('~/apply');
    assert.equal(status, 403);
    assert.match(text, /is not accepting applications/);
    assert.doesNotMatch(text, /<form/);
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
      assert.equal((await outbox(app.site)).at(-1)!.to_address, person['email']);
    });

    test('an application is accepted at once if the site is configured to', async () => {
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
        assert.match(text, new RegExp(`<p class="fault" id="${name}-fault">[^<]+</p>`), name);
        assert.match(text, new RegExp(`id="${name}"[^>]*aria-invalid="true"`), name);
      }
      assert.doesNotMatch(text, /id="referrer-fault"|<script/);
      assert.match(text, /role="alert">Please check: Login, E-mail address, Your name/);
      assert.match(text, /value="a b&quot;&gt;&lt;script&gt;"/);
      assert.match(text, /value="A friend"/);
      assert.match(text, /&lt;\/textarea&gt;&lt;script&gt;alert\(1\)/);
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
    assert.match(text, /role="alert">The login or e-mail address is already in use/);
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
