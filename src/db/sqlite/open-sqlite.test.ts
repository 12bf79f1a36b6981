import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { eventually } from '../../../test/support/eventually.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Database } from '../database.ts';
import { byText } from '../statements/keyed-query.ts';
import { query } from '../statements/query.ts';
import { insertRows, SEVERAL_ROWS } from '../statements/rows-query.ts';
import { DatabaseUnavailable } from '../unavailable.ts';
import { openSqlite } from './open-sqlite.ts';

const MEGABYTE = 1024 * 1024;
const PAGE_BYTES = 4096;

const insert = query<{ name: string }>((db, p) =>
  db.insertInto('cursors').values({ name: p.name, position: 0 }),
);
const insertSeveral = insertRows<{ name: string; position: number }>('cursors');
/** Adds a row if another one is there. */
const insertCopy = query<{ from: string; name: string }>((db, p) =>
  db
    .insertInto('cursors')
    .columns(['name', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('cursors')
        .select([eb.val(p.name).as('name'), 'position'])
        .where('name', '=', p.from),
    ),
);
const list = query<object, { name: string }>((db) =>
  db.selectFrom('cursors').select('name').orderBy('name'),
);

interface OpenDatabase {
  file: string;
  database: Database;
  logged: string[];
}

async function open(options: { largeLogBytes?: number } = {}): Promise<OpenDatabase> {
  const file = join(tempFolder(), 'test.db');
  const logged: string[] = [];
  const record = (_: object, message: string) => void logged.push(message);
  const log = { info: record, warn: record, error: record };
  const database = openSqlite(file, { ...options, log });
  await database.transaction(async (tx) => {
    await tx.execute('create table cursors (name text primary key, position integer not null)');
    await tx.execute('create table filler (bytes blob)');
  });
  await database.onForeignChange(() => {});
  return { file, database, logged };
}

const add = ({ database }: OpenDatabase, name: string) =>
  database.transaction((tx) => tx.run(insert, { name }));
const names = async ({ database }: OpenDatabase) =>
  (await database.read.all(list, {})).map(({ name }) => name);
const fill = ({ database }: OpenDatabase, megabytes: number) =>
  database.transaction(async (tx) => {
    for (let i = 0; i < megabytes; i++) {
      await tx.execute(`insert into filler values (zeroblob(${MEGABYTE}))`);
    }
  });
const isUnavailable = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof DatabaseUnavailable, String(error));
  assert.match(error.message, words);
  return true;
};

describe('a database file that is replaced or removed while it is open', () => {
  test('refuses changes, logs that, and accepts them when the original is back', async () => {
    const opened = await open();
    const { file, database, logged } = opened;
    await add(opened, 'before');
    renameSync(file, `${file}.away`);
    await assert.rejects(add(opened, 'removed'), isUnavailable(/Put the original back/));
    writeFileSync(file, '');
    await assert.rejects(add(opened, 'replaced'), isUnavailable(/Put the original back/));
    assert.match(database.error() ?? '', /test\.db is no longer the file/);
    await eventually(() =>
      assert.match(logged.join('\n'), /changes are refused: .*test\.db is no longer/),
    );
    assert.deepEqual(await names(opened), ['before'], 'what was open can be read');
    renameSync(`${file}.away`, file);
    assert.equal(database.error(), undefined);
    await add(opened, 'returned');
    await eventually(() => assert.match(logged.join('\n'), /takes changes again/));
    assert.deepEqual(await names(opened), ['before', 'returned']);
    await database.close();
  });

  test('in the middle of a transaction: it is not acknowledged', async () => {
    const opened = await open();
    const { file, database } = opened;
    const change = database.transaction(async (tx) => {
      await tx.run(insert, { name: 'lost' });
      renameSync(file, `${file}.away`);
    });
    await assert.rejects(change, isUnavailable(/Put the original back/));
    await database.close();
  });

  test('its log removed: what was acknowledged is in the file', async () => {
    const opened = await open();
    const { file, database, logged } = opened;
    for (let i = 0; i < 9; i++) await add(opened, `n${i}`);
    rmSync(`${file}-wal`);
    await assert.rejects(add(opened, 'refused'), isUnavailable(/test\.db-wal was removed/));
    await eventually(() =>
      assert.match(logged.join('\n'), /changes are refused: .*-wal was removed/),
    );
    // Another process finds all changes, even if this one does not end cleanly.
    const copy = new DatabaseSync(file, { readOnly: true });
    const rows = copy.prepare('select name from cursors').all();
    copy.close();
    assert.equal(rows.length, 9);
    await database.close();
    const again = openSqlite(file);
    assert.deepEqual((await again.read.all(list, {})).length, 9);
    await again.transaction((tx) => tx.run(insert, { name: 'again' }));
    await again.close();
  });
});

