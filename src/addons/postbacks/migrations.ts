import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'postbacks/0001-postbacks',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('postbacks')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('method', 'text', (c) => c.notNull())
        .addColumn('format', 'text', (c) => c.notNull())
        .addColumn('events', 'text', (c) => c.notNull())
        .addColumn('secret', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('failures', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('failing_since', bigInteger)
        .addColumn('paused_until', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('last_delivery_at', bigInteger)
        .addColumn('last_error', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('from_event', bigInteger, (c) => c.notNull())
        .addColumn('replay_after', bigInteger)
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema.createIndex('postbacks_by_user').on('postbacks').columns(['user_id', 'id']),
      schema
        .createIndex('postbacks_by_status')
        .on('postbacks')
        .columns(['status', 'failing_since']),
      schema
        .createIndex('postbacks_replaying')
        .on('postbacks')
        .column('id')
        .where(sql<boolean>`replay_after is not null`),
      schema
        .createTable('postback_deliveries')
        .addColumn('id', idType, idColumn)
        .addColumn('postback_id', bigInteger, (c) => c.notNull().references('postbacks.id'))
        .addColumn('order_id', bigInteger, (c) => c.notNull())
        .addColumn('event_id', bigInteger, (c) => c.notNull())
        .addColumn('event', 'text', (c) => c.notNull())
        .addColumn('data', 'text', (c) => c.notNull())
        .addColumn('occurred_at', bigInteger, (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('attempts', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('attempts_before', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('due_at', bigInteger)
        .addColumn('code', bigInteger)
        .addColumn('error', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('queued_at', bigInteger, (c) => c.notNull())
        .addColumn('attempted_at', bigInteger)
        .addColumn('duration_ms', bigInteger),
      schema
        .createIndex('postback_deliveries_by_postback')
        .on('postback_deliveries')
        .columns(['postback_id', 'id']),
      schema
        .createIndex('postback_deliveries_due')
        .on('postback_deliveries')
        .columns(['postback_id', 'due_at', 'id'])
        .where('due_at', 'is not', null),
      // Finds what of an order is to be sent next; what was sent costs nothing here.
      schema
        .createIndex('postback_deliveries_pending')
        .on('postback_deliveries')
        .columns(['postback_id', 'order_id', 'id'])
        .where(sql<boolean>`state = 'pending'`),
      schema
        .createIndex('postback_deliveries_by_age')
        .on('postback_deliveries')
        .column('queued_at'),
    ],
  },
];
