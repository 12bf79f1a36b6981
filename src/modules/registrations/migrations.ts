import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

const traceColumns = ['mail_pattern', 'mail_domain', 'website_place', 'network_hash'];

export const migrations: Migration[] = [
  {
    name: 'registrations/0001-baseline',
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
        .addColumn('declined_at', bigInteger)
        .addColumn('decline_reason', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('decline_note', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('mail_pattern', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('mail_domain', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('website_place', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('network_hash', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('decided_by', bigInteger),
      schema.createIndex('registrations_by_status').on('registrations').columns(['status', 'id']),
      schema.createIndex('registrations_by_user').on('registrations').columns(['user_id', 'id']),
      schema
        .createIndex('registrations_one_pending')
        .unique()
        .on('registrations')
        .column('user_id')
        .where(sql.ref('status'), '=', sql.lit('pending')),
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
