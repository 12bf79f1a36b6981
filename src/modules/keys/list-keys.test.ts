import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { Temporal } from '../../../test/support/temporal.ts';
import { query } from '../../db/statements/query.ts';
import { invoke } from '../../kernel/call/invoke.ts';
import { writeLastUsed } from './last-used.ts';
import { revokeKey } from './revoke-key.ts';

const app = await openTestApp({ config: { timezone: 'Asia/Kathmandu' } });
const admin = await app.key('admin', 'manage');
const list = (search = '') => app.call(`/keys${search}`, { key: admin });
const ids = async (search: string) => (await list(search)).body.map((key: any) => key.id);

/** The administrator has 1 key, then maya 22 (one expired, one revoked) and tomas 2. */
const TOTAL = 25;

before(async () => {
  for (let i = 0; i < 20; i++) await app.key('maya', 'read');
  await app.expiredKey('maya', 'read');
  const { id } = await app.keyRecord('maya', 'read');
  await invoke(app.site, revokeKey, { id });
  await app.key('tomas', 'read,write');
  await app.key('tomas', 'read', { expires: '2099-01-01' });
});

test('a manager sees no key of an administrator, neither in the lists nor in their counts', async () => {
  const manager = await app.key('manager', 'manage');
  for (const path of ['/keys', `/keys?user_id=${idOf('admin')}`, '/svc/store/v1/api-keys']) {
    const { status, body, text, headers } = await app.call(path, { key: manager });
    assert.equal(status, 200, text);
    assert.ok(!text.includes(admin.slice(0, 12)), path);
    const keys: { user_id: number }[] = body.items ?? body;
    assert.ok(keys.every(({ user_id }) => user_id !== idOf('admin')));
    if (path.includes('user_id')) assert.equal(headers.get('x-svc-total'), '0');
  }
  const own = await app.call(`/keys?user_id=${idOf('manager')}`, { key: manager });
  assert.equal(own.body.length, 1);
  assert.ok((await ids(`?user_id=${idOf('admin')}`)).length > 0);
  const id = own.body[0].id;
  await invoke(app.site, revokeKey, { id });
  await app.site.database.transaction((tx) => tx.run(removeKey, { id }));
});

const removeKey = query<{ id: number }>((db, p) =>
  db.deleteFrom('api_keys').where('id', '=', p.id),
);

