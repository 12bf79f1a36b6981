import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchWork } from '../../src/db/database.ts';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { query } from '../../src/db/statements/query.ts';
import { UnknownOutcome } from '../../src/db/unavailable.ts';
import { makeDatabase, testServer } from './databases.ts';

const insert = query<{ name: string }>((db, p) =>
  db.insertInto('cursors').values({ name: p.name, position: 0 }),
);

test('a batch whose commit was lost may be stored: none of its items is done again, or refused', async () => {
  const made = await makeDatabase(testServer()!);
  const database = await openPostgres(made.url);
  await database.transaction((tx) =>
    tx.execute(
      `create function end_session() returns trigger language plpgsql as
         $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
       create constraint trigger at_commit after insert on cursors deferrable initially deferred
         for each row when (new.name = 'cut off') execute function end_session()`,
    ),
  );
  const batches: string[][] = [];
  const work: BatchWork<string, void> = async (tx, names) => {
    batches.push([...names]);
    for (const name of names) await tx.run(insert, { name });
    return names.map(() => undefined);
  };
  const outcomes = await Promise.allSettled(
    ['alone', 'beside', 'cut off'].map((name) => database.batchedTransaction(work, name)),
  );
  assert.deepEqual(batches, [['alone'], ['beside', 'cut off']]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'fulfilled' || outcome.reason.constructor),
    [true, UnknownOutcome, UnknownOutcome],
  );
  await database.close();
  await made.drop();
});
