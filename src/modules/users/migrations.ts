import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { foldDisplayNames } from './fold-display-names.ts';

export const migrations: Migration[] = [
  {
    name: '0001-users',
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
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
    ],
  },
  {
    name: '0002-administrators',
    up: (schema) => [
      schema
        .createIndex('users_administrators')
        .on('users')
        .column('id')
        .where(sql<boolean>`role = 'administrator'`),
    ],
  },
  {
    name: '0003-folded-display-names',
    up: (schema) => [
      schema
        .alterTable('users')
        .addColumn('display_name_folded', 'text', (c) => c.notNull().defaultTo('')),
    ],
    fill: foldDisplayNames,
  },
  {
    name: '0004-disabled-users',
    up: (schema, { bigInteger }) => [
      schema.alterTable('users').addColumn('disabled_at', bigInteger),
    ],
  },
  {
    name: '0005-team',
    up: (schema, { bigInteger }) => [
      schema.alterTable('users').addColumn('last_seen_at', bigInteger),
      schema
        .createIndex('users_team')
        .on('users')
        .column('id')
        .where(sql<boolean>`role in ('administrator', 'manager')`),
    ],
  },
  {
    name: '0006-languages',
    up: (schema) => [
      schema.alterTable('users').addColumn('language', 'text', (c) => c.notNull().defaultTo('')),
      schema
        .alterTable('users')
        .addColumn('muted_notices', 'text', (c) => c.notNull().defaultTo('')),
    ],
  },
  {
    name: '0007-by-display-name',
    up: (schema) => [
      schema
        .createIndex('users_by_display_name')
        .on('users')
        .columns(['display_name_folded', 'id']),
    ],
  },
  {
    // Existing users are due, so the first run of the roster's job builds all entries.
    name: '0008-roster-due',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('users')
        .addColumn('roster_due', bigInteger, (c) => c.notNull().defaultTo(sql`1`)),
      schema
        .createIndex('users_roster_due')
        .on('users')
        .column('id')
        .where(sql<boolean>`roster_due = 1`),
    ],
  },
];
