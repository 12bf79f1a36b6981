import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveConfig } from '../src/installation/config.ts';
import { createSetupLink } from '../src/modules/setup/index.ts';
import { isEmailAddress } from '../src/shared/email-address.ts';
import { idOf, openTestApp, type Reply } from './support/harness.ts';

const bad = Array.from(',;:()[]<>\\" \t\r\n\0\x7f\x85\u2028\u00a0').flatMap((character) => [
  `a${character}b@test.example`,
  `ab@test${character}.example`,
]);
/** Not seen: they would make another address that looks the same. */
const invisible = Array.from(
  '\u00ad\u034f\u200b\u200d\u200e\u202e\u2060\u3164\ufe0f\ufeff\u{e0041}',
).flatMap((character) => [`a${character}b@test.example`, `ab@te${character}st.example`]);
const odd = [
  ...invisible,
  'a@test/x.example',
  'a@test%2eexample',
  'a@test?.example',
  'nobody',
  '@test.example',
  'a@',
  'a@b@c',
  `${'x'.repeat(65)}@test.example`,
  'a@test.example,victim@test.example',
];
const withName = 'Ann <a@test.example>';
const good = ["o'brien+shop@test.example", 'käse@müller.example', 'a.b-c_d%e!f@x', 'A@1.example'];

const app = await openTestApp({ settings: { 'payouts.methods': ['banktransfer', 'paypal'] } });
const key = await app.key('admin', ['read', 'write', 'manage']);
const store = (path: string) => `/svc/store/v1${path}`;
let number = 0;
const login = () => `person${++number}`;

/** Every place that accepts an address; each resolves with whether it refused the address. */
const ways: Record<string, (email: string) => Promise<boolean>> = {
  'POST /affiliates': async (email) =>
    isRefused(
      await app.call(store('/affiliates'), {
        method: 'POST',
        key,
        json: { login: login(), email },
      }),
      'email',
    ),
  'PATCH /affiliates/{id}': async (email) =>
    isRefused(
      await app.call(store(`/affiliates/${idOf('maya')}`), {
        method: 'PATCH',
        key,
        json: { email },
      }),
      'email',
    ),
  'POST /registrations': async (email) =>
    isRefused(
      await app.call(store('/registrations'), { method: 'POST', json: { login: login(), email } }),
      'email',
    ),
  'POST /apply': async (email) => {
    const form = new URLSearchParams({ login: login(), email, display_name: 'X' }).toString();
    const headers = { 'x-forwarded-for': `198.51.100.${number % 250}` };
    const reply = await app.call('~/apply', { method: 'POST', form, headers });
    return reply.status === 400 && /e-?mail/i.test(reply.text);
  },
  'POST /setup': async (email) => {
    const token = new URL(await createSetupLink(app.site)).searchParams.get('token')!;
    const form = new URLSearchParams({ token, login: login(), email, password: 'x'.repeat(12) });
    const reply = await app.call('~/setup', { method: 'POST', form: form.toString() });
    // NUL is refused before the form is validated.
    return reply.status === 400 && /id="email-fault"|"email":/.test(reply.text);
  },
  'PUT /affiliates/{id}/payout-details': async (email) =>
    isRefused(
      await app.call(store(`/affiliates/${idOf('tomas')}/payout-details`), {
        method: 'PUT',
        key,
        json: { method_type: 'paypal', details: { email } },
      }),
      'details',
    ),
  TRIBUTARY_MAIL_FROM: async (email) => {
    try {
      resolveConfig({ smtpUrl: 'smtp://127.0.0.1', mailFrom: email }, {});
      return false;
    } catch (error) {
      return /must be an email address/.test((error as Error).message);
    }
  },
};

function isRefused(reply: Reply, name: string): boolean {
  return (
    reply.status === 400 && Object.keys(reply.body.data.params).some((p) => p.startsWith(name))
  );
}

describe('an email address', () => {
  test('is exactly one address', () => {
    for (const address of [...bad, ...odd, withName])
      assert.equal(isEmailAddress(address), false, address);
    for (const address of good) assert.equal(isEmailAddress(address), true, address);
  });

  for (const [way, refuses] of Object.entries(ways)) {
    test(`${way} enforces this rule`, async () => {
      // The sender of mails may have a name.
      const named = way === 'TRIBUTARY_MAIL_FROM' ? [] : [withName];
      for (const address of [...bad, ...odd, ...named]) {
        assert.equal(await refuses(address), true, JSON.stringify(address));
      }
      for (const address of good) assert.equal(await refuses(address), false, address);
    });
  }
});

describe('other spellings of a domain are the same address', () => {
  const spellings = (name: string) => [
    `${name}@muller.example`,
    `${name}@Muller.Example`,
    `${name}@ｍｕｌｌｅｒ.example`,
    `${name}@muller。example`,
    `${name}@𝐦𝐮𝐥𝐥𝐞𝐫.example`,
    `${name}@muller.example.`,
  ];
  const create = (email: string) =>
    app.call(store('/affiliates'), { method: 'POST', key, json: { login: login(), email } });

  test('one affiliate, one application and one mailbox for all of them', async () => {
    const [first, ...others] = spellings('ines');
    const created = await create(first!);
    assert.equal(created.status, 201, created.text);
    for (const email of others) {
      assert.equal((await create(email)).status, 409, email);
      const json = { login: login(), email };
      const applied = await app.call(store('/registrations'), { method: 'POST', json });
      assert.equal(applied.status, 409, `${email}: ${applied.text}`);
      const invited = await app.call(store('/team'), {
        method: 'POST',
        key,
        json: { login: login(), email, role: 'manager' },
      });
      assert.equal(invited.status, 409, `${email}: ${invited.text}`);
    }
  });

  test('stored in one form, found in each, also in another alphabet', async () => {
    const { body } = await create('Lena@Müller.example');
    assert.equal(body.user.email, 'Lena@xn--mller-kva.example');
    for (const email of [
      'lena@müller.example',
      'LENA@MÜLLER.EXAMPLE',
      'lena@xn--mller-kva.example',
    ]) {
      assert.equal((await create(email)).status, 409, email);
      await app.call(store('/account/password-resets'), { method: 'POST', json: { email } });
    }
    const changed = await app.call(store(`/affiliates/${body.id}`), {
      method: 'PATCH',
      key,
      json: { email: 'lena@ｔｅｓｔ.example' },
    });
    assert.equal(changed.body.user.email, 'lena@test.example', changed.text);
  });

  test('an order of the affiliate itself is found in every spelling', async () => {
    const { body } = await create('own@shop.example');
    const coupon = { code: 'OWNSHOP', user_id: body.id };
    const made = await app.call(store('/coupons'), { method: 'POST', key, json: coupon });
    const json = {
      status: 'completed',
      date: '2026-03-01',
      total: 100,
      coupon_codes: ['OWNSHOP'],
      customer: { email: 'own@ｓｈｏｐ.example' },
    };
    const reply = await app.call(store('/orders/77'), { method: 'PUT', key, json });
    assert.ok(reply.status < 300, reply.text);
    const { body: own } = await app.call(`/coupons/${made.body.id}`, { key });
    assert.deepEqual([own.unpaid_commission, own.stats.orders_count], [0, 1], 'counted, not paid');
  });
});
