import { describeRefusal, refuseUnusableFile } from './sqlite/check-file.ts';
import type { Database } from './database.ts';
import { openSqlite, type SqliteOptions } from './sqlite/open-sqlite.ts';
import { makePrivateFile } from './files/private-file.ts';
import { UnusableDatabase } from './unavailable.ts';

export interface DatabasePlace {
  /** Where the database file is, or is to be. */
  file: string;
  /** The address of a database on a server, which is used instead; empty where there is none. */
  url: string;
}

/** Throws UnusableDatabase. */
export async function openDatabase(
  { file, url }: DatabasePlace,
  options: SqliteOptions,
): Promise<Database> {
  if (url !== '') {
    // Loaded where it is used: a driver that nobody needs takes memory and time of the start.
    const { openPostgres, placeOf } = await import('./postgres/open-postgres.ts');
    return openPostgres(url).catch((error: unknown) => {
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
