import type { Generated, Selectable } from 'kysely';

/** The two sides of a thread: all members of the team are one of them. */
export const sides = ['team', 'affiliate'] as const;
export type Side = (typeof sides)[number];

/** One row for each affiliate with messages. */
export interface MessageThreadsTable {
  /** The affiliate. */
  user_id: number;
  /** How many messages it has. */
  messages: number;
  /** The newest message. */
  last_id: number;
  /** Messages up to this one were read by the side. */
  team_read_id: number;
  affiliate_read_id: number;
  /** How many messages of the other side it has not read. */
  team_unread: number;
  affiliate_unread: number;
  /** When a mail about unread messages is due; null while none is. */
  team_mail_at: number | null;
  affiliate_mail_at: number | null;
  /** When the last mail was sent; 0 before the first one. */
  team_mailed_at: number;
  affiliate_mailed_at: number;
  /** The day of the last message of the affiliate, and how many it sent on that day. */
  sent_day: string;
  sent_messages: number;
}

export type ThreadRow = Selectable<MessageThreadsTable>;

export interface MessagesTable {
  id: Generated<number>;
  /** The affiliate whose thread it is in. */
  user_id: number;
  side: Side;
  /** The user that wrote it; 0 for the service itself. */
  author_id: number;
  text: string;
  created_at: number;
}

export interface MessageFilesTable {
  file_id: number;
  message_id: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    message_threads: MessageThreadsTable;
    messages: MessagesTable;
    message_files: MessageFilesTable;
  }
}
