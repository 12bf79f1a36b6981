import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SESSIONS_MAX } from '../src/modules/sessions/session.ts';
import { openTestApp, refusal, type TestSession } from './support/harness.ts';

const app = await openTestApp();
const MINUTE = 60_000;
const me = async (session: TestSession) => (await app.call('/me', { session })).status;

describe('the CSRF header', () => {
  const changes: [method: string, path: string, json?: unknown][] = [
    ['POST', '/keys', {}],
    ['DELETE', '/keys/999999'],
    ['PATCH', '/svc/store/v1/settings', {}],
    ['DELETE', '~/session'],
  ];

  for (const [method, path, json] of changes) {
    const body = json === undefined ? {} : { json };

    test(`is required for ${method} ${path}`, async () => {
      const session = await app.signIn('admin');
      const other = await app.signIn('admin');
      for (const csrf of [undefined, '', 'wrong', other.csrf, `${session.csrf}x`]) {
        const reply = await app.call(path, { method, session: { ...session, csrf }, ...body });
        assert.equal(refusal(reply), '403 svc_api_csrf_required', String(csrf));
      }
      const reply = await app.call(path, { method, session, ...body });
      assert.ok(![401, 403].includes(reply.status), reply.text);
    });
  }

  test('is not required for reads', async () => {
    const session = { ...(await app.signIn('admin')), csrf: undefined };
    for (const path of ['/me', '/keys', '/events', '/openapi', '/svc/store/v1/settings']) {
      assert.equal((await app.call(path, { session })).status, 200, path);
    }
  });

  test('is not required with keys and application passwords', async () => {
    const key = await app.key('admin', 'manage');
    const basic = await app.basic('admin');
    assert.equal((await app.call('/keys', { method: 'POST', key, json: {} })).status, 201);
    assert.equal((await app.call('/keys', { method: 'POST', basic, json: {} })).status, 201);
  });
});

describe('a session', () => {
  test('ends after thirty idle minutes', async () => {
    const session = await app.signIn('maya');
    app.advance(29 * MINUTE);
    assert.equal(await me(session), 200);
    app.advance(29 * MINUTE);
    assert.equal(await me(session), 200, 'every request restarts the half hour');
    app.advance(30 * MINUTE);
    assert.equal(await me(session), 401);
    app.advance(-MINUTE);
  });

  test('ends when its user has opened twenty others; those of other users stay', async () => {
    const other = await app.signIn('tomas');
    const sessions: TestSession[] = [];
    for (let i = 0; i < SESSIONS_MAX + 2; i += 1) {
      sessions.push(await app.signIn('carla'));
      app.advance(1_000);
    }
    const statuses = await Promise.all(sessions.map(me));
    assert.deepEqual(statuses.slice(0, 3), [401, 401, 200]);
    assert.ok(
      statuses.slice(2).every((status) => status === 200),
      statuses.join(),
    );
    assert.equal(await me(other), 200);
  });

  test('ends after twelve hours, even if it is used', async () => {
    const session = await app.signIn('maya');
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      app.advance(20 * MINUTE);
      assert.equal(await me(session), 200);
    }
    app.advance(20 * MINUTE);
    assert.equal(await me(session), 401);
  });

  test('keeps its last use when caches are cleared', async () => {
    const session = await app.signIn('maya');
    app.advance(20 * MINUTE);
    assert.equal(await me(session), 200);
    app.site.invalidateCaches();
    app.advance(20 * MINUTE);
    assert.equal(await me(session), 200);
  });

  test('that has ended is refused within the namespaces, never anonymous', async () => {
    const session = await app.signIn('maya');
    app.advance(31 * MINUTE);
    for (const path of ['/me', '/openapi']) {
      assert.equal(refusal(await app.call(path, { session })), '401 svc_api_unauthorized');
    }
  });

  test('that was created over HTTPS is not valid over plain HTTP', async () => {
    const session = await app.signIn('maya');
    const reply = await app.call('/me', { session, secure: false });
    assert.equal(refusal(reply), '401 svc_api_unauthorized');
  });

  test('that is invented or truncated is not valid', async () => {
    const { cookie } = await app.signIn('maya');
    for (const wrong of [cookie.slice(0, -1), `${cookie}x`, cookie.toLowerCase()]) {
      const reply = await app.call('/me', { session: { cookie: wrong, csrf: undefined } });
      assert.equal(refusal(reply), '401 svc_api_unauthorized');
    }
  });
});
