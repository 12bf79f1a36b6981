import { setTimeout } from 'node:timers/promises';
import Type from 'typebox';
import type { Transaction } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { openSqlite } from '../../src/db/sqlite/open-sqlite.ts';
import { defineEvent } from '../../src/kernel/declare/event.ts';
import { emit } from '../../src/modules/events/index.ts';

// A process with several writers. Each transaction emits one event. One in seven is rolled back, and
// each waits a random time before its commit, so that commits are not in the order of the inserts.

export interface WriterTask {
  readonly file: string;
  readonly databaseUrl: string;
  /** The number of the first writer; the others have the following numbers. */
  readonly first: number;
  readonly writers: number;
  readonly events: number;
}

const event = defineEvent('referral.created', 'For tests.', Type.Object({ mark: Type.String() }), {
  id: 1,
  timestamp: '2026-01-10T09:00:00.000Z',
  data: { mark: 'a' },
});

process.once('message', (task: WriterTask) => void write(task));

async function write({ file, databaseUrl, first, writers, events }: WriterTask): Promise<void> {
  const database = databaseUrl === '' ? openSqlite(file) : await openPostgres(databaseUrl);
  const insert = async (tx: Transaction, writer: number, mark: string): Promise<void> => {
    emit(tx, event, {
      objectId: 1,
      userId: writer,
      info: 'Written by many.',
      data: { mark },
      nowMs: Date.now(),
    });
    // Inserts the event now instead of at the commit: the test is about the time between the two.
    await tx.flush();
  };
  const marks: string[] = [];
  const one = async (writer: number) => {
    for (let i = 0; i < events; i++) {
      const mark = `${writer}-${i}`;
      const work = database.transaction(async (tx) => {
        await insert(tx, writer, mark);
        if (!tx.dialect.commitsInIdOrder) await setTimeout(Math.random() * 5);
        if ((writer + i) % 7 === 0) throw new Error('rolled back');
      });
      await work.then(
        () => marks.push(mark),
        (error: unknown) => {
          if ((error as Error).message !== 'rolled back') throw error;
        },
      );
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, i) => one(first + i)));
  await database.close();
  process.send!(marks);
  process.disconnect!();
}
