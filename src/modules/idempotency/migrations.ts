import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'idempotency/0001-baseline',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('idempotency_keys')
        .addColumn('identity', 'text', (c) => c.notNull())
        .addColumn('key', 'text', (c) => c.notNull())
        .addColumn('request_hash', 'text', (c) => c.notNull())
        .addColumn('status', 'integer', (c) => c.notNull())
        .addColumn('headers', 'text', (c) => c.notNull())
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('expires_at', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addPrimaryKeyConstraint('idempotency_keys_key', ['identity', 'key']),
      schema.createIndex('idempotency_keys_by_expiry').on('idempotency_keys').column('expires_at'),
    ],
  },
];
