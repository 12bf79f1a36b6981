import { setTimeout } from 'node:timers/promises';
import type { Database, DatabasePlace, Reader } from './database.ts';
import { makePrivateFile } from './files/private-file.ts';
import { describeRefusal, refuseUnusableFile } from './sqlite/check-file.ts';
import { openSqlite, openSqliteReader, type SqliteOptions } from './sqlite/open-sqlite.ts';
import { OPEN_WAIT_MS } from './sqlite/open-wait.ts';
import { isBusy } from './sqlite/sqlite-errors.ts';
import { UnusableDatabase } from './unavailable.ts';

const RETRY_MS = 50;

/** Throws UnusableDatabase. */
export async function openDatabase(
  { file, url }: DatabasePlace,
  options: SqliteOptions,
): Promise<Database> {
  if (url !== '') {
    // Loaded on demand: an unused driver costs memory and start-up time.
    const { openPostgres, placeOf } = await import('./postgres/open-postgres.ts');
    return openPostgres(url).catch((error: unknown) => {
      // `openPostgres` throws errors only.
      const { message } = error as Error;
      throw new UnusableDatabase(
        `The database ${placeOf(url)} cannot be used: ${message}. See DATABASE_URL.`,
      );
    });
  }
  for (const deadlineMs = performance.now() + OPEN_WAIT_MS; ; await setTimeout(RETRY_MS)) {
    try {
      refuseUnusableFile(file);
      makePrivateFile(file);
      return openSqlite(file, options);
    } catch (error) {
      // Another process may be recovering the log after a crash, for which SQLite does not always wait itself.
      if (!isBusy(error) || performance.now() > deadlineMs) throw describeRefusal(file, error);
    }
  }
}

/** Opens a database that this process has opened already, only to read it in another thread. */
export async function openReader({
  file,
  url,
}: DatabasePlace): Promise<{ read: Reader; close(): Promise<void> }> {
  if (url === '') return openSqliteReader(file);
  const { openPostgresReader } = await import('./postgres/open-postgres.ts');
  return openPostgresReader(url);
}
