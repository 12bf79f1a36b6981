import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../src/db/tables.ts';
import { mailboxOf } from '../../../src/shared/email-address.ts';

export interface MailboxParams {
  user_id: number;
  mailbox: string;
  from: string;
  until: string;
}

export function mailboxParams(user_id: number, email: string): MailboxParams {
  const mailbox = mailboxOf(email);
  const name = mailbox.slice(0, mailbox.lastIndexOf('@'));
  // A comma follows the plus sign.
  return { user_id, mailbox, from: `${name}+`, until: `${name},` };
}

/**
 * Other affiliates who may have the mailbox: by the same name with an extension (`ann+x@`), and by the pattern of their
 * applications, which ignores dots. Each is one step in an index.
 */
export function mayShareMailbox(db: Kysely<Tables>, p: MailboxParams) {
  const spelled = db
    .selectFrom('users as spelled')
    .select('spelled.id')
    .where('spelled.email_folded', '>=', p.from)
    .where('spelled.email_folded', '<', p.until);
  const plain = db
    .selectFrom('users as plain')
    .select('plain.id')
    .where('plain.email_folded', '=', p.mailbox);
  const applied = db
    .selectFrom('registrations as own')
    .innerJoin('registrations as other', 'other.mail_pattern', 'own.mail_pattern')
    .select('other.user_id as id')
    .where('own.user_id', '=', p.user_id)
    .where('own.mail_pattern', '<>', sql.lit(''));
  return db
    .selectFrom('users')
    .innerJoin('affiliates', 'affiliates.user_id', 'users.id')
    .select(['users.id', 'users.email'])
    .where('users.id', '<>', p.user_id)
    .where('users.id', 'in', spelled.union(plain).union(applied));
}
