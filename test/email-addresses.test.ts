import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveConfig } from '../src/installation/config.ts';
import { createSetupLink } from '../src/modules/sessions/index.ts';
import { isEmailAddress } from '../src/shared/email-address.ts';
import { idOf, openTestApp, type Reply } from './harness.ts';

const bad = Array.from(',;:()[]<>\\" \t\r\n\0\x7f\x85\u2028\u00a0').flatMap((character) => [
  `a${character}b@test.example`,
  `ab@test${character}.example`,
]);
const odd = [
  'nobody',
  '@test.example',
  'a@',
  'a@b@c',
  `${'x'.repeat(65)}@test.example`,
  'a@test.example,victim@test.example',
  'Ann <a@test.example>',
];
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
      return /must be an e-mail address/.test((error as Error).message);
    }
  },
};

function isRefused(reply: Reply, name: string): boolean {
  return (
    reply.status === 400 && Object.keys(reply.body.data.params).some((p) => p.startsWith(name))
  );
}

describe('an e-mail address', () => {
  test('is exactly one address', () => {
    for (const address of [...bad, ...odd]) assert.equal(isEmailAddress(address), false, address);
    for (const address of good) assert.equal(isEmailAddress(address), true, address);
  });

  for (const [way, refuses] of Object.entries(ways)) {
    test(`${way} enforces this rule`, async () => {
      for (const address of [...bad, ...odd]) {
        assert.equal(await refuses(address), true, JSON.stringify(address));
      }
      for (const address of good) assert.equal(await refuses(address), false, address);
    });
  }
});
