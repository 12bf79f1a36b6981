import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'affiliates/0001-baseline',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('affiliates')
        .addColumn('user_id', bigInteger, (c) => c.primaryKey().references('users.id'))
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('profile', 'text', (c) => c.notNull())
        .addColumn('parent_id', bigInteger, (c) => c.references('users.id'))
        .addColumn('registered_at', bigInteger, (c) => c.notNull()),
      schema.createIndex('affiliates_by_parent').on('affiliates').column('parent_id'),
      schema
        .createTable('affiliate_groups')
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('group_id', bigInteger, (c) => c.notNull().references('groups.id'))
        .addPrimaryKeyConstraint('affiliate_groups_key', ['user_id', 'group_id']),
      schema.createIndex('affiliate_groups_by_group').on('affiliate_groups').column('group_id'),
      schema
        .createTable('affiliate_notes')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('author_id', bigInteger, (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema
        .createIndex('affiliate_notes_by_user')
        .on('affiliate_notes')
        .columns(['user_id', 'id']),
      schema
        .createTable('tags')
        .addColumn('id', idType, idColumn)
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('name_folded', 'text', (c) => c.notNull().unique()),
      schema
        .createTable('affiliate_tags')
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('tag_id', bigInteger, (c) => c.notNull().references('tags.id'))
        .addPrimaryKeyConstraint('affiliate_tags_key', ['user_id', 'tag_id']),
      schema
        .createIndex('affiliate_tags_by_tag')
        .on('affiliate_tags')
        .columns(['tag_id', 'user_id']),
      schema
        .createTable('roster')
        .addColumn('user_id', bigInteger, (c) => c.primaryKey().references('users.id'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('registered_at', bigInteger, (c) => c.notNull())
        .addColumn('sales', bigInteger, (c) => c.notNull())
        .addColumn('commission', bigInteger, (c) => c.notNull())
        .addColumn('unpaid', bigInteger, (c) => c.notNull())
        .addColumn('orders_count', bigInteger, (c) => c.notNull())
        .addColumn('clicks', bigInteger, (c) => c.notNull())
        .addColumn('last_order_at', bigInteger, (c) => c.notNull())
        .addColumn('words', 'text', (c) => c.notNull())
        .addColumn('highest_unpaid', bigInteger, (c) => c.notNull().defaultTo(sql`0`)),
      ...(
        [
          'name',
          'registered_at',
          'sales',
          'commission',
          'unpaid',
          'clicks',
          'last_order_at',
        ] as const
      ).map((column) =>
        // With the status, so that a page of one status is found in the index alone.
        schema
          .createIndex(`roster_by_${column}`)
          .on('roster')
          .columns([column, 'user_id', 'status']),
      ),
      schema.createIndex('roster_by_status').on('roster').columns(['status', 'user_id']),
      schema
        .createTable('roster_words')
        .addColumn('word', 'text', (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('roster.user_id'))
        .addPrimaryKeyConstraint('roster_words_key', ['word', 'user_id']),
      schema.createIndex('roster_words_by_user').on('roster_words').columns(['user_id', 'word']),
      schema.createIndex('roster_by_highest_unpaid').on('roster').column('highest_unpaid'),
    ],
  },
];
