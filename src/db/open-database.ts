import { describeRefusal, refuseUnusableFile } from './sqlite/check-file.ts';
import type { Database } from './database.ts';
import { openSqlite, type SqliteOptions } from './sqlite/open-sqlite.ts';
import { makePrivateFile } from './files/private-file.ts';
import { UnusableDatabase } from './unavailable.ts';

export interface DatabasePlace {
  /** The path of the database file, which may not exist yet. */
  file: string;
  /** The address of a PostgreSQL database to use instead; empty for SQLite. */
  url: string;
}

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
  try {
    refuseUnusableFile(file);
    makePrivateFile(file);
    return openSqlite(file, options);
  } catch (error) {
    throw describeRefusal(file, error);
  }
}
