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
  {
    name: 'earnings/0002-report-mails',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('report_mails')
        .addColumn('id', bigInteger, (c) => c.primaryKey())
        .addColumn('interval', 'text', (c) => c.notNull())
        .addColumn('done_to', 'text', (c) => c.notNull())
        .addColumn('run_to', 'text')
        .addColumn('after_user', bigInteger, (c) => c.notNull()),
    ],
  },
];
