import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';
import type { Language } from '../../shared/languages.ts';

export const mailStates = ['pending', 'held', 'sent', 'failed', 'unknown'] as const;
export type MailState = (typeof mailStates)[number];

export const tables = {
  /** The site's own texts of mails, one row per mail and language. */
  mail_texts: table({
    name: text(),
    language: text<Language>(),
    subject: text(),
    text: text(),
    updated_at: integer(),
    updated_by: integer().references('users.id'),
  }).key('name', 'language'),
  /** Mails are inserted in the transaction of the change they report and sent after it commits. */
  outbox: table({
    id: id(),
    template: text(),
    to_address: text(),
    to_name: text(),
    subject: text(),
    text: text(),
    html: text(),
    /** Unique per event and recipient: a second mail with the same key is not inserted. */
    key: text().unique(),
    state: text<MailState>(),
    attempts: integer().default(0),
    /** While a mail is being sent, the end of the lease: no other worker claims it before. */
    next_attempt_at: integer(),
    last_error: text().default(''),
    created_at: integer(),
    sent_at: integer().orNull(),
    /**
     * The one-time link of the mail, encrypted. The texts contain a placeholder until the mail is sent. Empty once it is
     * erased: after the mail was sent, or failed permanently. Null if the mail has no link.
     */
    link: text().orNull(),
  })
    .index('due', ['state', 'next_attempt_at'])
    .index('by_state', ['state', 'id'])
    .index('by_template', ['template', 'id'])
    .index('by_address', ['to_address', 'id'])
    .added({
      /**
       * Where the recipient unsubscribes with one click, of a mail to many; null for all others. Mails to many are sent
       * after the others, and at most once: if it is not known whether one arrived, it is not sent again.
       */
      unsubscribe: text().orNull(),
      /** How many of its attempts have a known result. */
      answered: integer().default(0),
    })
    // An index for each, so that thousands of mails to many do not stand before a mail about money.
    .index('due_single', ['next_attempt_at', 'id'], {
      where: "state = 'pending' and unsubscribe is null",
    })
    .index('due_many', ['next_attempt_at', 'id'], {
      where: "state = 'pending' and unsubscribe is not null",
    }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
