import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Database, Reader } from '../src/db/database.ts';
import { query } from '../src/db/statements/query.ts';
import { invoke } from '../src/kernel/call/invoke.ts';
import { createCoupon } from '../src/modules/coupons/index.ts';
import { pollEvents } from '../src/modules/events/event-rows.ts';
import { sequenceEvents } from '../src/modules/events/sequence-events.ts';
import { feedHead } from './support/feed-head.ts';
import type { WriterTask } from './support/feed-writers.ts';
import { openTestApp } from './support/harness.ts';

const PROCESSES = 3;
const WRITERS = 4;
const EVENTS = 40;

const app = await openTestApp();
const { database } = app.site;

/** Runs twelve writers in three processes; resolves with the marks of the committed events. */
async function writeFromProcesses(): Promise<string[]> {
  const marks = Array.from({ length: PROCESSES }, async (_, i) => {
    const child = fork(fileURLToPath(new URL('support/feed-writers.ts', import.meta.url)));
    const { databaseUrl } = app;
    const file = app.app.folder.databaseFile;
    const first = 100 * (i + 1);
    const task: WriterTask = { file, databaseUrl, first, writers: WRITERS, events: EVENTS };
    child.send(task);
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`A writer ended with ${code} and reported nothing.`);
    });
    const [written] = (await Promise.race([once(child, 'message'), failed])) as [string[]];
    // It ends now, and has reported everything.
    failed.catch(() => {});
    return written;
  });
  return (await Promise.all(marks)).flat();
}

interface ReadEvent {
  id: number;
  mark: string;
}

/** Reads with a cursor while the writers run, until no event is left. */
async function readAlong(
  writing: Promise<unknown>,
  from: number,
  poll: (after: number) => Promise<ReadEvent[]>,
): Promise<ReadEvent[]> {
  const seen: ReadEvent[] = [];
  let done = false;
  void writing.finally(() => (done = true));
  for (let after = from; ;) {
    // SQLite reads synchronously; this lets the other reader and the messages of the writers run.
    await nextTick();
    const wasDone = done;
    const page = await poll(after);
    seen.push(...page);
    after = page.at(-1)?.id ?? after;
    if (wasDone && page.length === 0) return seen;
  }
}

describe('twelve writers in three processes', () => {
  test('two readers with a cursor see every event once, in the same order, without gaps', async () => {
    const from = await feedHead(app.site);
    const writing = writeFromProcesses();
    const poll = async (after: number) => {
      const { events } = await pollEvents(database, { after, limit: 20 });
      return events.map(({ id, data }) => ({ id, mark: JSON.parse(data).mark as string }));
    };
    const [one, other] = await Promise.all([
      readAlong(writing, from, poll),
      readAlong(writing, from, poll),
    ]);
    const marks = await writing;
    assert.ok(marks.length > (PROCESSES * WRITERS * EVENTS * 5) / 7);
    assert.deepEqual(one, other);
    assert.deepEqual(
      one.map(({ id }) => id),
      one.map((_, i) => from + 1 + i),
    );
    assert.deepEqual(one.map(({ mark }) => mark).sort(), marks.sort());
  });

  test('the events of each writer are in the order of its commits, and totals match', async () => {
    for (const writer of [100, 203, 301]) {
      const { events, total } = await pollEvents(database, {
        after: 0,
        limit: EVENTS,
        user_id: writer,
      });
      const numbers = events.map(({ data }) => Number(JSON.parse(data).mark.split('-')[1]));
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      );
      assert.equal(total, events.length);
    }
  });

  test('a poll finds a committed event that another process is moving into the feed', async () => {
    const from = await feedHead(app.site);
    const { read } = database;
    await invoke(app.site, createCoupon, { code: 'MOVED' });
    const page = Promise.withResolvers<void>();
    // The count is made after the other process has moved the event, and the page before.
    const late: Reader = {
      ...read,
      async all(...given) {
        const rows = await read.all(...given);
        page.resolve();
        return rows;
      },
      async first(...given) {
        await page.promise;
        await sequenceEvents(database);
        return read.first(...given);
      },
    };
    const seen: Database = Object.create(database, { read: { value: late } });
    const { events } = await pollEvents(seen, { after: from, limit: 20 });
    assert.equal(events.length, 1);
  });

  if (!database.dialect.commitsInIdOrder) {
    test('the same reader misses events if ids are assigned inside the transactions', async () => {
      await database.transaction((tx) =>
        tx.execute(
          'create table naive_events (id bigint generated by default as identity, mark text)',
        ),
      );
      const after = query<{ id: number }, ReadEvent>((db, p) =>
        db
          .selectFrom(sql<ReadEvent>`naive_events`.as('naive_events'))
          .select(['id', 'mark'])
          .where('id', '>', p.id)
          .orderBy('id')
          .limit(20),
      );
      const insert = (mark: string) => `insert into naive_events (mark) values ('${mark}')`;
      const seen: ReadEvent[] = [];
      const read = async () => {
        seen.push(...(await database.read.all(after, { id: seen.at(-1)?.id ?? 0 })));
      };
      await database.transaction(async (tx) => {
        await tx.execute(insert('first'));
        await database.transaction((second) => second.execute(insert('second')));
        await read();
      });
      await read();
      assert.deepEqual(seen, [{ id: 2, mark: 'second' }]);
    });
  }
});