describe('a damaged database', () => {
  test('refuses changes once the damage is found, and says what to do', async () => {
    const opened = await open();
    const { file, database } = opened;
    await add(opened, 'before');
    await database.close();
    overwrite(file, PAGE_BYTES, 8 * PAGE_BYTES);
    const damaged = { ...opened, database: openSqlite(file) };
    assert.equal(damaged.database.error(), undefined, 'the first page is sound');
    await assert.rejects(names(damaged), /malformed/);
    assert.match(
      damaged.database.error() ?? '',
      /test\.db is damaged .*from a backup, .*\.recover/,
    );
    await assert.rejects(add(damaged, 'refused'), isUnavailable(/from a backup/));
    await damaged.database.close();
  });
});

describe('a file that is too large to be checked before the start', () => {
  /** Rows on many pages, and damage in the middle of them that no statement meets. */
  async function makeLarge(isDamaged: boolean): Promise<string> {
    const opened = await open();
    await opened.database.transaction(async (tx) => {
      for (let i = 0; i < 500; i++) await tx.run(insert, { name: `${i} ${'x'.repeat(500)}` });
    });
    await opened.database.close();
    if (isDamaged) overwrite(opened.file, 40 * PAGE_BYTES, PAGE_BYTES);
    return opened.file;
  }

  async function check(file: string) {
    const lines: string[] = [];
    const line = (_fields: object, message: string) => void lines.push(message);
    const log = { info: line, warn: line, error: line };
    const database = openSqlite(file, { log, checkedWholeBytes: 0 });
    await database.onForeignChange(() => {});
    return { database, lines };
  }

  test('is checked while it is used: damage refuses changes and is logged with the way out', async () => {
    const { database, lines } = await check(await makeLarge(true));
    await eventually(() => assert.match(database.error() ?? '', /is damaged/));
    const wayOut = /is damaged \(.*\)\..*tributary restore FILE --force.*\.recover/;
    assert.match(database.error()!, wayOut);
    await eventually(() => assert.ok(lines.some((line) => wayOut.test(line))));
    await assert.rejects(
      database.transaction((tx) => tx.run(insert, { name: 'refused' })),
      isUnavailable(/tributary restore/),
    );
    await database.close();
  });

  test('accepts changes if it is not damaged', async () => {
    const { database, lines } = await check(await makeLarge(false));
    await eventually(() => assert.ok(lines.some((line) => line.includes('no damage'))));
    assert.equal(database.error(), undefined);
    await database.transaction((tx) => tx.run(insert, { name: 'taken' }));
    await database.close();
  });
});

/** Overwrites a part of a file with other bytes, as a failing disk does. */
function overwrite(file: string, from: number, bytes: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(descriptor);
}

describe('the write-ahead log', () => {
  const limit = { largeLogBytes: MEGABYTE };
  const sizeOf = (file: string) => statSync(`${file}-wal`).size;

  /** Another process that reads in one transaction: SQLite cannot empty the log beyond its moment. */
  function readLong(file: string): DatabaseSync {
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('begin');
    reader.prepare('select * from cursors').all();
    return reader;
  }

  test('shrinks when a long reader has ended, without another change', async () => {
    const opened = await open(limit);
    const reader = readLong(opened.file);
    await fill(opened, 30);
    assert.ok(sizeOf(opened.file) > 30 * MEGABYTE);
    await eventually(() => assert.match(opened.logged.join('\n'), /the log of the database grows/));
    reader.close();
    await eventually(() => assert.equal(sizeOf(opened.file), 0));
    await opened.database.close();
  });

  test('shrinks while changes are written without a pause', async () => {
    const opened = await open(limit);
    const reader = readLong(opened.file);
    await fill(opened, 30);
    const enough = new AbortController();
    const writing = (async () => {
      for (let i = 0; !enough.signal.aborted; i++) await add(opened, `n${i}`);
    })();
    reader.close();
    await eventually(() => assert.ok(sizeOf(opened.file) <= 20 * MEGABYTE));
    enough.abort();
    await writing;
    await opened.database.close();
  });

  test('is not blocked by reads of this process: between two of them it can be emptied', async () => {
    const opened = await open();
    const { file, database } = opened;
    const byName = byText((db, isKey) =>
      db.selectFrom('cursors').select('name').where(isKey('name')),
    );
    for (const name of ['a', 'b', 'c']) await add(opened, name);
    const other = new DatabaseSync(file);
    const empty = () => other.prepare('pragma wal_checkpoint(truncate)').get();
    await database.read.first(list, {});
    assert.deepEqual({ ...empty() }, { busy: 0, log: 0, checkpointed: 0 });
    await add(opened, 'd');
    await database.read.allByKeys(byName, ['a', 'b']);
    assert.deepEqual({ ...empty() }, { busy: 0, log: 0, checkpointed: 0 });
    other.close();
    await database.close();
  });
});

