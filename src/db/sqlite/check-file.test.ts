import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { UnusableDatabase } from '../unavailable.ts';
import { describeRefusal, refuseUnusableFile } from './check-file.ts';

const PAGE_BYTES = 4096;

/** An intact file with a table of many pages. */
function makeFile(): string {
  const file = join(tempFolder(), 'test.db');
  const db = new DatabaseSync(file);
  db.exec(`
    pragma journal_mode = wal;
    create table migrations (name text primary key, applied_at integer);
    create table filler (id integer primary key, text text);
    with recursive row(n) as (select 1 union all select n + 1 from row where n < 2000)
    insert into filler (text) select hex(randomblob(200)) from row`);
  db.close();
  return file;
}

function overwrite(file: string, fromPage: number, pages: number): void {
  const descriptor = openSync(file, 'r+');
  const bytes = Buffer.alloc(pages * PAGE_BYTES, 0xa5);
  writeSync(descriptor, bytes, 0, bytes.length, (fromPage - 1) * PAGE_BYTES);
  closeSync(descriptor);
}

const isDamage = (error: unknown) => {
  assert.ok(error instanceof UnusableDatabase, String(error));
  assert.match(error.message, /is damaged \(.*\)\. Put it back from a backup, .*\.recover/);
  return true;
};

describe('refuseUnusableFile', () => {
  test('accepts an intact, a missing and an empty file', () => {
    const file = makeFile();
    refuseUnusableFile(file);
    refuseUnusableFile(file, 0);
    refuseUnusableFile(join(tempFolder(), 'missing.db'));
    const empty = join(tempFolder(), 'empty.db');
    closeSync(openSync(empty, 'w'));
    refuseUnusableFile(empty);
  });

  test('checks every page of a small file', () => {
    const file = makeFile();
    overwrite(file, 50, 1);
    assert.throws(() => refuseUnusableFile(file), isDamage);
  });

  test('checks both ends of each table of a large file', () => {
    const sound = makeFile();
    overwrite(sound, 50, 1);
    refuseUnusableFile(sound, 0);
    const db = new DatabaseSync(sound, { readOnly: true });
    const { pages } = db.prepare('select page_count as pages from pragma_page_count').get() as {
      pages: number;
    };
    db.close();
    for (const [from, count] of [
      [2, 10],
      [pages - 10, 11],
    ] as const) {
      const file = makeFile();
      overwrite(file, from, count);
      assert.throws(() => refuseUnusableFile(file, 0), isDamage);
    }
  });
});

test('a disk that is full when the service starts is explained', () => {
  const db = new DatabaseSync(makeFile());
  db.exec('pragma max_page_count = 1');
  assert.throws(
    () => db.exec('insert into filler (text) values (zeroblob(1000000))'),
    (error) => {
      const { message } = describeRefusal('/data/tributary.db', error);
      assert.equal(
        message,
        '/data/tributary.db cannot be used: there is no space left. Make some, and start again.',
      );
      return true;
    },
  );
  db.close();
});
