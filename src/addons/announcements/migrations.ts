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
  {
    name: 'announcements/0002-series',
    up: (schema, { idType, idColumn, bigInteger }) => [
      ['entered', 'completed', 'left_early'].reduce(
        (all, name) => all.addColumn(name, bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
        schema
          .createTable('series')
          .addColumn('id', idType, idColumn)
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('starts_on', 'text', (c) => c.notNull())
          .addColumn('idle_days', bigInteger)
          .addColumn('ends_on_order', bigInteger, (c) => c.notNull())
          .addColumn('active', bigInteger, (c) => c.notNull())
          .addColumn('activated_at', bigInteger)
          .addColumn('position', 'text', (c) => c.notNull().defaultTo(sql`''`))
          .addColumn('replan', 'text')
          .addColumn('removed_at', bigInteger)
          .addColumn('created_at', bigInteger, (c) => c.notNull())
          .addColumn('created_by', bigInteger, (c) => c.notNull()),
      ),
      schema
        .createTable('series_steps')
        .addColumn('announcement_id', bigInteger, (c) =>
          c.primaryKey().references('announcements.id'),
        )
        .addColumn('series_id', bigInteger, (c) => c.notNull().references('series.id'))
        .addColumn('after_days', bigInteger, (c) => c.notNull())
        .addColumn('removed_at', bigInteger),
      schema
        .createIndex('series_steps_by_series')
        .on('series_steps')
        .columns(['series_id', 'after_days']),
      schema
        .createTable('series_members')
        .addColumn('series_id', bigInteger, (c) => c.notNull().references('series.id'))
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('reason', 'text', (c) => c.notNull())
        .addColumn('entered_at', bigInteger, (c) => c.notNull())
        .addColumn('due_at', bigInteger)
        .addColumn('days', bigInteger, (c) => c.notNull())
        .addColumn('ended_at', bigInteger)
        .addPrimaryKeyConstraint('series_members_key', ['series_id', 'user_id']),
      schema
        .createIndex('series_members_by_user')
        .on('series_members')
        .columns(['user_id', 'series_id']),
      schema
        .createIndex('series_members_due')
        .on('series_members')
        .columns(['series_id', 'due_at', 'user_id'])
        .where('due_at', 'is not', null),
      schema
        .createIndex('series_members_by_entry')
        .on('series_members')
        .columns(['series_id', 'entered_at', 'user_id']),
      schema
        .createIndex('series_members_by_state')
        .on('series_members')
        .columns(['series_id', 'state', 'entered_at', 'user_id']),
    ],
  },
  {
    name: 'announcements/0003-read',
    up: (schema, { bigInteger }) => [
      schema.alterTable('announcement_receivers').addColumn('read_at', bigInteger),
    ],
  },
];
