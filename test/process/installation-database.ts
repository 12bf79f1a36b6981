import { resolve } from 'node:path';
import { makeDatabase, testServer, type TestDatabase } from '../postgres/databases.ts';

/** The PostgreSQL databases of data folders. A SQLite file is in its folder. */
const databases = new Map<string, Promise<TestDatabase>>();

/**
 * The URL of the PostgreSQL database of a data folder, created at first use; undefined on SQLite.
 */
export async function databaseUrlOf(data: string): Promise<string | undefined> {
  const server = testServer();
  if (server === undefined) return undefined;
  const folder = resolve(data);
  if (!databases.has(folder)) databases.set(folder, makeDatabase(server));
  return (await databases.get(folder)!).url;
}

/** Creates an empty database, for a data folder whose processes run the migrations. */
export async function emptyDatabaseFor(data: string): Promise<void> {
  const made = makeDatabase(testServer()!, { empty: true });
  databases.set(resolve(data), made);
  await made;
}

/** Creates a database as a copy of this one; returns its URL. */
export async function copyDatabaseFor(data: string, template: string): Promise<string> {
  const made = makeDatabase(testServer()!, { template });
  databases.set(resolve(data), made);
  return (await made).url;
}

/** The environment variables with which a command finds the database of its data folder. */
export async function databaseVariables(
  args: string[],
  cwd: string,
): Promise<Record<string, string>> {
  const flag = args.indexOf('--data');
  const url = await databaseUrlOf(resolve(cwd, flag < 0 ? 'data' : args[flag + 1]!));
  return url === undefined ? {} : { DATABASE_URL: url };
}

export async function dropDatabases(): Promise<void> {
  const made = await Promise.all(databases.values());
  databases.clear();
  await Promise.all(made.map((database) => database.drop()));
}
