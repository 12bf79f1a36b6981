import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'users/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('users')
        .addColumn('id', idType, idColumn)
        .addColumn('login', 'text', (c) => c.notNull())
        .addColumn('login_folded', 'text', (c) => c.notNull().unique())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('email_folded', 'text', (c) => c.notNull().unique())
        .addColumn('display_name', 'text', (c) => c.notNull())
        .addColumn('role', 'text', (c) => c.notNull())
        .addColumn('password_hash', 'text')
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('display_name_folded', 'text', (c) => c.notNull().defaultTo(''))
        .addColumn('disabled_at', bigInteger)
        .addColumn('last_seen_at', bigInteger)
        .addColumn('language', 'text', (c) => c.notNull().defaultTo(''))
        .addColumn('muted_notices', 'text', (c) => c.notNull().defaultTo(''))
        .addColumn('roster_due', bigInteger, (c) => c.notNull().defaultTo(sql`1`)),
      schema
        .createIndex('users_administrators')
        .on('users')
        .column('id')
        .where(sql<boolean>`role = 'administrator'`),
      schema
        .createIndex('users_team')
        .on('users')
        .column('id')
        .where(sql<boolean>`role in ('administrator', 'manager')`),
      schema
        .createIndex('users_by_display_name')
        .on('users')
        .columns(['display_name_folded', 'id']),
      schema
        .createIndex('users_roster_due')
        .on('users')
        .column('id')
        .where(sql<boolean>`roster_due = 1`),
    ],
  },
];
