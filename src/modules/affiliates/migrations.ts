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
];
