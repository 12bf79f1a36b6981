import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'announcements/0001-announcements',
    up: (schema, { idType, idColumn, bigInteger }) => {
      const counts = ['receivers', 'queued', 'sent', 'failed', 'unknown', 'muted', 'unsubscribed'];
      const table = schema
        .createTable('announcements')
        .addColumn('id', idType, idColumn)
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('texts', 'text', (c) => c.notNull())
        .addColumn('segment', 'text', (c) => c.notNull())
        .addColumn('by_mail', bigInteger, (c) => c.notNull())
        .addColumn('in_portal', bigInteger, (c) => c.notNull())
        .addColumn('send_at', bigInteger)
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('created_by', bigInteger, (c) => c.notNull())
        .addColumn('started_at', bigInteger)
        .addColumn('ended_at', bigInteger)
        .addColumn('position', bigInteger);
      return [
        counts.reduce(
          (all, name) => all.addColumn(name, bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
          table,
        ),
        schema
          .createIndex('announcements_by_state')
          .on('announcements')
          .columns(['state', 'send_at', 'id']),
        schema
          .createTable('announcement_receivers')
          .addColumn('announcement_id', bigInteger, (c) =>
            c.notNull().references('announcements.id'),
          )
          .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
          .addColumn('state', 'text', (c) => c.notNull())
          .addColumn('error', 'text', (c) => c.notNull())
          .addColumn('updated_at', bigInteger, (c) => c.notNull())
          .addPrimaryKeyConstraint('announcement_receivers_key', ['announcement_id', 'user_id']),
        schema
          .createIndex('announcement_receivers_by_state')
          .on('announcement_receivers')
          .columns(['announcement_id', 'state', 'user_id']),
        schema
          .createIndex('announcement_receivers_by_user')
          .on('announcement_receivers')
          .columns(['user_id', 'announcement_id']),
      ];
    },
  },
];
