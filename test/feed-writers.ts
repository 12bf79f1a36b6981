import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import Type from 'typebox';
import type { Transaction } from '../src/db/database.ts';
import { openPostgres } from '../src/db/postgres/open-postgres.ts';
import { openSqlite } from '../src/db/sqlite/open-sqlite.ts';
import { query } from '../src/db/statements/query.ts';
import { defineEvent } from '../src/kernel/declare/event.ts';
import { emit } from '../src/modules/events/index.ts';

// A process with several writers. Each of their transactions emits one event. One in seven is
// undone, and each takes another time to its commit, so that they do not end as they began.

export interface Writing {
  readonly file: string;
  readonly databaseUrl: string;
  /** The first of its numbers; each writer has one. */
  readonly first: number;
  readonly writers: number;
  readonly events: number;
  /** Into a table with numbers of its own instead of the feed. */
  readonly naive: boolean;
}

const event = defineEvent('referral.created', 'For tests.', Type.Object({ mark: Type.String() }), {
  id: 1,
  timestamp: '2026-01-10T09:00:00.000Z',
  data: { mark: 'a' },
});
const insertNaive = query<{ mark: string }>((db, p) => ({
  compile: () => sql<never>`insert into naive_events (mark) values (${p.mark})`.compile(db),
}));

process.once('message', (writing: Writing) => void write(writing));

async function write({ file, databaseUrl, first, writers, events, naive }: Writing): Promise<void> {
  const database = databaseUrl === '' ? openSqlite(file) : await openPostgres(databaseUrl);
  const insert = async (tx: Transaction, writer: number, mark: string): Promise<void> => {
    if (naive) {
      await tx.run(insertNaive, { mark });
      return;
    }
    emit(tx, event, {
      objectId: 1,
      userId: writer,
      info: 'Written by many.',
      data: { mark },
      nowMs: Date.now(),
    });
    // Now and not before the commit: the wait between the two is what the test is about.
    await tx.flush();
  };
  const marks: string[] = [];
  const one = async (writer: number) => {
    for (let i = 0; i < events; i++) {
      const mark = `${writer}-${i}`;
      const work = database.transaction(async (tx) => {
        await insert(tx, writer, mark);
        if (!tx.dialect.commitsInIdOrder) await setTimeout(Math.random() * 5);
        if ((writer + i) % 7 === 0) throw new Error('undone');
      });
      await work.then(
        () => marks.push(mark),
        (error: unknown) => {
          if ((error as Error).message !== 'undone') throw error;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, i) => one(first + i)));
  await database.close();
  process.send!(marks);
  process.disconnect!();
}
