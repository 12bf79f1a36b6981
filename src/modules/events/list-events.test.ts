import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import Type from 'typebox';
import { openTestApp, refusal, type Reply } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { Temporal } from '../../../test/support/temporal.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { emit } from './index.ts';

const app = await openTestApp({ config: { timezone: 'America/New_York' } });
const admin = await app.key('admin', 'read,manage');
const get = (search = '') => app.call(`/events${search}`, { key: admin });
const ids = (reply: Reply): number[] => reply.body.map((event: any) => event.id);
const lastOf = (reply: Reply) => Number(reply.headers.get('x-svc-last-event'));
const totalOf = (reply: Reply) => Number(reply.headers.get('x-svc-total'));

const names = [
  'referral.created',
  'referral.updated',
  'coupon.created',
  'coupon.updated',
  'session.created',
] as const;
const definitions = names.map((name) =>
  defineEvent(name, 'For this test.', Type.Object({ mark: Type.Integer() }), {
    id: 1,
    timestamp: '2026-01-10T09:00:00.000Z',
    data: { mark: 1 },
  }),
);

/** Some hundred events of mixed names and users; every fourth transaction is undone. */
async function makeEvents(): Promise<void> {
  let mark = 0;
  for (let i = 0; i < 80; i++) {
    const undone = i % 4 === 3;
    const work = app.site.database.transaction(async (tx) => {
      for (let j = 0; j < 4; j++) {
        mark += 1;
        emit(tx, definitions[(mark * 7 + i) % 5]!, {
          objectId: mark,
          userId: (mark * 5) % 3,
          info: `Mark ${mark}.`,
          data: { mark },
          nowMs: app.site.clock(),
        });
      }
      if (undone) throw new Error('undone');
    });
    if (undone) await assert.rejects(work, /undone/);
    else await work;
  }
}

/** Every event, oldest first, read in the simplest way: the measure for all filters. */
let all: any[] = [];
const isOpen = (event: any) => event.kind !== 'session';

before(async () => {
  await makeEvents();
  for (const search of ['', '&event=session']) {
    for (let after = 0; ;) {
      const reply = await get(`?after=${after}&per_page=100${search}`);
      if (reply.body.length === 0) break;
      all.push(...reply.body);
      after = reply.body.at(-1).id;
    }
  }
  all.sort((a, b) => a.id - b.id);
});

const filters: [search: string, matches: (event: any) => boolean][] = [
  ['', isOpen],
  ['event=referral', (e) => e.kind === 'referral'],
  ['event=coupon', (e) => e.kind === 'coupon'],
  ['event=referral.created', (e) => e.event === 'referral.created'],
  ['event=settings.updated', (e) => e.event === 'settings.updated'],
  ['event=session', (e) => e.kind === 'session'],
  ['event=session.created', (e) => e.event === 'session.created'],
  ['event=session&user_id=1', (e) => e.kind === 'session' && e.user_id === 1],
  ['event=nothing', () => false],
  ['event=nothing.at_all', () => false],
  ['user_id=0', (e) => e.user_id === 0 && isOpen(e)],
  ['user_id=2', (e) => e.user_id === 2 && isOpen(e)],
  ['user_id=77', () => false],
  ['event=coupon&user_id=1', (e) => e.kind === 'coupon' && e.user_id === 1],
  ['event=coupon.updated&user_id=0', (e) => e.event === 'coupon.updated' && e.user_id === 0],
];

