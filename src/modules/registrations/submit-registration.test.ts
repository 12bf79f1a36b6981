import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, openTestApp, refusal, type CallOptions } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');
const apply = (json: unknown, options: CallOptions = {}) =>
  app.call('/svc/store/v1/registrations', { method: 'POST', json, ...options });
const list = async (query = '') => (await app.call(`/registrations${query}`, { key: admin })).body;
const events = async (after: number) =>
  (await app.call(`/events?after=${after}&per_page=100`, { key: admin })).body;

let number = 0;
const someone = (more: object = {}) => {
  number += 1;
  const login = `new${number}`;
  return { login, email: `${login}@test.example`, display_name: `New ${number}`, ...more };
};

/** Asserts that the call is refused and changes nothing. */
async function assertRefused(json: unknown, expected: string, options: CallOptions = {}) {
  const before = [await feedHead(app.site), (await list()).length, (await outbox(app.site)).length];
  const reply = await apply(json, options);
  assert.equal(refusal(reply), expected, reply.text);
  const after = [await feedHead(app.site), (await list()).length, (await outbox(app.site)).length];
  assert.deepEqual(after, before);
  return reply;
}

beforeEach(() => app.set({ 'registrations.open': true, 'registrations.auto_accept': false }));

describe('POST /registrations', () => {
  describe('201', () => {
    test('an application without credentials creates a customer, an event and a mail', async () => {
      const head = await feedHead(app.site);
      const mails = (await outbox(app.site)).length;
      const person = someone({
        coupon_code: 'Cheese',
        promote: 'On my blog.\nOften.',
        referrer: 'A friend',
        website: 'https://blog.example/',
        type: 'blogger',
        custom_fields: { 'VAT number': 'X1', __proto__x: '' },
      });
      const { status, body } = await apply(person);
      assert.equal(status, 201);
      const { id, date, user, ...rest } = body;
      assert.match(date, /^\d{4}-/);
      assert.deepEqual(user, { id: user.id, display_name: person.display_name });
      assert.deepEqual(rest, {
        coupon_code: 'Cheese',
        status: 'pending',
        type: 'blogger',
        promote: 'On my blog.\nOften.',
        referrer: 'A friend',
        website: 'https://blog.example/',
        custom_fields: { 'VAT number': 'X1', __proto__x: '' },
        message: '',
        date_accepted: null,
        date_declined: null,
      });
      const emitted = await events(head);
      assert.deepEqual(
        emitted.map((event: any) => [event.event, event.object_id, event.user_id, event.data]),
        [
          [
            'registration.created',
            id,
            user.id,
            { registration_id: id, user_id: user.id, coupon_code: 'Cheese', status: 'pending' },
          ],
        ],
      );
      const written = (await outbox(app.site))
        .slice(mails)
        .filter(({ to_address }) => to_address === person.email);
      assert.deepEqual(
        written.map((mail) => [mail.template, mail.to_address]),
        [['registration-received', person.email]],
      );
      const [kept] = await list(`?user_id=${user.id}`);
      assert.deepEqual(kept.user, { ...user, login: person.login, email: person.email });
    });

    test('the mail contains no text of the applicant', async () => {
      const words = 'https://evil.example';
      await apply(someone({ display_name: words, promote: words, referrer: words }));
      const mail = (await outbox(app.site)).at(-1)!;
      assert.ok(!JSON.stringify(mail).includes('evil'));
    });

    test('login and email address are the only required fields', async () => {
      const { login, email } = someone();
      const { status, body } = await apply({ login, email });
      assert.equal(status, 201);
      assert.equal(body.user.display_name, login);
      assert.deepEqual([body.coupon_code, body.custom_fields], ['', {}]);
    });

    test('a signed-in user applies for itself; login and email address are ignored', async () => {
      const carla = await app.key('carla', 'read');
      const { status, body } = await apply(someone({ email: 'admin@test.example' }), {
        key: carla,
      });
      assert.equal(status, 201);
      assert.equal(body.user.id, idOf('carla'));
      assert.equal(body.user.email, 'carla@test.example');
      await assertRefused({}, '409 svc_api_already_applied', { key: carla });
    });

    test('a declined user may apply again', async () => {
      const manager = await app.key('manager', 'write');
      const { id } = (await apply({}, { key: manager })).body;
      const json = { status: 'declined' };
      await app.call(`/registrations/${id}/status`, { method: 'POST', key: admin, json });
      assert.equal((await apply({}, { key: manager })).status, 201);
    });

    test('an application is accepted automatically if the site is configured to', async () => {
      await app.set({ 'registrations.auto_accept': true });
      const head = await feedHead(app.site);
      const { body } = await apply(someone({ display_name: 'Buy at evil.example' }));
      assert.equal(body.status, 'accepted');
      assert.ok(body.date_accepted);
      assert.match(body.coupon_code, /^[A-Z0-9]{8}$/);
      assert.deepEqual(
        (await events(head)).map((event: any) => [event.event, event.user_id]),
        [
          ['registration.created', body.user.id],
          ['affiliate.created', 0],
          ['coupon.created', 0],
          ['registration.accepted', 0],
        ],
      );
      const mail = (await outbox(app.site)).at(-1)!;
      assert.equal(mail.template, 'registration-accepted');
      assert.ok(!JSON.stringify(mail).includes('evil'), 'the name has not been reviewed');
    });

    test('the same Idempotency-Key gets the same response and stores one application', async () => {
      const headers = { 'idempotency-key': 'once' };
      const person = someone();
      const [first, second] = [await apply(person, { headers }), await apply(person, { headers })];
      assert.equal(second.status, 201);
      assert.deepEqual(second.body, first.body);
    });

    test('an application can be sent as a form', async () => {
      const { login, email } = someone();
      const form = new URLSearchParams({ login, email, 'custom_fields[city]': 'Bern' }).toString();
      const { status, body } = await app.call('/svc/store/v1/registrations', {
        method: 'POST',
        form,
      });
      assert.equal(status, 201);
      assert.deepEqual(body.custom_fields, { city: 'Bern' });
    });
  });

  describe('400', () => {
    test('login and email address are required unless the caller is signed in', async () => {
      const reply = await assertRefused({}, '400 rest_missing_callback_param');
      assert.deepEqual(reply.body.data.params, ['login', 'email']);
    });

    for (const [why, error] of [
      ['a login with spaces', { login: 'a b' }],
      ['an invalid address', { email: 'nobody' }],
      ['a name with a line break', { display_name: 'a\nb' }],
      ['a name of spaces', { display_name: '  ' }],
      ['a long name', { display_name: 'x'.repeat(101) }],
      ['a code with spaces', { coupon_code: 'a b' }],
      ['a long code', { coupon_code: 'x'.repeat(51) }],
      ['an invalid website', { website: 'javascript:alert(1)' }],
      ['a long website', { website: `https://${'x'.repeat(2050)}` }],
      ['a long text', { promote: 'x'.repeat(5001) }],
      ['a long referrer', { referrer: 'x'.repeat(501) }],
      ['a long type', { type: 'x'.repeat(51) }],
      ['the honeypot of the form, which the API does not have', { homepage: 'https://x.example' }],
      ['the same honeypot, empty', { homepage: '' }],
      ['a field that is not text', { custom_fields: { a: 1 } }],
      ['a field without a name', { custom_fields: { '': 'x' } }],
      ['a long name of a field', { custom_fields: { ['x'.repeat(101)]: 'x' } }],
      ['a long field', { custom_fields: { a: 'x'.repeat(1001) } }],
      [
        '21 fields',
        { custom_fields: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, ''])) },
      ],
    ] as const) {
      test(why, async () => {
        const reply = await assertRefused(someone(error), '400 rest_invalid_param');
        assert.deepEqual(Object.keys(reply.body.data.params), Object.keys(error));
      });
    }
  });

  describe('403', () => {
    test('a closed program accepts no application', async () => {
      await app.set({ 'registrations.open': false });
      await assertRefused(someone(), '403 svc_api_registrations_closed');
    });

    test('a session without the CSRF header is refused', async () => {
      const session = { ...(await app.signIn('carla')), csrf: undefined };
      await assertRefused({}, '403 svc_api_csrf_required', { session });
    });
  });

  describe('409', () => {
    test('a login or address in use is refused, ignoring case, without revealing which', async () => {
      const byLogin = await assertRefused(someone({ login: 'MAYA' }), '409 svc_api_user_exists');
      const byEmail = await assertRefused(
        someone({ email: 'Maya@TEST.example' }),
        '409 svc_api_user_exists',
      );
      assert.equal(byLogin.text, byEmail.text);
    });

    test('an affiliate cannot apply', async () => {
      const key = await app.key('maya', 'write');
      await assertRefused({}, '409 svc_api_already_applied', { key });
    });

    test('eight concurrent requests of a user store one application', async () => {
      const key = await app.key('admin', 'write');
      const replies = await Promise.all(Array.from({ length: 8 }, () => apply({}, { key })));
      const statuses = replies.map((reply) => reply.status).sort();
      assert.deepEqual(statuses, [201, ...Array.from({ length: 7 }, () => 409)]);
    });
  });

  test('429: unauthenticated callers share one limit', async () => {
    const limited = await openTestApp({ settings: { 'api.anonymous_rate_per_minute': 2 } });
    const send = () =>
      limited.call('/svc/store/v1/registrations', { method: 'POST', json: someone() });
    const statuses = [(await send()).status, (await send()).status, (await send()).status];
    assert.deepEqual(statuses, [201, 201, 429]);
  });
});
