import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'mail/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('outbox')
        .addColumn('id', idType, idColumn)
        .addColumn('template', 'text', (c) => c.notNull())
        .addColumn('to_address', 'text', (c) => c.notNull())
        .addColumn('to_name', 'text', (c) => c.notNull())
        .addColumn('subject', 'text', (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('html', 'text', (c) => c.notNull())
        .addColumn('key', 'text', (c) => c.notNull().unique())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('attempts', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('next_attempt_at', bigInteger, (c) => c.notNull())
        .addColumn('last_error', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('sent_at', bigInteger)
        .addColumn('link', 'text'),
      schema.createIndex('outbox_due').on('outbox').columns(['state', 'next_attempt_at']),
      schema
        .createTable('mail_texts')
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('language', 'text', (c) => c.notNull())
        .addColumn('subject', 'text', (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('updated_at', bigInteger, (c) => c.notNull())
        .addColumn('updated_by', bigInteger, (c) => c.notNull().references('users.id'))
        .addPrimaryKeyConstraint('mail_texts_key', ['name', 'language']),
      schema.createIndex('outbox_by_state').on('outbox').columns(['state', 'id']),
      schema.createIndex('outbox_by_template').on('outbox').columns(['template', 'id']),
      schema.createIndex('outbox_by_address').on('outbox').columns(['to_address', 'id']),
    ],
  },
  {
    name: 'mail/0002-mails-to-many',
    up: (schema, { bigInteger }) => [
      schema.alterTable('outbox').addColumn('unsubscribe', 'text'),
      schema
        .alterTable('outbox')
        .addColumn('answered', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      // An index for each, so that thousands of mails to many do not stand before a mail about money.
      schema
        .createIndex('outbox_due_single')
        .on('outbox')
        .columns(['next_attempt_at', 'id'])
        .where(sql<boolean>`state = 'pending' and unsubscribe is null`),
      schema
        .createIndex('outbox_due_many')
        .on('outbox')
        .columns(['next_attempt_at', 'id'])
        .where(sql<boolean>`state = 'pending' and unsubscribe is not null`),
    ],
  },
];
