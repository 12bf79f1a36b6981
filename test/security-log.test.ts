import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, PASSWORD, type CallOptions } from './support/harness.ts';

const app = await openTestApp();
let address = 0;

/** The log lines at info and above of a call from its own address. */
async function linesOf(path: string, options: CallOptions) {
  const from = `198.51.100.${(address += 1)}`;
  const before = app.logs.length;
  const headers = { 'x-forwarded-for': from, ...options.headers };
  await app.call(path, { ...options, headers });
  const lines = app.logs.slice(before).map((line) => JSON.parse(line));
  return lines.filter((line) => line.level >= 30 && line.address === from);
}

describe('the log contains', () => {
  test('which user signed in or out, and from which address', async () => {
    const json = { login: 'maya', password: PASSWORD };
    const [line] = await linesOf('~/session', { method: 'POST', json });
    assert.partialDeepStrictEqual(line, { msg: 'signed in', user_id: idOf('maya') });
    assert.ok(line.requestId);
    assert.ok(line.time > 0);
    const session = await app.signIn('tomas');
    const [out] = await linesOf('~/session', { method: 'DELETE', session });
    assert.partialDeepStrictEqual(out, { msg: 'signed out', user_id: idOf('tomas') });
    assert.ok(out.requestId);
  });

  const refused: [by: string, path: string, options: CallOptions][] = [
    ['password', '~/session', { method: 'POST', json: { login: 'maya', password: 'canary' } }],
    ['api_key', '/me', { key: 'svc_canary' }],
    ['application_password', '/me', { basic: 'maya:canary' }],
    ['unknown', '/me', { headers: { authorization: 'Digest canary' } }],
  ];
  for (const [by, path, options] of refused) {
    test(`that a credential was refused (${by}), but not the credential`, async () => {
      const [line] = await linesOf(path, options);
      assert.partialDeepStrictEqual(line, { msg: 'a credential was refused', by });
      assert.ok(line.requestId);
      assert.ok(!app.logs.some((text) => text.includes('canary')));
    });
  }

  test('which user was refused access, for reads as well', async () => {
    const key = await app.key('maya', 'read');
    const lines = await linesOf('/keys', { key });
    assert.partialDeepStrictEqual(lines, [
      { status: 403, route: '/svc/v2/keys', user_id: idOf('maya'), by: 'api_key' },
    ]);
  });

  test('which user changed something', async () => {
    const basic = await app.basic('admin');
    const lines = await linesOf('/keys', { method: 'POST', json: {}, basic });
    assert.partialDeepStrictEqual(lines, [
      { status: 201, method: 'POST', user_id: idOf('admin'), by: 'application_password' },
    ]);
    assert.ok(lines[0].requestId);
  });
});
