import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'webhooks/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('webhooks')
        .addColumn('id', idType, idColumn)
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('secret', 'text', (c) => c.notNull())
        .addColumn('events', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('failures', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('failing_since', bigInteger)
        .addColumn('paused_until', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('last_delivery_at', bigInteger)
        .addColumn('last_error', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('from_event', bigInteger, (c) => c.notNull())
        .addColumn('replay_after', bigInteger)
        .addColumn('replay_until', bigInteger)
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema
        .createTable('webhook_deliveries')
        .addColumn('id', idType, idColumn)
        .addColumn('webhook_id', bigInteger, (c) => c.notNull().references('webhooks.id'))
        .addColumn('event_id', bigInteger, (c) => c.notNull().references('events.id'))
        .addColumn('event', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('attempts', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('attempts_before', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('due_at', bigInteger)
        .addColumn('code', bigInteger)
        .addColumn('error', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('queued_at', bigInteger, (c) => c.notNull())
        .addColumn('attempted_at', bigInteger)
        .addColumn('duration_ms', bigInteger),
      // Guarantees one delivery per event and webhook, even if a fan-out is repeated after a crash.
      schema
        .createIndex('webhook_deliveries_once')
        .on('webhook_deliveries')
        .columns(['webhook_id', 'event_id'])
        .unique(),
      schema
        .createIndex('webhook_deliveries_due')
        .on('webhook_deliveries')
        .columns(['webhook_id', 'due_at', 'event_id'])
        .where('due_at', 'is not', null),
      schema.createIndex('webhook_deliveries_by_age').on('webhook_deliveries').column('queued_at'),
      schema
        .createTable('webhook_attempts')
        .addColumn('delivery_id', bigInteger, (c) =>
          c.notNull().references('webhook_deliveries.id').onDelete('cascade'),
        )
        .addColumn('number', bigInteger, (c) => c.notNull())
        .addColumn('attempted_at', bigInteger, (c) => c.notNull())
        .addColumn('duration_ms', bigInteger, (c) => c.notNull())
        .addColumn('code', bigInteger)
        .addColumn('error', 'text', (c) => c.notNull())
        .addColumn('answer_headers', 'text', (c) => c.notNull())
        .addColumn('answer', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('webhook_attempts_key', ['delivery_id', 'number']),
      schema
        .createTable('webhook_days')
        .addColumn('webhook_id', bigInteger, (c) => c.notNull().references('webhooks.id'))
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('delivered', bigInteger, (c) => c.notNull())
        .addColumn('failed', bigInteger, (c) => c.notNull())
        .addColumn('last_error', 'text', (c) => c.notNull())
        .addColumn('last_error_at', bigInteger)
        .addPrimaryKeyConstraint('webhook_days_key', ['webhook_id', 'day']),
      // Few deliveries fail for good, so this index costs nothing for the others.
      schema
        .createIndex('webhook_deliveries_failed')
        .on('webhook_deliveries')
        .columns(['webhook_id', 'event_id'])
        .where(sql<boolean>`state = 'failed'`),
    ],
  },
];
