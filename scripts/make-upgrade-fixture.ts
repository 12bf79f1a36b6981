import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { databaseUrl, onServer } from '../test/postgres/databases.ts';
import { startPrivateServer } from '../test/postgres/server.ts';
import { dumpPostgresSchema } from '../test/schema/postgres-schema.ts';
import type { SchemaDump } from '../test/schema/schema-dump.ts';
import { dumpSqliteSchema } from '../test/schema/sqlite-schema.ts';
import { fillStore } from '../test/upgrades/fill-store.ts';
import { readMoney } from '../test/upgrades/money-answers.ts';
import { serve, setUp, signIn } from './release-service.ts';

/**
 * node scripts/make-upgrade-fixture.ts VERSION [src/main.ts]
 *
 * Fills a store with the code of a release, on SQLite and on PostgreSQL, and saves both databases as SQL in
 * test/upgrades, with what it says of all money. Run it once per release; for an older one, name the entry point of a checkout of its tag.
 */
const [version, program = join(import.meta.dirname, '../src/main.ts')] = process.argv.slice(2);
if (version === undefined) throw new Error('Name the version.');
const target = join(import.meta.dirname, '../test/upgrades', version);

const server = await startPrivateServer();
try {
  await onServer(server.url, 'create database fixture template template0');
  const url = databaseUrl(server.url, 'fixture');
  await makeFixture('sqlite', '', async (data) => {
    const db = new DatabaseSync(join(data, 'tributary.db'));
    return [dumpSqliteSchema(db), sqliteRows(db)];
  });
  await makeFixture('postgres', url, async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const dump = [await dumpPostgresSchema(client), await postgresRows(client)] as const;
    await client.end();
    return dump;
  });
} finally {
  await server.stop();
}

async function makeFixture(
  database: string,
  url: string,
  dump: (data: string) => Promise<readonly [SchemaDump, string[]]>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-fixture-'));
  const data = join(folder, 'data');
  try {
    await useService(data, url);
    const [{ tables, rest }, rows] = await dump(data);
    const secret = readFileSync(join(data, 'secret.key')).toString('base64');
    const lines = [`-- secret ${secret}`, ...[...tables, ...rows, ...rest].map((sql) => `${sql};`)];
    writeFileSync(`${target}-${database}.sql.gz`, gzipSync(lines.join('\n'), { level: 9 }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function useService(data: string, url: string): Promise<void> {
  const service = { program, data, url };
  await serve(service, setUp(service), async (api, base) => {
    await fillStore(api);
    const answers = Object.entries(await readMoney((path) => api('GET', path)));
    const lines = answers.map(([path, numbers]) => `  "${path}": ${JSON.stringify(numbers)}`);
    writeFileSync(`${target}-answers.json`, `{\n${lines.join(',\n')}\n}\n`);
    await signIn(base);
  });
}

function sqliteRows(db: DatabaseSync): string[] {
  const names = db
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
    .all() as { name: string }[];
  return names.flatMap(({ name }) => {
    const found = db.prepare(`select name from pragma_table_info('${name}')`).all();
    const columns = found.map((column) => `"${String(column['name'])}"`);
    const values = columns.map((column) => `quote(${column})`);
    const rows = db.prepare(`select ${values.join(` || ', ' || `)} as row from "${name}"`).all();
    if (rows.length === 0) console.log(`sqlite: no row in ${name}`);
    const into = `insert into "${name}" (${columns.join(', ')})`;
    return rows.map(({ row }) => `${into} values (${String(row)})`);
  });
}

async function postgresRows(client: pg.Client): Promise<string[]> {
  const select = async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows;
  const columns = await select<{ table: string; column: string; identity: string }>(
    `select table_name as table, column_name as column, is_identity as identity
     from information_schema.columns where table_schema = 'public'
     order by table_name, ordinal_position`,
  );
  const statements: string[] = [];
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    const values = own.map(({ column }) => `quote_nullable("${column}"::text)`);
    const rows = await select<{ row: string }>(
      `select concat_ws(', ', ${values.join(', ')}) as row from "${table}"`,
    );
    if (rows.length === 0) console.log(`postgres: no row in ${table}`);
    const into = `insert into "${table}" (${own.map(({ column }) => `"${column}"`).join(', ')})`;
    statements.push(...rows.map(({ row }) => `${into} values (${row})`));
    if (own.some(({ column, identity }) => column === 'id' && identity === 'YES')) {
      const next = `coalesce(max(id), 0) + 1, false`;
      statements.push(
        `select setval(pg_get_serial_sequence('"${table}"', 'id'), ${next}) from "${table}"`,
      );
    }
  }
  return statements;
}
