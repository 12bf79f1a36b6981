import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';

const app = await openTestApp({ settings: { 'site.store_url': 'https://shop.example' } });
const admin = await app.key('admin', 'read,write');
const STORE = '/svc/store/v1';

let number = 0;
async function newApplication(more: object = {}) {
  number += 1;
  const login = `new${number}`;
  const json = { login, email: `${login}@test.example`, display_name: `New ${number}`, ...more };
  const reply = await app.call(`${STORE}/registrations`, { method: 'POST', json });
  assert.equal(reply.status, 201, reply.text);
  return { ...reply.body, login } as { id: number; login: string; user: { id: number } };
}
const decide = (id: number | string, json: unknown, key = admin) =>
  app.call(`/registrations/${id}/status`, { method: 'POST', key, json });
const get = async (id: number) => (await app.call(`/registrations/${id}`, { key: admin })).body;
const couponsOf = async (userId: number) =>
  (await app.call(`/coupons?user_id=${userId}`, { key: admin })).body;
const mailsTo = async (login: string) =>
  (await outbox(app.site)).filter((mail) => mail.to_address === `${login}@test.example`).slice(1);

describe('POST /registrations/{id}/status', () => {
  describe('200', () => {
    test('accepting creates the affiliate, the requested coupon, the events and the mail', async () => {
      const { id, login, user } = await newApplication({
        coupon_code: 'Fromage',
        website: 'https://blog.example',
        promote: 'Blog',
        custom_fields: { city: 'Bern' },
      });
      const head = await feedHead(app.site);
      const { status, body } = await decide(id, { status: 'accepted', message: 'Welcome!' });
      assert.equal(status, 200);
      assert.deepEqual([body.status, body.coupon_code], ['accepted', 'Fromage']);
      assert.deepEqual([body.message, body.date_declined], ['Welcome!', null]);
      assert.ok(body.date_accepted);
      assert.deepEqual(await get(id), body);

      const affiliate = (await app.call(`/affiliates/${user.id}`, { key: admin })).body;
      assert.equal(affiliate.status, 'active');
      assert.equal(affiliate.coupons[0].code, 'Fromage');
      const { website, promote, custom_fields } = affiliate.profile;
      assert.deepEqual(
        [website, promote, custom_fields],
        ['https://blog.example', 'Blog', { city: 'Bern' }],
      );
      const events = (await app.call(`/events?after=${head}`, { key: admin })).body;
      assert.deepEqual(
        events.map((event: any) => [event.event, event.user_id]),
        [
          ['affiliate.created', idOf('admin')],
          ['coupon.created', idOf('admin')],
          ['registration.accepted', idOf('admin')],
        ],
      );
      assert.deepEqual(events[2].data, {
        registration_id: id,
        user_id: user.id,
        coupon_code: 'Fromage',
        status: 'accepted',
      });
      const [mail, ...more] = await mailsTo(login);
      assert.deepEqual(more, []);
      assert.equal(mail!.template, 'registration-accepted');
      for (const part of [mail!.text, mail!.html]) {
        for (const words of ['Fromage', `${app.site.publicUrl}/r/Fromage`, 'Welcome!', 'New ']) {
          assert.ok(
            part.replaceAll('&#x3D;', '=').replaceAll('&#x2F;', '/').includes(words),
            words,
          );
        }
      }
    });

    test('the new affiliate has access immediately', async () => {
      const carla = await app.key('carla', 'read,write');
      const applied = await app.call(`${STORE}/registrations`, {
        method: 'POST',
        key: carla,
        json: {},
      });
      assert.equal((await app.call('/me', { key: carla })).body.role, 'customer');
      await decide(applied.body.id, { status: 'accepted' });
      const me = (await app.call('/me', { key: carla })).body;
      assert.deepEqual([me.role, me.is_affiliate, me.coupons.length], ['affiliate', true, 1]);
    });

    test('an administrator keeps the role', async () => {
      const { id } = (
        await app.call(`${STORE}/registrations`, { method: 'POST', key: admin, json: {} })
      ).body;
      assert.equal((await decide(id, { status: 'accepted' })).status, 200);
      const me = (await app.call('/me', { key: admin })).body;
      assert.equal(me.role, 'administrator');
      assert.match(me.coupons[0].code, /^[2-9B-DF-HJ-NP-TV-XZ]{8}$/, 'nothing of the login');
    });

    test('without a requested code, the template of the settings is used', async () => {
      await app.set({ 'registrations.code_template': 'SAVE{percent}-{login}' });
      const { id, login } = await newApplication();
      const { body } = await decide(id, { status: 'accepted' });
      assert.equal(body.coupon_code, `SAVE10-${login}`);
      await app.set({ 'registrations.code_template': 'A-{random}-{percent}' });
      const codes = new Set<string>();
      for (let i = 0; i < 3; i++) {
        const { id: next } = await newApplication();
        codes.add((await decide(next, { status: 'accepted' })).body.coupon_code);
      }
      assert.equal(codes.size, 3);
      for (const code of codes) assert.match(code, /^A-[2-9B-Z]{8}-10$/);
      await app.set({ 'registrations.code_template': '{random}' });
    });

    test('a code that is taken (case-insensitive) is replaced by a free one', async () => {
      await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json: { code: 'TAKEN' } });
      await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json: { code: 'taken2' } });
      const { id, user } = await newApplication({ coupon_code: 'Taken' });
      const { body } = await decide(id, { status: 'accepted' });
      assert.equal(body.coupon_code, 'Taken3');
      assert.equal((await couponsOf(user.id))[0].code, 'Taken3');
      const long = 'x'.repeat(50);
      for (const expected of [long, `${'x'.repeat(49)}2`]) {
        const other = await newApplication({ coupon_code: long });
        assert.equal((await decide(other.id, { status: 'accepted' })).body.coupon_code, expected);
      }
    });

    test('a long code is never cut within a surrogate pair', async () => {
      const cheese = '🧀'.repeat(50);
      for (const expected of [cheese, `${'🧀'.repeat(49)}2`]) {
        const { id } = await newApplication({ coupon_code: cheese });
        assert.equal((await decide(id, { status: 'accepted' })).body.coupon_code, expected);
      }
    });

    test('declining sends a mail with the message and creates no affiliate', async () => {
      const { id, login, user } = await newApplication({ coupon_code: 'Wish' });
      const head = await feedHead(app.site);
      const { status, body } = await decide(id, {
        status: 'declined',
        message: 'Not <now>\n\nperhaps later',
      });
      assert.equal(status, 200);
      assert.deepEqual(
        [body.status, body.coupon_code, body.date_accepted],
        ['declined', 'Wish', null],
      );
      assert.ok(body.date_declined);
      const events = (await app.call(`/events?after=${head}`, { key: admin })).body;
      assert.deepEqual(
        events.map((event: any) => [event.event, event.data.status]),
        [['registration.declined', 'declined']],
      );
      assert.equal((await app.call(`/affiliates/${user.id}`, { key: admin })).status, 404);
      const [mail] = await mailsTo(login);
      assert.equal(mail!.template, 'registration-declined');
      assert.match(mail!.text, /Not <now>\n\nperhaps later\n\n-- \n/);
      assert.match(mail!.html, /Not &lt;now&gt;/);
    });

    test('a declined application may be accepted later', async () => {
      const { id, login } = await newApplication();
      await decide(id, { status: 'declined' });
      const { status, body } = await decide(id, { status: 'accepted' });
      assert.equal(status, 200);
      assert.ok(body.date_accepted && body.date_declined);
      const templates = (await mailsTo(login)).map((mail) => mail.template);
      assert.deepEqual(templates, ['registration-declined', 'registration-accepted']);
    });

    test('no mail is sent if send_email is false', async () => {
      for (const status of ['accepted', 'declined']) {
        const { id, login } = await newApplication();
        assert.equal((await decide(id, { status, send_email: false })).status, 200);
        assert.deepEqual(await mailsTo(login), []);
      }
    });

    test('of sixteen concurrent decisions, one succeeds', async () => {
      const { id, login, user } = await newApplication();
      const head = await feedHead(app.site);
      const replies = await Promise.all(
        Array.from({ length: 16 }, () => decide(id, { status: 'accepted' })),
      );
      const answers = replies.map((reply) => (reply.status === 200 ? '200' : refusal(reply)));
      assert.deepEqual(answers.sort(), [
        '200',
        ...Array.from({ length: 15 }, () => '400 svc_api_no_change'),
      ]);
      assert.equal((await couponsOf(user.id)).length, 1);
      assert.equal((await mailsTo(login)).length, 1);
      assert.equal(await feedHead(app.site), head + 4);
    });

    test('an accepted application stays accepted despite concurrent decisions', async () => {
      const { id, user } = await newApplication();
      await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          decide(id, { status: i % 2 === 0 ? 'declined' : 'accepted' }),
        ),
      );
      assert.equal((await get(id)).status, 'accepted');
      assert.equal((await couponsOf(user.id)).length, 1);
    });
  });

  describe('400', () => {
    test('the current status is refused', async () => {
      const { id } = await newApplication();
      await decide(id, { status: 'declined' });
      const head = await feedHead(app.site);
      assert.equal(refusal(await decide(id, { status: 'declined' })), '400 svc_api_no_change');
      await decide(id, { status: 'accepted' });
      assert.equal(refusal(await decide(id, { status: 'accepted' })), '400 svc_api_no_change');
      assert.equal(await feedHead(app.site), head + 4);
    });

    test('an accepted application cannot change', async () => {
      const { id } = await newApplication();
      await decide(id, { status: 'accepted' });
      const before = await get(id);
      const reply = await decide(id, { status: 'declined', message: 'Changed my mind' });
      assert.equal(refusal(reply), '400 svc_api_already_accepted');
      assert.deepEqual(await get(id), before);
    });

    test('an unknown status, a message that is too long and a missing status are refused', async () => {
      const { id } = await newApplication();
      for (const json of [
        { status: 'pending' },
        { status: 'Accepted' },
        { status: 'accepted', message: 'x'.repeat(2001) },
        { status: 'accepted', send_email: 'perhaps' },
      ]) {
        assert.equal(refusal(await decide(id, json)), '400 rest_invalid_param');
      }
      assert.equal(refusal(await decide(id, {})), '400 rest_missing_callback_param');
      assert.equal((await get(id)).status, 'pending');
    });
  });

  test('403: a key without the scope, and a user who is not an admin', async () => {
    const { id } = await newApplication();
    const reader = await app.key('admin', 'read');
    const maya = await app.key('maya', 'write');
    const json = { status: 'accepted' };
    assert.equal(refusal(await decide(id, json, reader)), '403 svc_api_insufficient_scope');
    assert.equal(refusal(await decide(id, json, maya)), '403 svc_api_forbidden');
    assert.equal((await get(id)).status, 'pending');
  });

  test('404: an unknown application', async () => {
    const reply = await decide(999_999, { status: 'accepted' });
    assert.equal(refusal(reply), '404 svc_api_not_found');
  });
});
