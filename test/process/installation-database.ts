import { resolve } from 'node:path';
import { makeDatabase, testServer, type TestDatabase } from '../postgres/databases.ts';

/** The databases of data folders, where the tests run on a server; a file is in its folder. */
const databases = new Map<string, Promise<TestDatabase>>();

/** Where the database of a data folder is: made when it is first asked for; undefined for a file. */
export async function databaseUrlOf(data: string): Promise<string | undefined> {
  const server = testServer();
  if (server === undefined) return undefined;
  const folder = resolve(data);
  if (!databases.has(folder)) databases.set(folder, makeDatabase(server));
  return (await databases.get(folder)!).url;
}

/** For a data folder whose processes are to make everything themselves. */
export async function emptyDatabaseFor(data: string): Promise<void> {
  const made = makeDatabase(testServer()!, { empty: true });
  databases.set(resolve(data), made);
  await made;
}

/** What a command needs in its environment to find the database of its data folder. */
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