describe('GET /keys', () => {
  describe('200', () => {
    test('the first twenty keys are listed, newest first, without a token', async () => {
      const { body, text, headers } = await list();
      assert.equal(body.length, 20);
      const order = body.map((key: any) => key.id);
      assert.deepEqual(
        order,
        [...order].sort((a, b) => b - a),
      );
      assert.equal(headers.get('x-svc-total'), String(TOTAL));
      assert.equal(headers.get('x-svc-totalpages'), '2');
      assert.ok(!text.includes('token'));
    });

    test('a record has every field', async () => {
      const [key] = (await list('?per_page=1')).body;
      assert.deepEqual(Object.keys(key), [
        'id',
        'user_id',
        'description',
        'key_prefix',
        'scopes',
        'status',
        'last_used',
        'date_created',
        'date_expires',
      ]);
      assert.equal(key.user_id, idOf('tomas'));
      assert.deepEqual(key.scopes, ['read']);
      assert.equal(key.last_used, null);
      assert.equal(key.date_expires, '2099-01-01T23:59:59');
    });

    test('dates are in the time zone of the site', async () => {
      const [key] = (await list('?per_page=1')).body;
      const now = Temporal.Instant.fromEpochMilliseconds(app.site.clock());
      const there = now.toZonedDateTimeISO('Asia/Kathmandu').toPlainDateTime();
      const local = there.toString({ smallestUnit: 'second', roundingMode: 'trunc' });
      assert.equal(key.date_created, local);
    });

    test('the pages together are the complete list, for any page size', async () => {
      const whole = await ids('?per_page=100');
      assert.equal(whole.length, TOTAL);
      for (const perPage of [1, 7, 25, 100]) {
        const pages = Math.ceil(TOTAL / perPage);
        const parts = [];
        for (let page = 1; page <= pages; page++) {
          const reply = await list(`?page=${page}&per_page=${perPage}`);
          assert.equal(reply.headers.get('x-svc-totalpages'), String(pages));
          parts.push(...reply.body.map((key: any) => key.id));
        }
        assert.deepEqual(parts, whole);
      }
    });

    test('a page past the end is empty, with the same totals', async () => {
      for (const page of [3, 1000, Number.MAX_SAFE_INTEGER]) {
        const { status, body, headers } = await list(`?page=${page}`);
        assert.equal(status, 200);
        assert.deepEqual(body, []);
        assert.equal(headers.get('x-svc-total'), String(TOTAL));
        assert.equal(headers.get('x-svc-totalpages'), '2');
      }
    });

    test('a page past the end runs no page query', async () => {
      const inside = await statementsOf(app.site.database, () => list('?page=2'));
      const outside = await statementsOf(app.site.database, () => list('?page=3'));
      assert.equal(inside, 2, 'the total and the page');
      assert.equal(outside, 1, 'the total alone');
    });

    test('an empty collection has no pages', async () => {
      const { body, headers } = await list(`?user_id=${idOf('carla')}`);
      assert.deepEqual(body, []);
      assert.equal(headers.get('x-svc-total'), '0');
      assert.equal(headers.get('x-svc-totalpages'), '0');
    });

    test('user_id and status narrow the list and its totals', async () => {
      const maya = idOf('maya');
      for (const [search, total] of [
        [`?user_id=${maya}`, 22],
        ['?status=active', 23],
        ['?status=expired', 1],
        ['?status=revoked', 1],
        [`?user_id=${maya}&status=active`, 20],
        [`?user_id=${maya}&status=expired`, 1],
        [`?user_id=${idOf('tomas')}&status=revoked`, 0],
        ['?user_id=99', 0],
      ] as const) {
        const { body, headers } = await list(`${search}&per_page=100`);
        assert.equal(headers.get('x-svc-total'), String(total), search);
        assert.equal(body.length, total, search);
        const status = /status=(\w+)/.exec(search)?.[1];
        assert.ok(body.every((key: any) => status === undefined || key.status === status));
        assert.ok(body.every((key: any) => !search.includes('user_id') || key.user_id > 1));
      }
    });

    test('a key expires by the clock alone', async () => {
      const { id } = await app.keyRecord('carla', 'read', { expires: '2099-06-30' });
      assert.deepEqual(await ids(`?user_id=${idOf('carla')}&status=active`), [id]);
      const later =
        Temporal.Instant.from('2099-06-30T18:15:00Z').epochMilliseconds - app.site.clock();
      app.advance(later);
      assert.deepEqual(await ids(`?user_id=${idOf('carla')}&status=expired`), [id]);
      app.advance(-later);
      assert.deepEqual(await ids(`?user_id=${idOf('carla')}&status=active`), [id]);
    });
  });

  describe('400', () => {
    for (const search of [
      'page=0',
      'page=-1',
      'page=abc',
      'page=1.5',
      'page=',
      'page=1&page=2',
      'page=99999999999999999999',
      'per_page=0',
      'per_page=101',
      'per_page=x',
      'status=gone',
      'user_id=0',
      'user_id=maya',
    ]) {
      test(search, async () => {
        const reply = await list(`?${search}`);
        assert.equal(refusal(reply), '400 rest_invalid_param');
        assert.deepEqual(Object.keys(reply.body.data.params), [search.split('=')[0]]);
      });
    }

    test('every invalid parameter is named in one response', async () => {
      const reply = await list('?page=0&per_page=101&status=x&user_id=y');
      const names = Object.keys(reply.body.data.params).sort();
      assert.deepEqual(names, ['page', 'per_page', 'status', 'user_id']);
    });
  });

  describe('403', () => {
    test('a key without the manage scope is refused', async () => {
      const key = await app.key('admin', 'read,write');
      assert.equal(refusal(await app.call('/keys', { key })), '403 svc_api_insufficient_scope');
    });
  });
});

describe('last_used', () => {
  const stored = query<{ id: number }, { last_used_at: number | null }>((db, p) =>
    db.selectFrom('api_keys').select('last_used_at').where('id', '=', p.id),
  );
  const storedOf = async (id: number) =>
    (await app.site.database.read.first(stored, { id }))!.last_used_at;
  const shownOf = async (id: number) =>
    (await list('?per_page=100')).body.find((key: any) => key.id === id).last_used;

  test('is null at first, and shown immediately after the first use', async () => {
    const { id, token } = await app.keyRecord('maya', 'read');
    assert.equal(await shownOf(id), null);
    await app.call('/me', { key: token });
    assert.match(await shownOf(id), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  test('is written at most once a minute', async () => {
    const { id, token } = await app.keyRecord('maya', 'read');
    const use = async () => {
      await app.call('/me', { key: token });
      await writeLastUsed.run(app.site);
      return storedOf(id);
    };
    const first = await use();
    assert.ok(first !== null);
    app.advance(50_000);
    assert.equal(await use(), first, 'not within the minute');
    app.advance(11_000);
    assert.ok((await use())! > first, 'again after it');
  });

  test('does not change when the key is refused', async () => {
    const { id, token } = await app.expiredKey('maya', 'read');
    await app.call('/me', { key: token });
    await writeLastUsed.run(app.site);
    assert.equal(await storedOf(id), null);
  });
});
