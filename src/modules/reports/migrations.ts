import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'reports/0001-views',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('report_views')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('query', 'text', (c) => c.notNull()),
      schema
        .createIndex('report_views_by_name')
        .on('report_views')
        .columns(['user_id', 'name'])
        .unique(),
    ],
  },
];
