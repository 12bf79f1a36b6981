import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: '0002-affiliates',
    up: (schema, { bigInteger }) => [
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
    ],
  },
  {
    name: '0003-notes-and-tags',
    up: (schema, { idType, idColumn, bigInteger }) => [
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
    ],
  },
];
