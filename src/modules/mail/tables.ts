import type { Generated } from 'kysely';
import type { Language } from '../../shared/languages.ts';

export const mailStates = ['pending', 'held', 'sent', 'failed', 'unknown'] as const;
export type MailState = (typeof mailStates)[number];

/** Mails are inserted in the transaction of the change they report and sent after it commits. */
export interface OutboxTable {
  id: Generated<number>;
  template: string;
  to_address: string;
  to_name: string;
  subject: string;
  text: string;
  html: string;
  /** Unique per event and recipient: a second mail with the same key is not inserted. */
  key: string;
  state: MailState;
  attempts: Generated<number>;
  /** While a mail is being sent, the end of the lease: no other worker claims it before. */
  next_attempt_at: number;
  last_error: Generated<string>;
  created_at: number;
  sent_at: number | null;
  /**
   * The one-time link of the mail, encrypted. The texts contain a placeholder until the mail is sent. Empty once it is
   * erased: after the mail was sent, or failed permanently. Null if the mail has no link.
   */
  link: string | null;
  /**
   * Where the recipient unsubscribes with one click, of a mail to many; null for all others. Mails to many are sent
   * after the others, and at most once: if it is not known whether one arrived, it is not sent again.
   */
  unsubscribe: string | null;
  /** How many of its attempts have a known result. */
  answered: Generated<number>;
}

/** The site's own texts of mails, one row per mail and language. */
export interface MailTextsTable {
  name: string;
  language: Language;
  subject: string;
  text: string;
  updated_at: number;
  updated_by: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    mail_texts: MailTextsTable;
    outbox: OutboxTable;
  }
}
