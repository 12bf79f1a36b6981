import type { Migration } from '../../db/migrator.ts';

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
];
