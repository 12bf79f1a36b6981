import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: '0001-events',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('events')
        .addColumn('id', idType, idColumn)
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('event', 'text', (c) => c.notNull())
        .addColumn('object_id', bigInteger, (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.notNull())
        .addColumn('info', 'text', (c) => c.notNull())
        .addColumn('data', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('kind_ordinal', bigInteger, (c) => c.notNull())
        .addColumn('event_ordinal', bigInteger, (c) => c.notNull())
        .addColumn('user_ordinal', bigInteger, (c) => c.notNull()),
      schema.createIndex('events_by_kind').on('events').columns(['kind', 'id', 'kind_ordinal']),
      schema.createIndex('events_by_event').on('events').columns(['event', 'id', 'event_ordinal']),
      schema.createIndex('events_by_user').on('events').columns(['user_id', 'id', 'user_ordinal']),
      schema
        .createTable('cursors')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('position', bigInteger, (c) => c.notNull()),
    ],
  },
  {
    name: '0002-incoming-events',
    up: (schema, { commitsInIdOrder, idType, idColumn, bigInteger }) => {
      if (commitsInIdOrder) return [];
      return [
        schema
          .createTable('incoming_events')
          .addColumn('id', idType, idColumn)
          .addColumn('kind', 'text', (c) => c.notNull())
          .addColumn('event', 'text', (c) => c.notNull())
          .addColumn('object_id', bigInteger, (c) => c.notNull())
          .addColumn('user_id', bigInteger, (c) => c.notNull())
          .addColumn('info', 'text', (c) => c.notNull())
          .addColumn('data', 'text', (c) => c.notNull())
          .addColumn('created_at', bigInteger, (c) => c.notNull()),
      ];
    },
  },
  {
    name: '0003-events-append-only',
    up: (_schema, dialect) => [
      ...dialect.makeAppendOnly('events'),
      ...dialect.forbidReplace('events'),
    ],
  },
  {
    name: '0004-events-by-object',
    up: (schema) => [
      schema.createIndex('events_by_object').on('events').columns(['kind', 'object_id', 'id']),
    ],
  },
  {
    name: '0005-events-restricted',
    up: (schema) => [
      schema
        .createIndex('events_restricted')
        .on('events')
        .columns(['user_id', 'id'])
        .where(sql<boolean>`kind in ('access', 'account', 'session', 'team', 'two_factor')`),
    ],
  },
];
