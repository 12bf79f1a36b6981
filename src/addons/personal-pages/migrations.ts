import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'personal_pages/0001-personal-pages',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('personal_pages')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('language', 'text', (c) => c.notNull())
        .addColumn('file_id', bigInteger, (c) => c.references('files.id').onDelete('set null'))
        .addColumn('reason', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema
        .createIndex('personal_pages_of_user')
        .on('personal_pages')
        .columns(['user_id', 'state'])
        .unique(),
      schema.createIndex('personal_pages_by_state').on('personal_pages').columns(['state', 'id']),
      // Deleting a file looks for its page.
      schema.createIndex('personal_pages_by_file').on('personal_pages').column('file_id'),
    ],
  },
];
