import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'earnings/0001-earned-mails',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('earned_mails')
        .addColumn('id', bigInteger, (c) => c.primaryKey())
        .addColumn('started_at', bigInteger, (c) => c.notNull())
        .addColumn('since', bigInteger, (c) => c.notNull())
        .addColumn('until', bigInteger)
        .addColumn('after_user', bigInteger, (c) => c.notNull()),
    ],
  },
];
