import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { query } from '../src/db/statements/query.ts';
import { ownTables } from '../src/db/tables.ts';
import { openTestApp } from './support/harness.ts';
import { testServer } from './postgres/databases.ts';

const ON_SQLITE = sql`
  select t.name as "table", c.name as "column", c.pk as "position"
  from sqlite_master t, pragma_table_info(t.name) c
  where t.type = 'table' and t.name not like 'sqlite_%' and c.pk > 0`;
const ON_POSTGRES = sql`
  select c.table_name as "table", c.column_name as "column", c.ordinal_position as "position"
  from information_schema.table_constraints k
  join information_schema.key_column_usage c using (constraint_schema, constraint_name)
  where k.constraint_type = 'PRIMARY KEY' and k.table_schema = current_schema()`;

interface KeyColumn {
  table: string;
  column: string;
  position: number;
}
const keyColumns = query<object, KeyColumn>((db) => ({
  compile: () => (testServer() === undefined ? ON_SQLITE : ON_POSTGRES).compile(db),
}));

test('every table belongs to exactly one module, which names its primary key', async () => {
  const { site } = await openTestApp();
  const columns = await site.database.read.all(keyColumns, {});
  const created = [...new Set(columns.map(({ table }) => table))].filter(
    (table) => !ownTables.includes(table as 'leases'),
  );
  const declared = site.registry.tables();
  const isOnServerOnly = (name: string) => name === 'incoming_events' && testServer() === undefined;
  const names = declared.map(({ name }) => name).filter((name) => !isOnServerOnly(name));
  assert.deepEqual(names.toSorted(), created.toSorted());

  for (const { name, key } of declared.filter((table) => !isOnServerOnly(table.name))) {
    const own = columns.filter(({ table }) => table === name);
    own.sort((a, b) => a.position - b.position);
    assert.deepEqual(
      own.map(({ column }) => column),
      key,
      name,
    );
  }
});
