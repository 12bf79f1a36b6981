import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, PASSWORD, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp();
const SECOND = 1_000;
let address = 0;

/** Each attempt from an address of its own, so that no address is locked out. */
const attempt = (login: string, password: string, headers: Record<string, string> = {}) =>
  app.call('~/session', {
    method: 'POST',
    json: { login, password },
    headers: {
      'x-forwarded-for': `10.7.${(address += 1) >> 8}.${address & 255}`,
      ...headers,
    },
  });
const wrong = async (login: string) => refusal(await attempt(login, 'wrong wrong wrong'));
async function exhaust(login: string): Promise<void> {
  for (let i = 0; i < 10; i++) assert.equal(await wrong(login), '401 svc_api_unauthorized');
}

describe('the delay of an account', () => {
  for (const [login, waits] of [
    ['maya', [1, 2, 4, 8, 16, 32, 60, 60]],
    ['nobody', [1, 2]],
  ] as const) {
    test(`grows from a second to a minute after ten attempts: ${login}`, async () => {
      await exhaust(login);
      for (const seconds of waits) {
        const refused = await attempt(login, PASSWORD);
        assert.equal(refusal(refused), '429 svc_api_rate_limited', `before ${seconds} s`);
        assert.equal(refused.headers.get('retry-after'), String(seconds));
        assert.equal(refused.body.data.retry_after, seconds);
        app.advance(seconds * SECOND);
        assert.equal(await wrong(login), '401 svc_api_unauthorized', `after ${seconds} s`);
      }
    });
  }

  test('does not tell which login and address belong together, and ends for both with the right password', async () => {
    await exhaust('tomas');
    assert.equal(await wrong('TOMAS'), '429 svc_api_rate_limited');
    for (let i = 0; i < 5; i++) await wrong('Tomas@test.example');
    for (let i = 0; i < 5; i++) {
      assert.equal(await wrong('tomas@ｔｅｓｔ.example'), '401 svc_api_unauthorized');
    }
    assert.equal(await wrong('tomas@test.example'), '429 svc_api_rate_limited');
    app.advance(SECOND);
    assert.equal((await attempt('tomas', PASSWORD)).status, 201);
    await exhaust('tomas@test.example');
    await exhaust('tomas');
  });

  test('counts attempts at the same time like consecutive ones', async () => {
    const replies = await Promise.all(Array.from({ length: 15 }, () => wrong('parallel')));
    const delayed = replies.filter((reply) => reply === '429 svc_api_rate_limited');
    assert.equal(delayed.length, 5);
  });

  test('is no lock that an attacker can turn: known browsers, networks and sessions', async () => {
    const home = { 'x-forwarded-for': '203.0.113.5' };
    const first = await attempt('carla', PASSWORD, home);
    assert.equal(first.status, 201);
    const [cookie, device] = first.headers.getSetCookie().map((one) => one.split(';')[0]!);
    await exhaust('carla');
    assert.equal(await wrong('carla'), '429 svc_api_rate_limited', 'an attacker');
    assert.equal((await attempt('carla', PASSWORD)).status, 429, 'an unknown browser');
    assert.equal((await attempt('carla', PASSWORD, home)).status, 201, 'the network');
    assert.equal(
      (await attempt('carla', PASSWORD, { cookie: device! })).status,
      201,
      'the browser',
    );
    assert.equal(
      (await attempt('manager', PASSWORD, { cookie: device! })).status,
      201,
      'the mark of another user is ignored',
    );
    const proof = await app.call('~/session/proof', {
      method: 'POST',
      session: { cookie: cookie!, csrf: first.body.csrf_token },
      json: { password: PASSWORD },
    });
    assert.equal(proof.status, 200, 'the session');
  });

  test('a known browser that guesses is delayed too, alone', async () => {
    const first = await attempt('admin', PASSWORD, { 'x-forwarded-for': '203.0.113.9' });
    const cookie = first.headers.getSetCookie()[1]!.split(';')[0]!;
    for (let i = 0; i < 10; i++) await attempt('admin', 'wrong', { cookie });
    assert.equal((await attempt('admin', PASSWORD, { cookie })).status, 429);
    assert.equal((await attempt('admin', PASSWORD)).status, 201);
  });
});
