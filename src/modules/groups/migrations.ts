import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'groups/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('groups')
        .addColumn('id', idType, idColumn)
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('name_folded', 'text', (c) => c.notNull().unique())
        .addColumn('percent', 'text')
        .addColumn('fixed_per_order', bigInteger)
        .addColumn('fixed_per_product', bigInteger)
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
    ],
  },
  {
    name: 'groups/0002-discount',
    up: (schema) => [schema.alterTable('groups').addColumn('discount', 'text')],
  },
];
