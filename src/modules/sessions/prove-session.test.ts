import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, PASSWORD, refusal, type TestSession } from '../../../test/support/harness.ts';

const app = await openTestApp();
const MINUTE = 60_000;
let address = 0;

const prove = (session: TestSession, json: unknown) =>
  app.call('~/session/proof', {
    method: 'POST',
    session,
    json,
    // From an address of its own, so that the refused ones never add up to a lock-out.
    headers: { 'x-forwarded-for': `192.0.2.${(address += 1)}` },
  });
const makeKey = async (session: TestSession) => {
  const reply = await app.call('/keys', { method: 'POST', session, json: {} });
  return reply.status === 201 ? '201' : refusal(reply);
};

describe('POST /session/proof', () => {
  test('a sign-in is a proof for ten minutes; the password renews it', async () => {
    const session = await app.signIn('admin');
    app.advance(10 * MINUTE - 1);
    assert.equal(await makeKey(session), '201');
    app.advance(1);
    assert.equal(await makeKey(session), '403 svc_api_proof_required');
    assert.equal((await app.call('/keys', { session })).status, 200, 'reading needs none');

    const reply = await prove(session, { password: PASSWORD });
    assert.equal(reply.status, 200, reply.text);
    const until = app.site.calendar.toLocal(app.site.clock() + 10 * MINUTE);
    assert.deepEqual(reply.body, { proved_until: until });
    assert.equal(await makeKey(session), '201');
    app.advance(10 * MINUTE);
    assert.equal(await makeKey(session), '403 svc_api_proof_required');
    const bonus = await app.call('/svc/store/v1/coupons/1/adjustments', {
      method: 'POST',
      session,
      json: { amount: 1, note: 'Bonus' },
    });
    assert.equal(refusal(bonus), '403 svc_api_proof_required');
  });

  test('a proof counts for its session only', async () => {
    const [one, other] = [await app.signIn('admin'), await app.signIn('admin')];
    app.advance(11 * MINUTE);
    assert.equal((await prove(one, { password: PASSWORD })).status, 200);
    assert.equal(await makeKey(one), '201');
    assert.equal(await makeKey(other), '403 svc_api_proof_required');
  });

  test('keys and application passwords need no proof', async () => {
    const [key, basic] = [await app.key('admin', 'manage'), await app.basic('admin')];
    app.advance(60 * MINUTE);
    for (const credential of [{ key }, { basic }]) {
      const reply = await app.call('/keys', { method: 'POST', json: {}, ...credential });
      assert.equal(reply.status, 201, reply.text);
    }
  });

  test('a proof that the clock put into the future counts for nothing', async () => {
    const session = await app.signIn('admin');
    app.setClock(20 * MINUTE);
    assert.equal((await prove(session, { password: PASSWORD })).status, 200);
    app.setClock(-20 * MINUTE);
    app.site.invalidateCaches();
    assert.equal(await makeKey(session), '403 svc_api_proof_required');
  });

  test('400: no proof at all', async () => {
    const reply = await prove(await app.signIn('maya'), {});
    assert.equal(refusal(reply), '400 rest_invalid_param');
    assert.deepEqual(Object.keys(reply.body.data.params), ['password']);
  });

  test('401: a wrong password, which counts towards the lock-out and ends nothing', async () => {
    const session = await app.signIn('maya');
    assert.equal(
      refusal(await prove(session, { password: 'wrong' })),
      '401 svc_api_wrong_password',
    );
    assert.equal((await app.call('/me', { session })).status, 200);
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const another = await app.signIn('maya');
    const tryOne = () =>
      app.call('~/session/proof', {
        method: 'POST',
        session: another,
        json: { password: 'x' },
        headers,
      });
    for (let i = 0; i < 10; i++) assert.equal((await tryOne()).status, 401);
    assert.equal(refusal(await tryOne()), '429 svc_api_too_many_auth_failures');
  });

  test('403: an application password has no session to prove', async () => {
    const json = { password: PASSWORD };
    const reply = await app.call('~/session/proof', {
      method: 'POST',
      basic: await app.basic('maya'),
      json,
    });
    assert.equal(refusal(reply), '403 svc_api_forbidden');
  });
});
