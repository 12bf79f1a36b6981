import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'leaderboard/0001-names',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('leaderboard_names')
        .addColumn('user_id', bigInteger, (c) => c.primaryKey().references('users.id'))
        .addColumn('agreed_at', bigInteger, (c) => c.notNull()),
    ],
  },
];
