import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openPostgres } from '../../src/db/postgres/open-postgres.ts';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { sequenceEvents } from '../../src/modules/events/sequence-events.ts';
import { SAFETY_NET_MS } from '../support/eventually.ts';
import { eventually } from '../support/eventually.ts';
import { databaseUrlOf } from './installation-database.ts';

export type Row = Record<string, unknown>;
export type Select = (sql: string) => Promise<Row[]>;

/** Reads an installation's database directly, in one snapshot, with SQL for both databases. */
export async function readDatabase<T>(
  data: string,
  read: (select: Select) => Promise<T>,
): Promise<T> {
  const url = await databaseUrlOf(data);
  if (url === undefined) return readDatabaseFile(dataFolder(data).databaseFile, read);
  return onConnection(url, async (client) => {
    // Events are sequenced before the feed is read.
    const { rows: waiting } = await client.query('select 1 from incoming_events limit 1');
    if (waiting.length > 0) await order(url);
    await client.query('begin isolation level repeatable read, read only');
    return read(async (sql) => (await client.query<Row>(sql)).rows);
  });
}

/** The rows of one statement. */
export function rowsIn(data: string, sql: string): Promise<Row[]> {
  return readDatabase(data, (select) => select(sql));
}

/** The same for a SQLite file outside an installation, such as a copy. */
export async function readDatabaseFile<T>(
  file: string,
  read: (select: Select) => Promise<T>,
): Promise<T> {
  const db = new DatabaseSync(file, { readOnly: true, timeout: SAFETY_NET_MS });
  try {
    db.exec('begin');
    return await read(async (sql) =>
      db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
    );
  } finally {
    db.close();
  }
}

/** Changes what is stored behind the service's back. */
export async function changeDatabase(data: string, ...statements: string[]): Promise<void> {
  const url = await databaseUrlOf(data);
  if (url !== undefined) {
    return onConnection(url, async (client) => {
      for (const statement of statements) {
        // A process that changes the same rows takes them in another order.
        const [, table] = /^update (\w+)/.exec(statement) ?? [];
        const locked = table
          ? `begin; lock table ${table} in share row exclusive mode; `
          : 'begin; ';
        await client.query(`${locked}${statement}; commit`);
      }
    });
  }
  const db = new DatabaseSync(dataFolder(data).databaseFile, { timeout: SAFETY_NET_MS });
  for (const statement of statements) db.exec(statement);
  db.close();
}

/**
 * Called after every process has ended. PostgreSQL may still execute the last statements of a
 * killed process.
 */
export async function untilNobodyIsConnected(data: string): Promise<void> {
  const url = await databaseUrlOf(data);
  if (url === undefined) return;
  await onConnection(url, (client) =>
    eventually(async () => {
      const { rows } = await client.query(
        `select query from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
      assert.deepEqual(rows, []);
    }),
  );
}

export interface Checked {
  keys: Set<number>;
  events: number;
}

/** Invariants of every database: it is sound, the feed has no gap, every key has one event. */
export async function checkDatabase(data: string): Promise<Checked> {
  const url = await databaseUrlOf(data);
  if (url === undefined) return checkDatabaseFile(dataFolder(data).databaseFile);
  // PostgreSQL checks its constraints itself.
  return readDatabase(data, checkFeed);
}

export function checkDatabaseFile(file: string): Promise<Checked> {
  return readDatabaseFile(file, async (select) => {
    assert.deepEqual(await select('pragma integrity_check'), [{ integrity_check: 'ok' }]);
    assert.deepEqual(await select('pragma foreign_key_check'), []);
    return checkFeed(select);
  });
}

async function checkFeed(select: Select): Promise<Checked> {
  const events = await select('select id, event, object_id from events order by id');
  assert.deepEqual(
    events.map((event) => event['id']),
    events.map((_, index) => index + 1),
    'the ids of the feed have no gap',
  );
  const keys = await select('select id from api_keys order by id');
  assert.deepEqual(
    events
      .filter((event) => event['event'] === 'key.created')
      .map((event) => Number(event['object_id']))
      .sort((a, b) => a - b),
    keys.map((key) => Number(key['id'])),
    'every key has exactly one event key.created',
  );
  return { keys: new Set(keys.map((key) => Number(key['id']))), events: events.length };
}

async function onConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function order(url: string): Promise<void> {
  const database = await openPostgres(url);
  try {
    await sequenceEvents(database);
  } finally {
    await database.close();
  }
}

const WHOLE_NUMBERS = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Counts and sums are numbers, as on SQLite. */
const getTypeParser = ((oid: number) =>
  WHOLE_NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid)) as typeof pg.types.getTypeParser;
