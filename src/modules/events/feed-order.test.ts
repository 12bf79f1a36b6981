import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import Type from 'typebox';
import { feedHead } from '../../../test/support/feed-head.ts';
import { openTestApp } from '../../../test/support/harness.ts';
import { defineEvent } from '../../kernel/declare/event.ts';
import { emit } from './index.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read');
const marked = defineEvent('coupon.created', 'For tests.', Type.Object({ mark: Type.String() }), {
  id: 1,
  timestamp: '2026-01-10T09:00:00.000Z',
  data: { mark: 'a' },
});

/** Polls until the writing is done and everything is read; gives the events in the order seen. */
async function readWhile(writing: Promise<unknown>, from: number, filter = ''): Promise<any[]> {
  const seen: any[] = [];
  let done = false;
  let after = from;
  const written = writing.finally(() => (done = true));
  for (;;) {
    const wasDone = done;
    const { body, headers } = await app.call(`/events?after=${after}&per_page=7${filter}`, {
      key: admin,
    });
    seen.push(...body);
    after = Number(headers.get('x-svc-last-event'));
    if (wasDone && body.length === 0) break;
  }
  await written;
  return seen;
}

async function write(writer: number, count: number): Promise<string[]> {
  const marks: string[] = [];
  for (let i = 0; i < count; i++) {
    const mark = `${writer}-${i}`;
    const undone = (writer + i) % 3 === 0;
    const work = app.site.database.transaction(async (tx) => {
      emit(tx, marked, {
        objectId: i,
        userId: writer,
        info: 'Written by many.',
        data: { mark },
        nowMs: app.site.clock(),
      });
      if (undone) throw new Error('undone');
    });
    await work.then(
      () => marks.push(mark),
      (error: unknown) => assert.equal((error as Error).message, 'undone'),
    );
  }
  return marks;
}

function assertGapless(seen: any[], from: number): void {
  assert.deepEqual(
    seen.map((event) => event.id),
    seen.map((_, i) => from + 1 + i),
  );
}

describe('a reader that polls while others write', () => {
  test('twenty writers: no event is missed or repeated', async () => {
    const from = await feedHead(app.site);
    const writing = Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer, 20)));
    const seen = await readWhile(writing, from);
    const marks = (await writing).flat();
    assertGapless(seen, from);
    assert.deepEqual(seen.map((event) => event.data.mark).sort(), marks.sort());
  });

  test('with a filter: each event of it once, in order', async () => {
    const from = await feedHead(app.site);
    const writing = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer, 20)));
    const seen = await readWhile(writing, from, '&user_id=5');
    const marks = (await writing)[5];
    assert.deepEqual(
      seen.map((event) => event.data.mark),
      marks,
    );
  });

  test('writers in other processes: the same', async () => {
    const from = await feedHead(app.site);
    const { databaseUrl } = app;
    const file = app.app.folder.databaseFile;
    const threads = [101, 102].map(
      (writer) =>
        new Worker(new URL('../../../test/support/event-writer.ts', import.meta.url), {
          workerData: { file, databaseUrl, writer, count: 60 },
        }),
    );
    const done = Promise.all(threads.map((thread) => once(thread, 'message')));
    const seen = await readWhile(Promise.all([done, write(1, 60)]), from);
    assertGapless(seen, from);
    for (const writer of [101, 102]) {
      const theirs = seen.filter((event) => event.user_id === writer);
      assert.deepEqual(
        theirs.map((event) => event.data.mark),
        Array.from({ length: 60 }, (_, i) => `${writer}-${i}`),
      );
    }
  });
});

test('12,000 events of one transaction appear in the feed together, and every total is right', async () => {
  const from = await feedHead(app.site);
  const people = [901, 902, 903];
  await app.site.database.transaction(async (tx) => {
    for (let i = 0; i < 12_000; i++) {
      emit(tx, marked, {
        objectId: i,
        userId: people[i % people.length]!,
        info: 'One of many.',
        data: { mark: `many-${i}` },
        nowMs: app.site.clock(),
      });
    }
  });
  assert.equal(await feedHead(app.site), from + 12_000);
  const total = async (filter: string) => {
    const path = `/events?after=${from}&per_page=1${filter}`;
    return Number((await app.call(path, { key: admin })).headers.get('x-svc-total'));
  };
  assert.equal(await total(''), 12_000);
  assert.equal(await total('&event=coupon.created'), 12_000);
  const last = await app.call(`/events?after=${from + 11_999}&per_page=1`, { key: admin });
  assert.equal(last.body[0].data.mark, 'many-11999');
  // Counted by its user alone, which only an ordinal can tell without counting.
  const mine = await app.call(`/events?user_id=902&per_page=1`, { key: admin });
  assert.equal(Number(mine.headers.get('x-svc-total')), 4_000);
});

test('many events after PostgreSQL analyzed an empty table: all are in the feed and counted', async () => {
  const { database } = app.site;
  const from = await feedHead(app.site);
  if (!database.dialect.commitsInIdOrder) {
    await database.transaction((tx) => tx.execute('analyze incoming_events'));
  }
  const crowd = 5_000;
  await database.transaction(async (tx) => {
    for (let i = 0; i < crowd; i++) {
      emit(tx, marked, {
        objectId: i,
        userId: 10_000 + (i % 4_000),
        info: 'One of a crowd.',
        data: { mark: `crowd-${i}` },
        nowMs: app.site.clock(),
      });
    }
  });
  assert.equal(await feedHead(app.site), from + crowd);
  for (const [user, total] of [
    [10_999, 2],
    [11_000, 1],
  ]) {
    const { headers } = await app.call(`/events?user_id=${user}&per_page=1`, { key: admin });
    assert.equal(Number(headers.get('x-svc-total')), total);
  }
});
