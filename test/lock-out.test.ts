import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeToken } from '../src/modules/keys/token.ts';
import { openTestApp, PASSWORD, refusal, type CallOptions } from './support/harness.ts';

const app = await openTestApp();
const key = await app.key('maya', 'read');
const basic = await app.basic('maya');
const LOCKED = '429 svc_api_too_many_auth_failures';

const from = (address: string, options: CallOptions = {}, path = '/me') =>
  app.call(path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } });
const fail = async (address: string, times: number, options: CallOptions = { key: 'bad' }) => {
  for (let i = 0; i < times; i++) assert.equal((await from(address, options)).status, 401);
};
const signIn = (address: string, password = 'wrong wrong wrong', login = 'maya') =>
  from(address, { method: 'POST', json: { login, password } }, '~/session');

describe('ten failures from one address', () => {
  test('nine failures do not lock out', async () => {
    await fail('192.0.2.1', 9);
    assert.equal((await from('192.0.2.1', { key })).status, 200);
  });

  test('after ten failures a valid key is refused as well, with the seconds to wait', async () => {
    await fail('192.0.2.2', 10);
    const reply = await from('192.0.2.2', { key });
    assert.equal(refusal(reply), LOCKED);
    const wait = reply.body.data.retry_after;
    assert.ok(wait > 55 && wait <= 60, String(wait));
    assert.equal(reply.headers.get('retry-after'), String(wait));
  });

  test('every kind of credential is refused without a check', async () => {
    const session = await app.signIn('maya');
    await fail('192.0.2.3', 10);
    const credentials: CallOptions[] = [
      { key },
      { key: 'bad' },
      { headers: { 'x-svc-api-key': key } },
      { basic },
      { basic: 'maya:wrong' },
      { session },
      { headers: { authorization: 'Digest x' } },
    ];
    for (const options of credentials) {
      assert.equal(refusal(await from('192.0.2.3', options)), LOCKED, JSON.stringify(options));
      const open = await from('192.0.2.3', options, '/openapi');
      assert.equal(refusal(open), LOCKED, `/openapi ${JSON.stringify(options)}`);
    }
    assert.equal(refusal(await signIn('192.0.2.3', PASSWORD)), LOCKED);
  });

  test('callers without credentials are served', async () => {
    await fail('192.0.2.4', 10);
    assert.equal((await from('192.0.2.4', {}, '/openapi')).status, 200);
    assert.equal((await from('192.0.2.4', {}, '~/healthz')).status, 200);
    assert.equal(refusal(await from('192.0.2.4')), '401 svc_api_unauthorized');
  });

  test('other addresses are not affected', async () => {
    await fail('192.0.2.5', 10);
    assert.equal((await from('192.0.2.6', { key })).status, 200);
  });

  test('invalid keys, passwords, schemes and sign-ins all count', async () => {
    const address = '192.0.2.7';
    await fail(address, 2, { key: 'rubbish' });
    await fail(address, 2, { key: makeToken() });
    await fail(address, 2, { basic: 'maya:wrong' });
    await fail(address, 2, { headers: { authorization: 'Digest x' } });
    assert.equal(refusal(await signIn(address)), '401 svc_api_unauthorized');
    assert.equal((await from(address, { key })).status, 200, 'nine so far');
    assert.equal(refusal(await signIn(address)), '401 svc_api_unauthorized');
    assert.equal(refusal(await from(address, { key })), LOCKED);
  });

  test('no credentials, plain HTTP, an expired session and missing rights do not count', async () => {
    const address = '192.0.2.8';
    const session = { cookie: '__Host-tributary_session=longgone', csrf: undefined };
    await fail(address, 12, {});
    await fail(address, 12, { key, secure: false });
    await fail(address, 12, { session });
    for (let i = 0; i < 12; i++) assert.equal((await from(address, { key }, '/keys')).status, 403);
    assert.equal((await from(address, { key })).status, 200);
  });

  test('failures spread over more than five minutes do not lock out', async () => {
    await fail('192.0.2.9', 9);
    app.advance(5 * 60_000);
    await fail('192.0.2.9', 9);
    assert.equal((await from('192.0.2.9', { key })).status, 200);
  });

  test('a success in between does not reset the count', async () => {
    await fail('192.0.2.10', 9);
    assert.equal((await from('192.0.2.10', { key })).status, 200);
    await fail('192.0.2.10', 1);
    assert.equal(refusal(await from('192.0.2.10', { key })), LOCKED);
  });

  test('requests during the lock-out do not extend it', async () => {
    await fail('192.0.2.11', 10);
    app.advance(30_000);
    for (const options of [{ key: 'bad' }, { headers: { authorization: 'Digest x' } }]) {
      for (let i = 0; i < 15; i++) await from('192.0.2.11', options);
    }
    const wait = (await from('192.0.2.11', { key })).body.data.retry_after;
    assert.ok(wait <= 30, String(wait));
    app.advance(30_000);
    assert.equal((await from('192.0.2.11', { key })).status, 200);
  });
});

