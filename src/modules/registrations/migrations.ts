import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { fillTraces } from './fill-traces.ts';

const traceColumns = ['mail_pattern', 'mail_domain', 'website_place', 'network_hash'];

export const migrations: Migration[] = [
  {
    name: '0001-registrations',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('registrations')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('coupon_code', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('promote', 'text', (c) => c.notNull())
        .addColumn('referrer', 'text', (c) => c.notNull())
        .addColumn('website', 'text', (c) => c.notNull())
        .addColumn('custom_fields', 'text', (c) => c.notNull())
        .addColumn('message', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('accepted_at', bigInteger)
        .addColumn('declined_at', bigInteger),
      schema.createIndex('registrations_by_status').on('registrations').columns(['status', 'id']),
      schema.createIndex('registrations_by_user').on('registrations').columns(['user_id', 'id']),
      schema
        .createIndex('registrations_one_pending')
        .unique()
        .on('registrations')
        .column('user_id')
        .where(sql.ref('status'), '=', sql.lit('pending')),
    ],
  },
  {
    name: '0002-registration-review',
    up: (schema, { idType, idColumn, bigInteger }) => [
      ...['decline_reason', 'decline_note', ...traceColumns].map((column) =>
        schema
          .alterTable('registrations')
          .addColumn(column, 'text', (c) => c.notNull().defaultTo(sql`''`)),
      ),
      schema.alterTable('registrations').addColumn('decided_by', bigInteger),
      ...traceColumns.map((column) =>
        schema.createIndex(`registrations_by_${column}`).on('registrations').column(column),
      ),
      schema
        .createTable('registration_messages')
        .addColumn('id', idType, idColumn)
        .addColumn('registration_id', bigInteger, (c) => c.notNull().references('registrations.id'))
        .addColumn('author_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema
        .createIndex('registration_messages_by_registration')
        .on('registration_messages')
        .columns(['registration_id', 'id']),
    ],
    fill: fillTraces,
  },
  {
    // The next refresh of the roster adds the words of existing applications: it finds all users due.
    name: '0003-registration-words',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('registration_words')
        .addColumn('word', 'text', (c) => c.notNull())
        .addColumn('registration_id', bigInteger, (c) => c.notNull())
        .addPrimaryKeyConstraint('registration_words_key', ['word', 'registration_id']),
      schema
        .createIndex('registration_words_by_registration')
        .on('registration_words')
        .columns(['registration_id', 'word']),
    ],
  },
];
