import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: '0001-settings',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('settings')
        .addColumn('key', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull())
        .addColumn('updated_at', bigInteger, (c) => c.notNull()),
    ],
  },
  {
    name: '0002-setting-versions',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('settings')
        .addColumn('updated_by', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema
        .alterTable('settings')
        .addColumn('version', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    ],
  },
];
