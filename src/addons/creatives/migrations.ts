import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'creatives/0001-creatives',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('creatives')
        .addColumn('id', idType, idColumn)
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('category', 'text', (c) => c.notNull())
        .addColumn('description', 'text', (c) => c.notNull())
        .addColumn('language', 'text', (c) => c.notNull())
        .addColumn('alt', 'text', (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('url', 'text', (c) => c.notNull())
        .addColumn('file_id', bigInteger, (c) => c.references('files.id').onDelete('set null'))
        .addColumn('audience', 'text', (c) => c.notNull())
        .addColumn('from_day', 'text', (c) => c.notNull())
        .addColumn('to_day', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull())
        .addColumn('updated_at', bigInteger, (c) => c.notNull()),
      // Deleting a file looks for its creative.
      schema.createIndex('creatives_by_file').on('creatives').column('file_id'),
      schema
        .createTable('creative_groups')
        .addColumn('creative_id', bigInteger, (c) =>
          c.notNull().references('creatives.id').onDelete('cascade'),
        )
        .addColumn('group_id', bigInteger, (c) => c.notNull().references('groups.id'))
        .addPrimaryKeyConstraint('creative_groups_key', ['creative_id', 'group_id']),
      schema
        .createTable('creative_affiliates')
        .addColumn('creative_id', bigInteger, (c) =>
          c.notNull().references('creatives.id').onDelete('cascade'),
        )
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addPrimaryKeyConstraint('creative_affiliates_key', ['creative_id', 'user_id']),
      schema
        .createIndex('creative_affiliates_by_user')
        .on('creative_affiliates')
        .columns(['user_id', 'creative_id']),
    ],
  },
];
