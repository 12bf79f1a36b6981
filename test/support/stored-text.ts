import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestApp } from './harness.ts';

/** Everything an installation has stored, by location: its files, and its tables on PostgreSQL. */
export async function storedText(app: TestApp): Promise<Map<string, string>> {
  const folder = app.app.folder.path;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = files.filter((file) => file.isFile()).map((file) => file.name);
  const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
  if (app.databaseUrl === '') assert.ok(texts.has('tributary.db-wal'));
  else for (const [name, text] of await tablesOf(app.databaseUrl)) texts.set(name, text);
  return texts;
}

async function tablesOf(url: string): Promise<[string, string][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    assert.ok(rows.length > 20);
    const texts: [string, string][] = [];
    for (const { name } of rows) {
      const found = await client.query<{ text: string }>(`select t::text as text from "${name}" t`);
      texts.push([name, found.rows.map((row) => row.text).join('\n')]);
    }
    return texts;
  } finally {
    await client.end();
  }
}
