import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'events/0001-baseline',
    up: (schema, dialect) => {
      const { idType, idColumn, bigInteger, commitsInIdOrder } = dialect;
      return [
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
        schema
          .createIndex('events_by_event')
          .on('events')
          .columns(['event', 'id', 'event_ordinal']),
        schema
          .createIndex('events_by_user')
          .on('events')
          .columns(['user_id', 'id', 'user_ordinal']),
        schema
          .createTable('cursors')
          .addColumn('name', 'text', (c) => c.primaryKey())
          .addColumn('position', bigInteger, (c) => c.notNull()),

        schema.createIndex('events_by_object').on('events').columns(['kind', 'object_id', 'id']),
        schema
          .createIndex('events_restricted')
          .on('events')
          .columns(['user_id', 'id'])
          .where(sql<boolean>`kind in ('access', 'account', 'session', 'team', 'two_factor')`),
        ...dialect.makeAppendOnly('events'),
        ...dialect.forbidReplace('events'),
        ...(commitsInIdOrder
          ? []
          : [
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
            ]),
      ];
    },
  },
];
