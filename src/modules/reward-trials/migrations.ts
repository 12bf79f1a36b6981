import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'reward-trials/0001-trials',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('reward_trials')
        .addColumn('id', idType, idColumn)
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('plan', 'text', (c) => c.notNull())
        .addColumn('progress', bigInteger, (c) => c.notNull().defaultTo(sql`0`))
        .addColumn('result', 'text')
        .addColumn('holder', 'text', (c) => c.notNull().defaultTo(sql`''`))
        .addColumn('seen_at', bigInteger, (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema.createIndex('reward_trials_by_state').on('reward_trials').columns(['state', 'id']),
      schema.createIndex('reward_trials_by_age').on('reward_trials').column('created_at'),
    ],
  },
];
