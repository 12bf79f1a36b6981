import { parentPort, workerData } from 'node:worker_threads';
import Type from 'typebox';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { openSqlite } from '../../src/db/sqlite/open-sqlite.ts';
import { defineEvent } from '../../src/kernel/declare/event.ts';
import { emit } from '../../src/modules/events/index.ts';

/** A worker thread that writes events to the database of a running service over its own connections. */
const { file, databaseUrl, writer, count } = workerData as {
  file: string;
  databaseUrl: string;
  writer: number;
  count: number;
};
const event = defineEvent('referral.created', 'For tests.', Type.Object({ mark: Type.String() }), {
  id: 1,
  timestamp: '2026-01-10T09:00:00.000Z',
  data: { mark: 'a' },
});
const database = databaseUrl === '' ? openSqlite(file) : await openPostgres(databaseUrl);

for (let i = 0; i < count; i++) {
  await database.transaction(async (tx) =>
    emit(tx, event, {
      objectId: i,
      userId: writer,
      info: 'Written by another process.',
      data: { mark: `${writer}-${i}` },
      nowMs: Date.now(),
    }),
  );
}
await database.close();
parentPort!.postMessage('done');
