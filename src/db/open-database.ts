import type { Database } from './database.ts';
import { openSqlite, type SqliteOptions } from './open-sqlite.ts';

/** The database cannot be opened. The message says why and what to do, for the person who starts the service. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase';
}

export interface DatabasePlace {
  /** Where the database file is, or is to be. */
  file: string;
  /** The address of a database on a server, which is used instead; empty where there is none. */
  url: string;
}

export async function openDatabase(
  { file, url }: DatabasePlace,
  options: SqliteOptions,
): Promise<Database> {
  if (url !== '') {
    // Loaded where it is used: a driver that nobody needs takes memory and time of the start.
    const { openPostgres, placeOf } = await import('./open-postgres.ts');
    return openPostgres(url).catch((error: Error) => {
      throw new UnusableDatabase(
        `The database ${placeOf(url)} cannot be used: ${error.message}. See DATABASE_URL.`,
      );
    });
  }
  try {
    return openSqlite(file, options);
  } catch (error) {
    throw new UnusableDatabase(
      `${file} cannot be used: ${(error as Error).message}. ` +
        'If it is damaged, put it back from a backup.',
    );
  }
}
