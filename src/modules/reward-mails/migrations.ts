import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'reward-mails/0001-changes',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('reward_changes')
        .addColumn('id', idType, idColumn)
        .addColumn('before', 'text', (c) => c.notNull())
        .addColumn('after', 'text')
        .addColumn('changed_at', bigInteger, (c) => c.notNull())
        .addColumn('after_user', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
    ],
  },
  {
    name: 'reward-mails/0002-first-edit',
    up: (schema, { bigInteger }) => [
      schema.alterTable('reward_changes').addColumn('began_at', bigInteger),
    ],
  },
];
