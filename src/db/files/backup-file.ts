import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { refuseUnreleased } from '../migrator.ts';
import { refuseUnusableFile } from '../sqlite/check-file.ts';
import { UnusableDatabase } from '../unavailable.ts';

const SECRET = 'secret';

/** The contents of a backup. */
export interface BackupContents {
  /** The names of its migrations. */
  readonly migrations: readonly string[];
  /** A keyed hash that identifies the secret; undefined in a copy that "./tributary backup" did not write. */
  readonly secretHash: string | undefined;
  readonly users: number;
  readonly orders: number;
  /** When its newest event happened; null without events. */
  readonly newestEventMs: number | null;
}

/** Records in a copy which secret belongs to it, so that a restore can refuse any other. */
export function noteSecret(file: string, secretHash: string): void {
  const db = new DatabaseSync(file);
  try {
    db.prepare('insert or replace into installation (name, value) values (?, ?)').run(
      SECRET,
      secretHash,
    );
  } finally {
    db.close();
  }
}

/** Checks every page of a backup and returns its contents. Refuses a damaged file, or one that is no backup. */
export function inspectBackup(file: string): BackupContents {
  if (!statSync(file).isFile() || statSync(file).size === 0) {
    throw new UnusableDatabase(`${file} is not a backup: it is empty or not a file.`);
  }
  if (existsSync(`${file}-wal`)) {
    throw new UnusableDatabase(
      `${file} is a database in use, or a copy of one: there is a ${file}-wal beside it. Restore a file that ` +
        '"./tributary backup" has written.',
    );
  }
  refuseUnusableFile(file, Infinity);
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return contentsOf(db, file);
  } finally {
    db.close();
  }
}

function contentsOf(db: DatabaseSync, file: string): BackupContents {
  const tables = new Set(
    db
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name),
  );
  if (!['migrations', 'installation', 'users', 'orders', 'events'].every((n) => tables.has(n))) {
    throw new UnusableDatabase(`${file} is not a backup of Tributary: tables are missing.`);
  }
  const migrations = db
    .prepare('select name from migrations order by name')
    .all()
    .map(({ name }) => String(name));
  refuseUnreleased(new Set(migrations));
  // `count` and `max` of an integer column; the driver does not know the type.
  const number = (sql: string) => db.prepare(sql).get()?.['n'] as number | null;
  const note = db.prepare('select value from installation where name = ?').get(SECRET);
  return {
    migrations,
    secretHash: note && String(note['value']),
    users: number('select count(*) as n from users') ?? 0,
    orders: number('select count(*) as n from orders') ?? 0,
    newestEventMs: number('select max(created_at) as n from events'),
  };
}
