import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  idOf,
  openTestApp,
  PASSWORD,
  refusal,
  type TestSession,
} from '../../../../test/support/harness.ts';

const app = await openTestApp();
const PATH = '/svc/store/v1/account/sessions';
const MINUTE = 60_000;
const FIREFOX = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';

async function signInWith(login: string, headers: Record<string, string>): Promise<TestSession> {
  const json = { login, password: PASSWORD };
  const reply = await app.call('~/session', { method: 'POST', json, headers });
  assert.equal(reply.status, 201, reply.text);
  const cookie = reply.headers.getSetCookie()[0]!.split(';')[0]!;
  return { cookie, csrf: reply.body.csrf_token };
}

const list = async (session: TestSession) => (await app.call(PATH, { session })).body;
const isOpen = async (session: TestSession) => (await app.call('/me', { session })).status === 200;
const end = (session: TestSession, id = '') =>
  app.call(`${PATH}${id && `/${id}`}`, { method: 'DELETE', session });

describe('GET /account/sessions', () => {
  test('device, address, times, and which one this is', async () => {
    const phone = await signInWith('maya', {
      'user-agent': `${FIREFOX}\u00ff${'x'.repeat(400)}`,
      'x-forwarded-for': '192.0.2.17',
    });
    app.advance(2 * MINUTE);
    const laptop = await app.signIn('maya');
    const [one, other, ...rest] = await list(laptop);
    assert.deepEqual(rest, []);
    assert.deepEqual([one.current, other.current], [true, false]);
    const { id, ...shown } = other;
    assert.match(id, /^[\w-]{22}$/);
    const then = app.site.calendar.toLocal(app.site.clock() - 2 * MINUTE);
    assert.deepEqual(shown, {
      device: 'Firefox on Android',
      browser: 'Firefox',
      system: 'Android',
      address: '192.0.2.17',
      date_created: then,
      last_seen: then,
      current: false,
    });
    assert.equal((await list(phone)).find((s: { current: boolean }) => s.current).id, id);
  });

  test('neither those that have ended nor those of others', async () => {
    await app.signIn('tomas');
    const old = await app.signIn('maya');
    app.advance(31 * MINUTE);
    assert.equal(await isOpen(old), false);
    const session = await app.signIn('maya');
    assert.deepEqual(
      (await list(session)).map((s: { current: boolean }) => s.current),
      [true],
    );
  });
});

describe('DELETE /account/sessions/{id}', () => {
  test('ends that session immediately', async () => {
    const [mine, lost] = [await app.signIn('maya'), await app.signIn('maya')];
    assert.ok(await isOpen(lost));
    const { id } = (await list(lost)).find((s: { current: boolean }) => s.current);
    const reply = await end(mine, id);
    assert.deepEqual([reply.status, reply.body], [200, { ended: true }]);
    assert.deepEqual([await isOpen(mine), await isOpen(lost)], [true, false]);
    assert.equal(refusal(await end(mine, id)), '404 svc_api_not_found', 'a second time');
  });

  test('403: after ten minutes it needs a new proof, and so do all others together', async () => {
    const [mine, lost] = [await app.signIn('maya'), await app.signIn('maya')];
    const { id } = (await list(lost)).find((s: { current: boolean }) => s.current);
    app.advance(11 * MINUTE);
    for (const path of [id, '']) {
      assert.equal(refusal(await end(mine, path)), '403 svc_api_proof_required');
    }
    assert.ok(await isOpen(lost));
  });

  test("404: another user's", async () => {
    const [mine, other] = [await app.signIn('maya'), await app.signIn('tomas')];
    const { id } = (await list(other))[0];
    assert.equal(refusal(await end(mine, id)), '404 svc_api_not_found');
    assert.ok(await isOpen(other));
  });
});

describe('DELETE /account/sessions', () => {
  test('ends all others, those of this user only, and says so in the feed', async () => {
    const [mine, one, two] = [
      await app.signIn('maya'),
      await app.signIn('maya'),
      await app.signIn('maya'),
    ];
    const other = await app.signIn('tomas');
    const reply = await end(mine);
    assert.equal(reply.status, 200, reply.text);
    assert.ok(reply.body.ended >= 2);
    assert.deepEqual(await Promise.all([mine, one, two, other].map(isOpen)), [
      true,
      false,
      false,
      true,
    ]);
    assert.deepEqual((await end(mine)).body, { ended: 0 });
    const key = await app.key('admin', 'read');
    const { body } = await app.call('/events?event=account.session_ended', { key });
    assert.deepEqual(body[0].data, { user_id: idOf('maya'), sessions: reply.body.ended });
  });

  test('with an application password all end', async () => {
    const session = await app.signIn('carla');
    const basic = await app.basic('carla');
    assert.deepEqual((await app.call(PATH, { method: 'DELETE', basic })).body, { ended: 1 });
    assert.equal(await isOpen(session), false);
  });
});
