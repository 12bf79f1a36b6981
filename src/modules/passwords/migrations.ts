import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'passwords/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('application_passwords')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('description', 'text', (c) => c.notNull())
        .addColumn('password_hash', 'text', (c) => c.notNull().unique())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('revoked_at', bigInteger),
      schema
        .createIndex('application_passwords_by_user')
        .on('application_passwords')
        .columns(['user_id', 'id']),
    ],
  },
];
