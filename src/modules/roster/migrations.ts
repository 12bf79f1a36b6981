import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { markAllDue } from './due-store.ts';

export const migrations: Migration[] = [
  {
    name: '0001-roster',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('roster')
        .addColumn('user_id', bigInteger, (c) => c.primaryKey().references('users.id'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('registered_at', bigInteger, (c) => c.notNull())
        .addColumn('sales', bigInteger, (c) => c.notNull())
        .addColumn('commission', bigInteger, (c) => c.notNull())
        .addColumn('unpaid', bigInteger, (c) => c.notNull())
        .addColumn('orders_count', bigInteger, (c) => c.notNull())
        .addColumn('clicks', bigInteger, (c) => c.notNull())
        .addColumn('last_order_at', bigInteger, (c) => c.notNull())
        .addColumn('words', 'text', (c) => c.notNull()),
      ...(
        [
          'name',
          'registered_at',
          'sales',
          'commission',
          'unpaid',
          'clicks',
          'last_order_at',
        ] as const
      ).map((column) =>
        // With the status, so that a page of one status is found in the index alone.
        schema
          .createIndex(`roster_by_${column}`)
          .on('roster')
          .columns([column, 'user_id', 'status']),
      ),
      schema.createIndex('roster_by_status').on('roster').columns(['status', 'user_id']),
      schema
        .createTable('roster_words')
        .addColumn('word', 'text', (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('roster.user_id'))
        .addPrimaryKeyConstraint('roster_words_key', ['word', 'user_id']),
      schema.createIndex('roster_words_by_user').on('roster_words').columns(['user_id', 'word']),
    ],
  },
  {
    name: '0002-highest-unpaid',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('roster')
        .addColumn('highest_unpaid', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.createIndex('roster_by_highest_unpaid').on('roster').column('highest_unpaid'),
    ],
    fill: markAllDue,
  },
];