describe('concurrent guesses', () => {
  const guesses = Array.from({ length: 40 }, (_, i) => `guess number ${i}`);
  const refusedBy = (replies: { status: number }[], status: number) =>
    replies.filter((reply) => reply.status === status).length;

  test('of passwords: ten are checked, the others are refused', async () => {
    const replies = await Promise.all(guesses.map((guess) => signIn('192.0.2.50', guess, 'tomas')));
    assert.equal(refusedBy(replies, 401), 10);
    assert.equal(refusedBy(replies, 429), 30);
  });

  test('of application passwords: ten are checked, the others are refused', async () => {
    const replies = await Promise.all(
      guesses.map((guess) => from('192.0.2.51', { basic: `maya:${guess}` })),
    );
    assert.equal(refusedBy(replies, 401), 10);
    assert.equal(refusedBy(replies, 429), 30);
  });
});

describe('the wait', () => {
  test('doubles with each repeat, up to an hour', async () => {
    for (const seconds of [60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      await fail('192.0.2.20', 10);
      const reply = await from('192.0.2.20', { key });
      assert.equal(refusal(reply), LOCKED);
      const wait = reply.body.data.retry_after;
      assert.ok(wait > seconds - 3 && wait <= seconds, `${wait}, not ${seconds}`);
      app.advance((seconds - 3) * 1000);
      assert.equal(refusal(await from('192.0.2.20', { key })), LOCKED);
      app.advance(3_000);
      assert.equal((await from('192.0.2.20', { key })).status, 200);
    }
  });
});

describe('addresses', () => {
  test('count per /64 for IPv6', async () => {
    for (const [i, address] of [
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff::',
      '2001:0db8:0001:0002:0:0:0:3',
      '2001:DB8:1:2::4',
      '2001:db8:1:2:1:2:3:4',
    ].entries()) {
      await fail(address, 2);
      assert.equal((await from('2001:db8:1:2::9', { key })).status, i < 4 ? 200 : 429);
    }
    assert.equal(refusal(await from('2001:db8:1:2:abcd::', { key })), LOCKED);
    assert.equal(
      (await from('2001:db8:1:3::1', { key })).status,
      200,
      'the next /64 counts separately',
    );
  });

  test('count as IPv4 if they are IPv4-mapped IPv6', async () => {
    await fail('::ffff:192.0.2.30', 5);
    await fail('192.0.2.30', 5);
    assert.equal(refusal(await from('192.0.2.30', { key })), LOCKED);
    assert.equal((await from('::ffff:192.0.2.31', { key })).status, 200);
  });
});

test('the log contains the address, but not the credentials', async () => {
  await fail('192.0.2.40', 10, { key: 'canary-in-a-key' });
  const lines = app.logs.filter((text) => text.includes('192.0.2.40'));
  assert.equal(lines.filter((line) => line.includes('locked out')).length, 1);
  assert.ok(!app.logs.some((text) => text.includes('canary')));
});
