import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'settings/0001-baseline',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('settings')
        .addColumn('key', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull())
        .addColumn('updated_at', bigInteger, (c) => c.notNull())
        .addColumn('updated_by', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('version', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    ],
  },
];