test('rows are inserted in their order, however many there are', async () => {
  const opened = await open();
  const { database } = opened;
  const insertAll = insertRows<{ name: string; position: number }>('cursors');
  const inOrder = query<object, { name: string; position: number }>((db) =>
    db
      .selectFrom('cursors')
      .select(['name', 'position'])
      .orderBy(sql`rowid`),
  );
  const rows: { name: string; position: number }[] = [];
  for (const count of [0, 1, SEVERAL_ROWS - 1, SEVERAL_ROWS, SEVERAL_ROWS + 1, 3 * SEVERAL_ROWS]) {
    const some = Array.from({ length: count }, (_, i) => ({
      name: `n${rows.length + i}`,
      position: 100 - i,
    }));
    const before = database.queriesRun();
    await database.transaction((tx) => tx.runMany(insertAll, some));
    assert.equal(database.queriesRun() - before, count, 'each counts as a statement');
    rows.push(...some);
  }
  const stored = await database.read.all(inOrder, {});
  assert.deepEqual(
    stored.map((row) => ({ ...row })),
    rows,
  );
  await database.close();
});

describe('a full disk', () => {
  test('refuses a change with a reason, rolls it back, and accepts the next when there is space', async () => {
    const opened = await open();
    const { database } = opened;
    await add(opened, 'before');
    const limit = (pages: number) =>
      database.transaction((tx) => tx.execute(`pragma max_page_count = ${pages}`));
    await limit(1);
    const large = database.transaction(async (tx) => {
      await tx.run(insert, { name: 'half' });
      await tx.execute(`insert into filler values (zeroblob(${MEGABYTE}))`);
    });
    await assert.rejects(large, isUnavailable(/no space left/));
    assert.deepEqual(await names(opened), ['before']);
    await limit(2 ** 30);
    await fill(opened, 1);
    await add(opened, 'later');
    assert.deepEqual(await names(opened), ['before', 'later']);
    await database.close();
  });
});

describe('a process that may open no more files', () => {
  test('gets the reason for a snapshot, and one that works when files are closed', async () => {
    const { file, database } = await open();
    await database.close();
    // The limit of a process is set before it starts.
    const script = `
      import { closeSync, openSync } from 'node:fs';
      import { openSqlite } from ${JSON.stringify(pathToFileURL(resolve('src/db/sqlite/open-sqlite.ts')).href)};
      const database = openSqlite(${JSON.stringify(file)});
      const opened = [];
      const outcome = () => database.snapshot(async () => 'read').catch(({ name, message }) => name + ': ' + message);
      console.log(await outcome());
      try { for (;;) opened.push(openSync('/dev/null')); } catch {}
      const refused = await outcome();
      for (const one of opened) closeSync(one);
      console.log(refused);
      console.log(await outcome());
    `;
    const said = execFileSync(
      '/bin/sh',
      ['-c', 'ulimit -n 128; exec "$0" --input-type=module', process.execPath],
      { input: script, encoding: 'utf8' },
    );
    const [before, without, after] = said.trim().split('\n');
    assert.deepEqual([before, after], ['read', 'read']);
    assert.match(without!, /^DatabaseUnavailable: .*may open no more files \(ulimit -n\)/);
  });
});

describe('a transaction of many statements', () => {
  test('gives others their turns, and runs its statements in the order of the calls', async () => {
    const opened = await open();
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    // A name that is there already shows that the one before was written first.
    const rounds = await opened.database.transaction(async (tx) => {
      // Processor time, as other processes may have most of any time by the clock.
      const cpuMs = () => process.threadCpuUsage().user / 1_000;
      const untilMs = cpuMs() + 100;
      let round = 0;
      for (; cpuMs() < untilMs; round++) {
        const rows = Array.from({ length: 500 }, (_, i) => ({
          name: `${round} ${i}`,
          position: 0,
        }));
        const last = { from: `${round} 499`, name: `${round} copied` };
        await Promise.all([tx.runMany(insertSeveral, rows), tx.run(insertCopy, last)]);
      }
      return round;
    });
    clearInterval(counting);
    assert.ok(turns > 3, `${turns} turns`);
    assert.equal((await names(opened)).length, rounds * 501);
    await opened.database.close();
  });
});
