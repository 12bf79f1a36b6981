import { sql } from 'kysely';
import type { Migration } from '../../db/migrator.ts';

export const migrations: Migration[] = [
  {
    name: 'messages/0001-messages',
    up: (schema, { idType, idColumn, bigInteger }) => [
      schema
        .createTable('message_threads')
        .addColumn('user_id', bigInteger, (c) => c.primaryKey().references('users.id'))
        .addColumn('messages', bigInteger, (c) => c.notNull())
        .addColumn('last_id', bigInteger, (c) => c.notNull())
        .addColumn('team_read_id', bigInteger, (c) => c.notNull())
        .addColumn('affiliate_read_id', bigInteger, (c) => c.notNull())
        .addColumn('team_unread', bigInteger, (c) => c.notNull())
        .addColumn('affiliate_unread', bigInteger, (c) => c.notNull())
        .addColumn('team_mail_at', bigInteger)
        .addColumn('affiliate_mail_at', bigInteger)
        .addColumn('team_mailed_at', bigInteger, (c) => c.notNull())
        .addColumn('affiliate_mailed_at', bigInteger, (c) => c.notNull())
        .addColumn('sent_day', 'text', (c) => c.notNull())
        .addColumn('sent_messages', bigInteger, (c) => c.notNull())
        .addColumn('sent_bytes', bigInteger, (c) => c.notNull()),
      schema.createIndex('message_threads_by_last').on('message_threads').column('last_id'),
      // Few rows: what the team has to read.
      schema
        .createIndex('message_threads_unread')
        .on('message_threads')
        .column('last_id')
        .where(sql.ref('team_unread'), '>', sql.lit(0)),
      // Few rows: mails of the next minutes.
      schema
        .createIndex('message_threads_team_mails')
        .on('message_threads')
        .column('team_mail_at')
        .where('team_mail_at', 'is not', null),
      schema
        .createIndex('message_threads_affiliate_mails')
        .on('message_threads')
        .column('affiliate_mail_at')
        .where('affiliate_mail_at', 'is not', null),
      schema
        .createTable('messages')
        .addColumn('id', idType, idColumn)
        .addColumn('user_id', bigInteger, (c) => c.notNull().references('users.id'))
        .addColumn('side', 'text', (c) => c.notNull())
        .addColumn('author_id', bigInteger, (c) => c.notNull())
        .addColumn('text', 'text', (c) => c.notNull())
        .addColumn('created_at', bigInteger, (c) => c.notNull()),
      schema.createIndex('messages_of_thread').on('messages').columns(['user_id', 'id']),
      schema
        .createTable('message_files')
        .addColumn('file_id', bigInteger, (c) =>
          c.primaryKey().references('files.id').onDelete('cascade'),
        )
        .addColumn('message_id', bigInteger, (c) =>
          c.notNull().references('messages.id').onDelete('cascade'),
        ),
      schema.createIndex('message_files_of_message').on('message_files').column('message_id'),
    ],
  },
  {
    name: 'messages/0002-bytes-of-files',
    up: (schema) => [schema.alterTable('message_threads').dropColumn('sent_bytes')],
  },
];
