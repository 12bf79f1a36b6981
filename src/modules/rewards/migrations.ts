import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'rewards/0001-lists',
    up: (schema, { idType, idColumn, bigInteger }) =>
      ['reward_rules', 'reward_bonuses'].map((list) =>
        schema
          .createTable(list)
          .addColumn('id', idType, idColumn)
          .addColumn('position', bigInteger, (c) => c.notNull())
          .addColumn('content', 'text', (c) => c.notNull())
          .addColumn('version', bigInteger, (c) => c.notNull())
          .addColumn('created_at', bigInteger, (c) => c.notNull())
          .addColumn('updated_at', bigInteger, (c) => c.notNull()),
      ),
  },
];
