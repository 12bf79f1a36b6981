import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { idOf, openTestApp, PASSWORD } from '../../../test/support/harness.ts';
import { isRestricted, restrictedKinds } from '../../kernel/declare/event.ts';
import { writeRefusals } from '../security/note-refusals.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const manager = await app.key('manager', 'read,write,manage');

/** An administrator signs in, someone guesses its password, and an affiliate is refused. */
before(async () => {
  const signIn = (login: string, password: string) =>
    app.call('~/session', { method: 'POST', json: { login, password } });
  assert.ok((await signIn('admin', PASSWORD)).status < 300);
  assert.equal((await signIn('admin', 'wrong')).status, 401);
  assert.equal((await app.call('/keys', { key: await app.key('maya', 'read') })).status, 403);
  await writeRefusals.run(app.site);
  const json = { status: 'suspended' };
  await app.call(`${STORE}/affiliates/${idOf('maya')}`, { method: 'PATCH', key: admin, json });
});

const NAMES = ['session.created', 'session.failed', 'access.refused'];

const feed = async (key: string, search: string): Promise<string[]> => {
  const after = await app.call(`/events?after=0&per_page=100&${search}`, { key });
  const newest = await app.call(`/events?per_page=100&${search}`, { key });
  const oldestFirst = after.body.map(({ event }: any) => event);
  assert.deepEqual(newest.body.map(({ event }: any) => event).toReversed(), oldestFirst);
  for (const { headers } of [after, newest]) {
    assert.equal(headers.get('x-svc-total'), String(oldestFirst.length), search);
  }
  return oldestFirst;
};
const found = async (key: string, search: string): Promise<string[]> => {
  const { body } = await app.call(`${STORE}/events?per_page=100&${search}`, { key });
  return body.items.map(({ event }: any) => event).toReversed();
};
const exported = async (key: string, search: string): Promise<string[]> => {
  const { text } = await app.call(`${STORE}/exports/events.csv?${search}`, { key });
  return parse(text, { columns: true })
    .map(({ event }: any) => event)
    .toReversed();
};

describe('events about sign-ins and accounts', () => {
  for (const [where, read] of Object.entries({ feed, search: found, export: exported })) {
    test(`${where}: administrators get them by name and by kind`, async () => {
      for (const name of NAMES) assert.deepEqual(await read(admin, `event=${name}`), [name]);
      assert.deepEqual(await read(admin, 'event=session'), ['session.created', 'session.failed']);
    });

    test(`${where}: managers do not`, async () => {
      for (const event of [...NAMES, ...restrictedKinds]) {
        assert.deepEqual(await read(manager, `event=${event}`), [], event);
      }
    });

    test(`${where}: without a name there are none, for any caller`, async () => {
      for (const key of [admin, manager]) {
        for (const search of ['', `user_id=${idOf('admin')}`, 'user_id=0']) {
          const names = await read(key, search);
          assert.deepEqual(names.filter(isRestricted), [], search);
        }
        assert.ok((await read(key, '')).includes('affiliate.suspended'));
      }
    });
  }

  test('search by object: neither those about a user nor about a key', async () => {
    for (const key of [admin, manager]) {
      const about = `object_type=affiliate&object_id=${idOf('maya')}`;
      assert.deepEqual(await found(key, about), ['affiliate.suspended']);
      assert.deepEqual((await found(key, 'object_type=key')).filter(isRestricted), []);
    }
    const about = `object_type=user&object_id=${idOf('admin')}&event=session`;
    assert.deepEqual(await found(admin, about), ['session.created', 'session.failed']);
    assert.deepEqual(await found(manager, about), []);
  });
});

describe('events about API keys', () => {
  const keysIn = async (path: string, key: string) => {
    const { text } = await app.call(path, { key });
    return {
      ofAdmin: text.includes(admin.slice(0, 12)),
      ofManager: text.includes(manager.slice(0, 12)),
    };
  };
  for (const path of [
    '/events?after=0&per_page=100',
    '/events?per_page=100',
    '/events?per_page=100&event=key',
    '/events?after=0&per_page=100&event=key.created',
    '/events?per_page=100&user_id=0',
    `${STORE}/events?per_page=100`,
    `${STORE}/events?event=key`,
    `${STORE}/events?object_type=key`,
    `${STORE}/exports/events.csv`,
  ]) {
    test(`managers get none of the keys of administrators: ${path}`, async () => {
      assert.equal((await keysIn(path, manager)).ofAdmin, false);
      assert.equal((await keysIn(path, admin)).ofAdmin, true);
    });
  }

  test('managers get those of other keys, and totals without what they do not see', async () => {
    for (const search of ['', 'event=key', 'event=key.created', 'event=affiliate', 'user_id=0']) {
      const seen = await feed(manager, search);
      assert.deepEqual(await found(manager, search), seen);
      assert.equal(
        seen.includes('key.created'),
        (await feed(admin, search)).includes('key.created'),
      );
    }
    assert.ok((await keysIn('/events?event=key', manager)).ofManager);
  });
});
