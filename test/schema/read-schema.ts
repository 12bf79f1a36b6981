import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { dataFolder } from '../../src/installation/data-folder.ts';
import { databaseUrlOf } from '../process/installation-database.ts';
import { dumpPostgresSchema } from './postgres-schema.ts';
import { schemaText } from './schema-dump.ts';
import { dumpSqliteSchema } from './sqlite-schema.ts';

export const schemaFile = (database: 'sqlite' | 'postgres'): string =>
  join(import.meta.dirname, `../../docs/schema/${database}.sql`);

/** The schema that is in git. */
export function storedSchema(database: 'sqlite' | 'postgres'): string {
  return readFileSync(schemaFile(database), 'utf8');
}

/** The schema of the database of a data folder. */
export async function readSchema(data: string): Promise<string> {
  const url = await databaseUrlOf(data);
  return url === undefined ? sqliteSchema(dataFolder(data).databaseFile) : postgresSchema(url);
}

export function sqliteSchema(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return schemaText(dumpSqliteSchema(db));
  } finally {
    db.close();
  }
}

export async function postgresSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return schemaText(await dumpPostgresSchema(client));
  } finally {
    await client.end();
  }
}
