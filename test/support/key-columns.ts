import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { query } from '../../src/db/statements/query.ts';
import { testServer } from '../postgres/databases.ts';

const ON_SQLITE = sql`
  select t.name as "table", c.name as "column"
  from sqlite_schema t left join pragma_table_info(t.name) c on c.pk > 0
  where t.type = 'table' and t.name not like 'sqlite_%' order by c.pk`;
const ON_POSTGRES = sql`
  select t.table_name as "table", c.column_name as "column"
  from information_schema.tables t
  left join information_schema.table_constraints k
    on k.table_schema = t.table_schema and k.table_name = t.table_name and k.constraint_type = 'PRIMARY KEY'
  left join information_schema.key_column_usage c
    on c.constraint_schema = k.constraint_schema and c.constraint_name = k.constraint_name
  where t.table_schema = current_schema() order by c.ordinal_position`;

const keyColumns = query<object, { table: string; column: string | null }>((db) => ({
  compile: () => (testServer() === undefined ? ON_SQLITE : ON_POSTGRES).compile(db),
}));

/** The columns of the primary key of each table; none for a table without one. */
export async function keysOfTables(database: Database): Promise<Map<string, string[]>> {
  const columns = Map.groupBy(await database.read.all(keyColumns, {}), ({ table }) => table);
  return new Map(
    [...columns].map(([table, rows]) => [table, rows.flatMap(({ column }) => column ?? [])]),
  );
}