describe('GET /events', () => {
  test('ids have no gaps, also after rolled back transactions', () => {
    assert.ok(all.length > 200);
    assert.deepEqual(
      all.map((event) => event.id),
      all.map((_, i) => i + 1),
    );
  });

  test('the record', () => {
    const event = all.find((e) => e.event === 'coupon.created');
    assert.deepEqual(Object.keys(event), [
      'id',
      'kind',
      'event',
      'object_id',
      'user_id',
      'info',
      'date',
      'data',
    ]);
    assert.equal(event.kind, 'coupon');
    assert.equal(event.data.mark, event.object_id);
    assert.equal(event.info, `Mark ${event.object_id}.`);
    const now = Temporal.Instant.fromEpochMilliseconds(app.site.clock());
    const there = now.toZonedDateTimeISO('America/New_York').toPlainDateTime();
    const local = there.toString({ smallestUnit: 'second', roundingMode: 'trunc' });
    assert.equal(event.date, local, 'the time of the site');
  });

  describe('200 with after', () => {
    test('after=0 begins with the first event, oldest first', async () => {
      const reply = await get('?after=0&per_page=5');
      assert.deepEqual(reply.body, all.filter(isOpen).slice(0, 5));
      assert.equal(ids(reply)[0], 1);
      assert.equal(lastOf(reply), ids(reply)[4]);
    });

    test('only events after the position; twenty without per_page', async () => {
      const reply = await get('?after=10');
      const later = all.filter((event) => event.id > 10 && isOpen(event));
      assert.deepEqual(reply.body, later.slice(0, 20));
    });

    test('page is not used', async () => {
      assert.deepEqual(ids(await get('?after=10&page=3')), ids(await get('?after=10')));
    });

    test('page is checked nevertheless', async () => {
      assert.equal(refusal(await get('?after=10&page=0')), '400 rest_invalid_param');
    });

    for (const [search, matches] of filters) {
      test(`${search || 'no filter'}: the same as a filter in the test, from any position`, async () => {
        for (const after of [0, 1, 57, all.length - 1, all.length, all.length + 10]) {
          const reply = await get(`?after=${after}&per_page=13&${search}`);
          const expected = all.filter((event) => event.id > after && matches(event));
          assert.deepEqual(reply.body, expected.slice(0, 13));
          assert.equal(totalOf(reply), expected.length, `total after ${after}`);
          const pages = Math.ceil(expected.length / 13);
          assert.equal(reply.headers.get('x-svc-totalpages'), String(pages));
        }
      });

      test(`${search || 'no filter'}: following X-Svc-Last-Event gives each event once`, async () => {
        const seen: number[] = [];
        for (let after = 0, polls = 0; ; polls++) {
          const reply = await get(`?after=${after}&per_page=50&${search}`);
          seen.push(...ids(reply));
          if (reply.body.length === 0) {
            assert.equal(lastOf(reply), all.length);
            break;
          }
          assert.ok(lastOf(reply) > after && polls < 20);
          after = lastOf(reply);
        }
        assert.deepEqual(
          seen,
          all.filter(matches).map((event) => event.id),
        );
      });
    }

    describe('X-Svc-Last-Event', () => {
      test('is the last id returned', async () => {
        const reply = await get('?after=3&event=coupon&per_page=4');
        assert.equal(lastOf(reply), ids(reply).at(-1));
      });

      test('is the head when no event matches the filter', async () => {
        assert.equal(lastOf(await get('?after=3&event=nothing')), all.length);
      });

      test('is the head at the head', async () => {
        const reply = await get(`?after=${all.length}`);
        assert.deepEqual(reply.body, []);
        assert.equal(lastOf(reply), all.length);
      });

      test('is after itself beyond the head', async () => {
        assert.equal(lastOf(await get(`?after=${all.length + 500}`)), all.length + 500);
        const far = Number.MAX_SAFE_INTEGER;
        assert.equal(lastOf(await get(`?after=${far}&event=coupon`)), far);
      });
    });

    test('a poll is two statements, whatever the filter', async () => {
      for (const [search] of filters) {
        for (const after of [0, 100, all.length]) {
          const poll = () => get(`?after=${after}&${search}`);
          assert.equal(await statementsOf(app.site.database, poll), 2, `${search} after ${after}`);
        }
      }
    });
  });

  describe('200 without after', () => {
    for (const [search, matches] of filters) {
      test(`${search || 'no filter'}: newest first, in pages that add up to the complete list`, async () => {
        const expected = all.filter(matches).toReversed();
        const pages = Math.ceil(expected.length / 37);
        const seen = [];
        for (let page = 1; page <= pages; page++) {
          const reply = await get(`?page=${page}&per_page=37&${search}`);
          assert.equal(totalOf(reply), expected.length);
          assert.equal(reply.headers.get('x-svc-totalpages'), String(pages));
          seen.push(...reply.body);
        }
        assert.deepEqual(seen, expected);
        const past = await get(`?page=${pages + 1}&per_page=37&${search}`);
        assert.deepEqual(past.body, []);
        assert.equal(totalOf(past), expected.length);
      });
    }

    test('X-Svc-Last-Event is the newest id of the feed, on every page and with any filter', async () => {
      for (const search of [
        '',
        'page=2&per_page=5',
        'page=1000',
        'event=nothing',
        'event=coupon',
        'event=coupon&page=2&per_page=2',
        'user_id=2&page=3&per_page=1',
      ]) {
        assert.equal(lastOf(await get(`?${search}`)), all.length, search);
      }
    });

    test('a page past the end runs no page query', async () => {
      const inside = await statementsOf(app.site.database, () => get('?page=2'));
      const outside = await statementsOf(app.site.database, () => get('?page=1000'));
      assert.equal(outside, inside - 1);
    });
  });

  describe('400', () => {
    for (const search of [
      'after=-1',
      'after=abc',
      'after=1.5',
      'after=',
      'after=99999999999999999999',
      'user_id=-1',
      'user_id=maya',
      'event=',
      'event=a&event=b',
      'page=0',
      'per_page=0',
      'per_page=101',
    ]) {
      test(search, async () => {
        const reply = await get(`?${search}`);
        assert.equal(refusal(reply), '400 rest_invalid_param');
        assert.deepEqual(Object.keys(reply.body.data.params), [search.split('=')[0]]);
      });
    }

    test('svc_api_log_disabled while the activity log is switched off', async () => {
      await app.set({ 'activity_log.enabled': false });
      assert.equal(refusal(await get()), '400 svc_api_log_disabled');
      assert.equal(refusal(await get('?after=0')), '400 svc_api_log_disabled');
      await app.set({ 'activity_log.enabled': true });
      const reply = await get(`?after=${all.length}`);
      assert.equal(reply.body.length, 2, 'events were recorded all the same');
    });
  });

  describe('403', () => {
    test('without the scope read', async () => {
      const key = await app.key('admin', 'write,manage');
      assert.equal(refusal(await app.call('/events', { key })), '403 svc_api_insufficient_scope');
    });

    test('an affiliate, whatever its scopes', async () => {
      const key = await app.key('maya', 'read,write,manage');
      assert.equal(refusal(await app.call('/events', { key })), '403 svc_api_forbidden');
    });
  });
});
