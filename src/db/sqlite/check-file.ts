import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { UnusableDatabase } from '../unavailable.ts';
import { OPEN_WAIT_MS } from './open-wait.ts';
import { isBusy, isSqliteError } from './sqlite-errors.ts';

/**
 * Every page of a file up to this size is checked before it is opened, in a tenth of a second. In a larger file
 * only both ends of every table are, and a thread checks every page once the service runs.
 */
export const CHECKED_WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * Refuses a file that is not a database of this service, or is damaged as far as a quick check can see. A missing
 * or empty file is accepted, because opening it creates a database.
 */
export function refuseUnusableFile(file: string, wholeBytes = CHECKED_WHOLE_BYTES): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  let db: DatabaseSync | undefined;
  try {
    // Read-only: a file of another program is not changed, and a large log is not copied here.
    db = new DatabaseSync(file, { readOnly: true, timeout: OPEN_WAIT_MS });
    refuseOtherProgram(db, file);
    if (size <= wholeBytes) checkWhole(db, file);
    else checkEnds(db);
  } catch (error) {
    if (isBusy(error)) throw error;
    throw describeRefusal(file, error);
  } finally {
    db?.close();
  }
}

function refuseOtherProgram(db: DatabaseSync, file: string): void {
  if (tablesOf(db).length === 0) return;
  const columns = db
    .prepare(
      "select name from pragma_table_info('migrations') where name in ('name', 'applied_at')",
    )
    .all();
  if (columns.length === 2) return;
  throw new UnusableDatabase(
    `${file} is the database of another program. Choose another folder with --data.`,
  );
}

function checkWhole(db: DatabaseSync, file: string): void {
  const found = findDamage(db);
  if (found !== undefined) throw damaged(file, found);
}

/** Checks every page, and describes the first error; undefined without one. */
export function findDamage(db: DatabaseSync): string | undefined {
  const found = db.prepare('pragma quick_check(1)').get()?.['quick_check'];
  return found === 'ok' ? undefined : String(found);
}

function checkEnds(db: DatabaseSync): void {
  for (const table of tablesOf(db)) {
    const order = orderOf(db, table);
    const by = (direction: string) => order.map((column) => `"${column}" ${direction}`).join();
    db.prepare(`select * from "${table}" order by ${by('asc')} limit 1`).get();
    db.prepare(`select * from "${table}" order by ${by('desc')} limit 1`).get();
  }
}

/** The columns in whose order a table is stored. */
function orderOf(db: DatabaseSync, table: string): string[] {
  const { wr } = db.prepare('select wr from pragma_table_list where name = ?').get(table)!;
  if (wr === 0) return ['rowid'];
  return db
    .prepare('select name from pragma_table_info(?) where pk > 0 order by pk')
    .all(table)
    .map(({ name }) => String(name));
}

/** What is wrong with a file that SQLite refuses, and what to do about it. */
export function describeRefusal(file: string, error: unknown): UnusableDatabase {
  if (error instanceof UnusableDatabase) return error;
  // SQLite and node:fs throw errors only.
  const { message } = error as Error;
  if (isSqliteError(error, 'corrupt')) return damaged(file, message);
  if (isSqliteError(error, 'notDatabase')) {
    return new UnusableDatabase(
      `${file} is not a database: it is damaged, encrypted or of another program. Put it back from a ` +
        'backup, or choose another folder with --data.',
    );
  }
  if (isSqliteError(error, 'full')) {
    return new UnusableDatabase(
      `${file} cannot be used: there is no space left. Make some, and start again.`,
    );
  }
  if (isSqliteError(error, 'cannotOpen', 'readOnly', 'inputOutput')) {
    return new UnusableDatabase(
      `${file} cannot be used: ${message}. It must be a file, on a disk that works, which the user that runs the ` +
        'service may read and write, as the folder around it.',
    );
  }
  return new UnusableDatabase(
    `${file} cannot be used: ${message}. If it is damaged, put it back from a backup.`,
  );
}

function damaged(file: string, reason: string): UnusableDatabase {
  return new UnusableDatabase(
    `${file} is damaged (${reason.split('\n')[0]}). Put it back from a backup, the newest one: ` +
      `"./tributary restore FILE --force" moves the damaged file aside. Without a backup, save what can be read: ` +
      `sqlite3 ${file} .recover | sqlite3 recovered.db`,
  );
}

function tablesOf(db: DatabaseSync): string[] {
  return db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
}
