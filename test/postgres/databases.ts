import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { SAFETY_NET_MS } from '../support/eventually.ts';

/** How `scripts/test.ts` tells the tests where to make their databases; unset on SQLite. */
export const SERVER_VARIABLE = 'TEST_SERVER_URL';
/** The database that new ones are copies of: migrated, and otherwise empty. */
export const TEMPLATE_VARIABLE = 'TEST_TEMPLATE';

/**
 * Set for a server whose files are thrown away: a new database is then a copy of files, which takes less than half the
 * processor time of writing each page to the log, and asks for a checkpoint, which is cheap only there.
 */
export const COPIES_FILES_VARIABLE = 'TEST_COPIES_FILES';

/** Such a database on SQLite. */
export const TEMPLATE_FILE_VARIABLE = 'TEST_TEMPLATE_FILE';

export const testServer = (): string | undefined => process.env[SERVER_VARIABLE];

/** The same server, another database, with time to connect on a busy machine. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  url.searchParams.set('connect_timeout', String(SAFETY_NET_MS / 1000));
  return url.href;
}

/** The rows of the last statement. */
export async function onServer(server: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** `mayDeadlock`: the test makes transactions wait for each other on purpose. */
  drop(options?: { mayDeadlock?: boolean }): Promise<void>;
}

/** A database of its own for a test, migrated if not said otherwise, and how to be rid of it. */
export async function makeDatabase(
  server: string,
  options: { empty?: boolean; template?: string } = {},
): Promise<TestDatabase> {
  const name = `tributary_test_${randomBytes(8).toString('hex')}`;
  const migrated = options.empty ? undefined : process.env[TEMPLATE_VARIABLE];
  const template = options.template ?? migrated ?? 'template0';
  const strategy = process.env[COPIES_FILES_VARIABLE] === undefined ? '' : 'strategy file_copy';
  await onServer(server, `create database ${name} template ${template} ${strategy}`);
  return {
    name,
    url: databaseUrl(server, name),
    async drop({ mayDeadlock = false } = {}) {
      // PostgreSQL ends one of two transactions that wait for each other, and it runs again: correct, but slow.
      const [counted] = (await onServer(
        server,
        `select deadlocks from pg_stat_database where datname = '${name}'`,
      )) as { deadlocks: string }[];
      await onServer(server, `drop database if exists ${name} with (force)`);
      if (!mayDeadlock && Number(counted!.deadlocks) > 0)
        throw new Error(`${counted!.deadlocks} deadlocks`);
    },
  };
}
