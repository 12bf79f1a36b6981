import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'keys/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('api_keys')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('description', 'text', (c) => c.notNull())
        .addColumn('key_prefix', 'text', (c) => c.notNull())
        .addColumn('token_hash', 'text', (c) => c.notNull().unique())
        .addColumn('scopes', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('expires_at', bigInteger)
        .addColumn('revoked_at', bigInteger)
        .addColumn('last_used_at', bigInteger),
      schema.createIndex('api_keys_by_user').on('api_keys').columns(['user_id', 'id']),
    ],
  },
];
