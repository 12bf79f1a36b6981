import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'accounts/0001-baseline',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('account_links')
        .addColumn('token_hash', 'text', (c) => c.primaryKey())
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('purpose', 'text', (c) => c.notNull())
        .addColumn('data', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('expires_at', bigInteger, (c) => c.notNull())
        .addColumn('ended_at', bigInteger)
        .addColumn('network_hash', 'text', (c) => c.notNull().defaultTo(sql`''`)),
      schema
        .createIndex('account_links_by_user')
        .on('account_links')
        .columns(['user_id', 'purpose', 'created_at']),
      schema.createIndex('account_links_by_expiry').on('account_links').column('expires_at'),
    ],
  },
];
