import type { DatabaseSync } from 'node:sqlite';
import { onePartPerLine, type SchemaDump } from './schema-dump.ts';

export function dumpSqliteSchema(db: DatabaseSync): SchemaDump {
  const rows = db
    .prepare(
      `select type, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'
       order by type, name`,
    )
    .all() as { type: string; sql: string }[];
  return {
    tables: rows.filter(({ type }) => type === 'table').map(({ sql }) => onePartPerLine(sql)),
    rest: rows.filter(({ type }) => type !== 'table').map(({ sql }) => sql),
  };
}
