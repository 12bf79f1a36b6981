import { existsSync, statSync } from 'node:fs';
import { explained, isSqliteError } from './sqlite-errors.ts';

interface Identity {
  dev: number;
  ino: number;
}

/**
 * Whether an open database may be written to. SQLite continues to write to a file that was replaced or removed,
 * and every change would be acknowledged and lost. So the files are compared with those that were opened
 * (three calls of `stat`, 5 µs) before a transaction begins and before its commit is acknowledged.
 */
export class SqliteHealth {
  readonly #file: string;
  readonly #paths: readonly string[];
  readonly #opened = new Map<string, Identity>();
  #damage: string | undefined;

  /** Create it right after the database is opened. */
  constructor(file: string) {
    this.#file = file;
    this.#paths = [file, `${file}-wal`, `${file}-shm`];
    this.error();
  }

  /** Why changes are refused and what to do about it; undefined when the database is healthy. */
  error(): string | undefined {
    if (this.#damage !== undefined) return this.#damage;
    let lost: string | undefined;
    try {
      lost = this.#paths.find((path) => !this.#isInPlace(path));
    } catch {
      // The folder cannot be read at the moment, which says nothing about the files.
      return undefined;
    }
    if (lost === undefined) return undefined;
    if (lost === this.#file) {
      return (
        `${lost} is no longer the file that the service opened: changes would be lost. ` +
        'Put the original back, or restart the service on the file that is there now.'
      );
    }
    return (
      `${lost} was removed or replaced while the service runs. Restart it: when it stops, what it has ` +
      'acknowledged is written to the database file. Then run "./tributary verify".'
    );
  }

  /** Whether only the log was removed, and no other process has created a new one. */
  hasLostLog(): boolean {
    return this.#isInPlace(this.#file) && !existsSync(`${this.#file}-wal`);
  }

  /** Explains the error of a statement if the operator can fix the cause. Records damage. */
  explain(error: unknown): unknown {
    if (isSqliteError(error, 'corrupt', 'notDatabase')) this.noteDamage(error.message);
    return explained(error);
  }

  /** From now on changes are refused, until a restart on an intact file. */
  noteDamage(reason: string): void {
    this.#damage ??=
      `${this.#file} is damaged (${reason.split('\n')[0]}). Stop the service and put the database back ` +
      'from a backup, the newest one: "./tributary restore FILE --force" moves the damaged file aside. Without ' +
      `a backup, save what can be read: sqlite3 ${this.#file} .recover | sqlite3 recovered.db`;
  }

  #isInPlace(path: string): boolean {
    const now = identityOf(path);
    const opened = this.#opened.get(path);
    if (opened) return now !== undefined && now.ino === opened.ino && now.dev === opened.dev;
    // SQLite creates the log of a new database with the first statement.
    if (now) this.#opened.set(path, now);
    return true;
  }
}

function identityOf(path: string): Identity | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
