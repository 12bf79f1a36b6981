import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'setup/0001-baseline',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('setup_links')
        .addColumn('token_hash', 'text', (c) => c.primaryKey())
        .addColumn('expires_at', bigInteger, (c) => c.notNull()),
    ],
  },
];
