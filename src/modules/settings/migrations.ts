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
];
