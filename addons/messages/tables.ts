import { id, integer, table, text, type TablesOf } from '../../src/db/define-table.ts';
import type { RowOf } from '../../src/db/tables.ts';

/** The two sides of a thread: all members of the team are one of them. */
export const sides = ['team', 'affiliate'] as const;
export type Side = (typeof sides)[number];

export type ThreadRow = RowOf<'message_threads'>;

export const tables = {
  /** One row for each affiliate with messages. */
  message_threads: table({
    /** The affiliate. */
    user_id: integer().key().references('users.id'),
    /** How many messages it has. */
    messages: integer(),
    /** The newest message. */
    last_id: integer(),
    /** Messages up to this one were read by the side. */
    team_read_id: integer(),
    affiliate_read_id: integer(),
    /** How many messages of the other side it has not read. */
    team_unread: integer(),
    affiliate_unread: integer(),
    /** When a mail about unread messages is due; null while none is. */
    team_mail_at: integer().orNull(),
    affiliate_mail_at: integer().orNull(),
    /** When the last mail was sent; 0 before the first one. */
    team_mailed_at: integer(),
    affiliate_mailed_at: integer(),
    /** The day of the last message of the affiliate, and how many it sent on that day. */
    sent_day: text(),
    sent_messages: integer(),
  })
    .index('by_last', ['last_id'])
    // Few rows: what the team has to read.
    .index('unread', ['last_id'], { where: 'team_unread > 0' })
    // Few rows: mails of the next minutes.
    .index('team_mails', ['team_mail_at'], { where: 'team_mail_at is not null' })
    .index('affiliate_mails', ['affiliate_mail_at'], { where: 'affiliate_mail_at is not null' }),
  messages: table({
    id: id(),
    /** The affiliate whose thread it is in. */
    user_id: integer().references('users.id'),
    side: text<Side>(),
    /** The user that wrote it; 0 for the service itself. */
    author_id: integer(),
    text: text(),
    created_at: integer(),
  }).index('of_thread', ['user_id', 'id']),
  message_files: table({
    file_id: integer().key().references('files.id', 'cascade'),
    message_id: integer().references('messages.id', 'cascade'),
  }).index('of_message', ['message_id']),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
