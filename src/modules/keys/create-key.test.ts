import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const manager = await app.key('manager', 'manage');
const create = (json: unknown, key = admin) => app.call('/keys', { method: 'POST', key, json });
const events = async () => (await app.call('/events?per_page=1', { key: admin })).body[0];

describe('POST /keys', () => {
  describe('201', () => {
    test('the response is the record with the token, shown once, and a notice', async () => {
      const { status, body } = await create({
        user_id: idOf('maya'),
        description: 'Till',
        scopes: ['write', 'read'],
        expires: '2099-12-31',
      });
      assert.equal(status, 201);
      assert.match(body.token, /^svc_[0-9A-Za-z]{46}$/);
      assert.equal(body.key_prefix, body.token.slice(0, 12));
      assert.deepEqual(body.scopes, ['read', 'write']);
      assert.equal(body.user_id, idOf('maya'));
      assert.equal(body.status, 'active');
      assert.equal(body.last_used, null);
      assert.equal(body.date_expires, '2099-12-31T23:59:59');
      assert.ok(body.notice);
      const list = await app.call('/keys?per_page=1', { key: admin });
      assert.ok(!list.text.includes(body.token), 'the token is in no other answer');
    });

    test('by default a key is for the caller, has the read scope and does not expire', async () => {
      const { body } = await create({});
      assert.equal(body.user_id, idOf('admin'));
      assert.deepEqual(body.scopes, ['read']);
      assert.equal(body.date_expires, null);
      assert.equal(body.description, '');
    });

    test('the new key works immediately', async () => {
      const { body } = await create({ user_id: idOf('maya') });
      const me = await app.call('/me', { key: body.token });
      assert.equal(me.body.user.login, 'maya');
    });

    test('a key that expires today is valid until midnight', async () => {
      const today = app.site.calendar.dayOf(app.site.clock());
      const { status, body } = await create({ expires: today });
      assert.equal(status, 201);
      assert.deepEqual([body.status, body.date_expires], ['active', `${today}T23:59:59`]);
    });

    test('the last supported day is accepted', async () => {
      const { body } = await create({ expires: '9999-12-31' });
      assert.deepEqual([body.status, body.date_expires], ['active', '9999-12-31T23:59:59']);
    });

    test('a form is accepted, with lists in every notation', async () => {
      for (const form of [
        'scopes[]=read&scopes[]=write',
        'scopes=read&scopes=write',
        'scopes=read,write',
        'scopes%5B%5D=read&scopes%5B%5D=write&user_id=3',
      ]) {
        const { status, body } = await app.call('/keys', { method: 'POST', key: admin, form });
        assert.equal(status, 201, form);
        assert.deepEqual(body.scopes, ['read', 'write'], form);
      }
    });

    test('a manager may create keys for itself and for affiliates', async () => {
      assert.equal((await create({}, manager)).body.user_id, idOf('manager'));
      assert.equal((await create({ user_id: idOf('maya') }, manager)).status, 201);
    });

    test('key.created contains ids, never the token', async () => {
      const { body } = await create({ user_id: idOf('tomas'), scopes: ['manage'] });
      const event = await events();
      assert.equal(event.event, 'key.created');
      assert.equal(event.object_id, body.id);
      assert.equal(event.user_id, idOf('admin'));
      assert.deepEqual(event.data, {
        key_id: body.id,
        user_id: idOf('tomas'),
        scopes: ['manage'],
        date_expires: null,
      });
      assert.ok(!JSON.stringify(event).includes(body.token));
    });
  });

  describe('400', () => {
    test('a past day is refused, and no key is created', async () => {
      const count = async () =>
        Number((await app.call('/keys', { key: admin })).headers.get('x-svc-total'));
      const before = await count();
      const yesterday = app.site.calendar.dayOf(app.site.clock() - 24 * 60 * 60_000);
      for (const expires of ['2020-02-29', yesterday]) {
        const reply = await create({ expires });
        assert.equal(refusal(reply), '400 rest_invalid_param', expires);
        assert.deepEqual(reply.body.data.params, { expires: 'must not be in the past' });
      }
      assert.equal(await count(), before);
    });

    test('every invalid parameter is named in one response', async () => {
      const reply = await create({ user_id: 'x', scopes: ['root'], expires: '2026-02-30' });
      assert.equal(refusal(reply), '400 rest_invalid_param');
      assert.deepEqual(Object.keys(reply.body.data.params), ['user_id', 'scopes', 'expires']);
    });

    for (const [why, json] of [
      ['a number as text in JSON', { user_id: '3' }],
      ['no scopes', { scopes: [] }],
      ['a day in another format', { expires: '31.12.2026' }],
      ['a description that is not text', { description: 5 }],
      ['a user id below 1', { user_id: 0 }],
    ] as const) {
      test(why, async () => {
        assert.equal(refusal(await create(json)), '400 rest_invalid_param');
      });
    }

    test('an unknown user is svc_api_invalid_user', async () => {
      assert.equal(refusal(await create({ user_id: 99 })), '400 svc_api_invalid_user');
    });
  });

  describe('403', () => {
    test('a manager may not create keys for an administrator or another manager', async () => {
      const reply = await create({ user_id: idOf('admin') }, manager);
      assert.equal(refusal(reply), '403 svc_api_cannot_create_for_user');
    });

    test('a refusal changes nothing', async () => {
      const before = await events();
      await create({ user_id: idOf('admin') }, manager);
      await create({ user_id: 99 });
      assert.deepEqual(await events(), before);
    });
  });
});
