import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'brand/0001-baseline',
    up: (schema) => [
      schema
        .createTable('brand_logos')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('content', 'text', (c) => c.notNull())
        .addColumn('width', 'integer', (c) => c.notNull())
        .addColumn('height', 'integer', (c) => c.notNull()),
    ],
  },
];
