import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';
import { query } from '../../db/statements/query.ts';

/** Responses that an earlier version stored expire after 24 hours. */
const expireAfterDay = query<object>((db) =>
  db.updateTable('idempotency_keys').set({ expires_at: sql`created_at + 86400000` }),
);

export const migrations: Migration[] = [
  {
    name: '0002-idempotency',
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
        .addPrimaryKeyConstraint('idempotency_keys_key', ['identity', 'key']),
      schema
        .createIndex('idempotency_keys_by_creation')
        .on('idempotency_keys')
        .column('created_at'),
    ],
  },
  {
    name: '0003-idempotency-expiry',
    up: (schema, { bigInteger }) => [
      schema
        .alterTable('idempotency_keys')
        .addColumn('expires_at', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      schema.dropIndex('idempotency_keys_by_creation'),
      schema.createIndex('idempotency_keys_by_expiry').on('idempotency_keys').column('expires_at'),
    ],
    async fill(tx) {
      await tx.run(expireAfterDay, {});
    },
  },
];
