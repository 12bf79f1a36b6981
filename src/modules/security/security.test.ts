import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, PASSWORD, type TestApp } from '../../../test/support/harness.ts';
import { writeRefusals } from './note-refusals.ts';

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

async function eventsOf(app: TestApp, kind: string): Promise<any[]> {
  await writeRefusals.run(app.site);
  const key = await app.key('admin', 'read');
  return (await app.call(`/events?after=0&per_page=100&event=${kind}`, { key })).body;
}

const signIn = (app: TestApp, login: string, password: string, address: string) =>
  app.call('~/session', { method: 'POST', json: { login, password }, ...from(address) });

describe('the change feed tells', () => {
  test('who signed in', async () => {
    const app = await openTestApp();
    await signIn(app, 'maya', PASSWORD, '198.51.100.1');
    const [event] = await eventsOf(app, 'session.created');
    assert.partialDeepStrictEqual(event, {
      user_id: idOf('maya'),
      data: { user_id: idOf('maya') },
    });
  });

  test('failed sign-ins, once per login, network and minute, and nothing that was typed', async () => {
    const app = await openTestApp();
    for (let i = 0; i < 4; i++) await signIn(app, 'maya', 'wrong-canary', '198.51.100.1');
    await signIn(app, 'canary-login', 'wrong-canary', '198.51.100.1');
    await signIn(app, 'maya', 'wrong-canary', '198.51.100.2');
    const events = await eventsOf(app, 'session.failed');
    assert.deepEqual(
      events.map(({ user_id, data }) => [user_id, data.user_id]),
      [
        [0, idOf('maya')],
        [0, 0],
        [0, idOf('maya')],
      ],
    );
    assert.doesNotMatch(JSON.stringify(events), /canary|198\.51/);
    app.advance(60_000);
    await signIn(app, 'maya', 'wrong-canary', '198.51.100.1');
    assert.equal((await eventsOf(app, 'session.failed')).length, 4);
  });

  test('what a caller was refused, once per operation and minute', async () => {
    const app = await openTestApp();
    const { id, token } = await app.keyRecord('maya', 'read');
    for (let i = 0; i < 3; i++) {
      assert.equal((await app.call('/keys', { key: token })).status, 403);
    }
    await app.call('/keys', { method: 'POST', key: token, json: {} });
    const events = await eventsOf(app, 'access.refused');
    assert.partialDeepStrictEqual(events, [
      {
        user_id: idOf('maya'),
        data: {
          user_id: idOf('maya'),
          key_id: id,
          method: 'GET',
          route: '/svc/v2/keys',
          code: 'svc_api_forbidden',
        },
      },
      { data: { method: 'POST', route: '/svc/v2/keys' } },
    ]);
    assert.equal(events.length, 2);
  });

  test('at most sixty of these a minute in total', async () => {
    const app = await openTestApp();
    for (let i = 1; i <= 70; i++) await signIn(app, `login-${i}`, 'wrong', `198.51.100.${i}`);
    assert.equal((await eventsOf(app, 'session.failed')).length, 60);
  });

  test('administrators only', async () => {
    const app = await openTestApp();
    const key = await app.key('maya', 'read');
    assert.equal((await app.call('/events?event=session', { key })).status, 403);
  });
});

test('a refused request writes nothing', async () => {
  const app = await openTestApp();
  const key = await app.key('maya', 'read');
  const head = async () => {
    const admin = await app.key('admin', 'read');
    const { headers } = await app.call('/events?event=access', { key: admin });
    return headers.get('x-svc-total');
  };
  const before = await head();
  await app.call('/keys', { key });
  assert.equal(await head(), before);
});
