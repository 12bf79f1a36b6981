import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'sessions/0001-baseline',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('sessions')
        .addColumn('token_hash', 'text', (c) => c.primaryKey())
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('seen_at', bigInteger, (c) => c.notNull())
        .addColumn('user_agent', 'text', (c) => c.notNull().defaultTo(''))
        .addColumn('address', 'text', (c) => c.notNull().defaultTo(''))
        .addColumn('proved_at', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.createIndex('sessions_by_seen').on('sessions').column('seen_at'),
      schema.createIndex('sessions_by_user').on('sessions').column('user_id'),
      schema
        .createTable('sign_in_steps')
        .addColumn('token_hash', 'text', (c) => c.primaryKey())
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('attempts', bigInteger, (c) => c.notNull())
        .addColumn('expires_at', bigInteger, (c) => c.notNull()),
      schema.createIndex('sign_in_steps_by_user').on('sign_in_steps').column('user_id'),
      schema.createIndex('sign_in_steps_by_expiry').on('sign_in_steps').column('expires_at'),
      schema
        .createTable('sign_in_attempts')
        .addColumn('key', 'text', (c) => c.primaryKey())
        .addColumn('failures', bigInteger, (c) => c.notNull())
        .addColumn('free_at', bigInteger, (c) => c.notNull())
        .addColumn('seen_at', bigInteger, (c) => c.notNull())
        .addColumn('known', bigInteger, (c) => c.notNull()),
      schema
        .createIndex('sign_in_attempts_by_age')
        .on('sign_in_attempts')
        .columns(['known', 'seen_at']),
    ],
  },
];
