import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { longestTurn } from '../../../test/event-loop/turn-meter.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { long, query } from '../statements/query.ts';
import { openSqlite } from './open-sqlite.ts';

const database = openSqlite(join(tempFolder(), 'test.db'), { longFromBytes: 0 });
after(() => database.close());
await database.transaction(async (tx) => {
  await tx.execute('create table cursors (name text primary key, position integer not null)');
  await tx.execute(
    `insert into cursors with recursive n(i) as (select 1 union all select i + 1 from n where i < 1700)
     select 'c' || i, i from n`,
  );
});

interface Cursor {
  name: string;
  position: number;
}

const cursorsFrom = query<{ position: number }, Cursor>(
  (db, p) =>
    db
      .selectFrom('cursors')
      .select(['name', 'position'])
      .where('position', '>=', p.position)
      .orderBy('position'),
  long,
);

/** Counts so far that the statement takes several hundred milliseconds of processor time. */
const slow = {
  sql: (p: { to: number }) => sql<{ total: number }>`with recursive n(i) as
  (select 1 union all select i + 1 from n where i < ${p.to}) select count(*) as total from n`,
};
const slowQuery = query<{ to: number }, { total: number }>(
  (db, p) => ({ compile: () => slow.sql(p).compile(db) }),
  long,
);
const slowHere = query<{ to: number }, { total: number }>((db, p) => ({
  compile: () => slow.sql(p).compile(db),
}));
const broken = query<{ text: string }, { is: number }>(
  (db, p) => ({ compile: () => sql<{ is: number }>`select json(${p.text}) as "is"`.compile(db) }),
  long,
);

/** The meter sees a turn when the next one begins. */
const turnOf = (work: () => Promise<unknown>) =>
  longestTurn(async () => {
    await nextTurn();
    await work();
    await nextTurn();
  });

test('a long statement finds the rows of the same statement on this thread, in their order, in pieces', async () => {
  const rows = await database.read.all(cursorsFrom, { position: 2 });
  const here = await database.snapshot((reader) => reader.all(cursorsFrom, { position: 2 }));
  assert.equal(rows.length, 1_699);
  assert.deepEqual(rows, here);
  assert.deepEqual(await database.read.first(cursorsFrom, { position: 9_999 }), undefined);
  assert.deepEqual(await database.read.all(cursorsFrom, { position: 1_700 }), [
    { name: 'c1700', position: 1_700 },
  ]);
});

test('it sees what was committed before', async () => {
  await database.transaction((tx) => tx.execute("insert into cursors values ('last', 5000)"));
  const rows = await database.read.all(cursorsFrom, { position: 2_000 });
  assert.deepEqual(rows, [{ name: 'last', position: 5_000 }]);
});

test('other work has its turn while long statements run, more of them than threads', async () => {
  const to = 1_000_000;
  // Both threads have started.
  await Promise.all([1, 2].map(() => database.read.first(slowQuery, { to: 1 })));
  const inTurns = await turnOf(async () => {
    const totals = await Promise.all([1, 2, 3].map(() => database.read.first(slowQuery, { to })));
    assert.deepEqual(totals, [{ total: to }, { total: to }, { total: to }]);
  });
  const blocking = await turnOf(() => database.read.first(slowHere, { to }));
  assert.ok(inTurns < blocking / 4, `${inTurns} ms beside ${blocking} ms in one turn`);
});

test('an error of a statement is that of the driver, and the next statement runs', async () => {
  await assert.rejects(database.read.all(broken, { text: '{' }), { message: /malformed JSON/ });
  assert.equal((await database.read.all(cursorsFrom, { position: 5_000 })).length, 1);
});

test('in a transaction it runs on the connection of the transaction', async () => {
  await assert.rejects(
    database.transaction(async (tx) => {
      await tx.execute("insert into cursors values ('new', 6000)");
      assert.equal((await tx.all(cursorsFrom, { position: 6_000 })).length, 1);
      assert.equal((await database.read.all(cursorsFrom, { position: 6_000 })).length, 0);
      throw new Error('not committed');
    }),
    { message: 'not committed' },
  );
});

test('a statement that runs when the database is closed fails', async () => {
  const other = openSqlite(join(tempFolder(), 'other.db'), { longFromBytes: 0 });
  const running = assert.rejects(other.read.first(slowQuery, { to: 1e12 }));
  await other.close();
  await running;
});

test('a small database starts no thread', async () => {
  const small = openSqlite(join(tempFolder(), 'small.db'));
  const turn = await turnOf(() => small.read.first(slowQuery, { to: 300_000 }));
  const here = await turnOf(() => small.read.first(slowHere, { to: 300_000 }));
  assert.ok(turn > here / 4, `${turn} ms beside ${here} ms`);
  await small.close();
});

test('of a small database, other requests have a turn after each', async () => {
  const small = openSqlite(join(tempFolder(), 'small.db'));
  const over = new AbortController();
  try {
    let turns = 0;
    const others = (async () => {
      for (; !over.signal.aborted; turns++) await nextTurn();
    })();
    await nextTurn();
    for (let i = 1; i <= 20; i++) {
      await small.read.all(slowQuery, { to: 10 });
      await small.read.first(slowQuery, { to: 10 });
      await small.snapshot((db) => db.all(slowQuery, { to: 10 }));
      assert.ok(turns >= 3 * i, `${turns} turns after ${3 * i} statements`);
    }
    over.abort();
    await others;
  } finally {
    over.abort();
    await small.close();
  }
});
