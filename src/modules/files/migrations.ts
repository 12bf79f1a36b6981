import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'files/0001-files',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('files')
        .addColumn('id', idType, idColumn)
        .addColumn('key', 'text', (c) => c.notNull().unique())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('bytes', bigInteger, (c) => c.notNull())
        .addColumn('sha256', 'text', (c) => c.notNull())
        .addColumn('width', bigInteger)
        .addColumn('height', bigInteger)
        .addColumn('small_bytes', bigInteger, (c) => c.notNull())
        .addColumn('access', 'text', (c) => c.notNull())
        .addColumn('user_id', bigInteger, (c) => c.references('users.id'))
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema
        .createIndex('files_of_user')
        .on('files')
        .column('user_id')
        .where('user_id', 'is not', null),
      // Few rows: those that the next clean-up may delete.
      schema
        .createIndex('files_unused')
        .on('files')
        .columns(['state', 'created_at'])
        .where(sql.ref('state'), '<>', sql.lit('kept')),
    ],
  },
  {
    name: 'files/0002-file-days',
    up: (schema, { bigInteger }) => [
      schema
        .createTable('file_days')
        .addColumn('user_id', bigInteger, (c) => c.primaryKey().references('users.id'))
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('bytes', bigInteger, (c) => c.notNull()),
    ],
  },
];
