import { sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { mailboxOf } from '../../../shared/email-address.ts';

type Params = { user_id: number; from: string; until: string; mailbox: string };

/**
 * Affiliates who may have the mailbox: by the same name with an extension (`ann+x@`), and by the pattern of their
 * applications, which ignores dots. Each is one step in an index.
 */
const candidates = readAll<Params, { id: number; email: string }>((db, p) =>
  db
    .selectFrom('users')
    .innerJoin('affiliates', 'affiliates.user_id', 'users.id')
    .select(['users.id', 'users.email'])
    .where('users.id', '<>', p.user_id)
    .where('users.id', 'in', (eb) =>
      eb
        .selectFrom('users as spelled')
        .select('spelled.id')
        .where('spelled.email_folded', '>=', p.from)
        .where('spelled.email_folded', '<', p.until)
        .union(
          eb
            .selectFrom('users as plain')
            .select('plain.id')
            .where('plain.email_folded', '=', p.mailbox),
        )
        .union(
          eb
            .selectFrom('registrations as own')
            .innerJoin('registrations as other', 'other.mail_pattern', 'own.mail_pattern')
            .select('other.user_id as id')
            .where('own.user_id', '=', p.user_id)
            .where('own.mail_pattern', '<>', sql.lit('')),
        ),
    )
    .orderBy('users.id'),
);

/** The first other affiliate with the same mailbox, except those in `known`. */
export async function findSameMailbox(
  db: Reader,
  { id, email }: { readonly id: number; readonly email: string },
  known: ReadonlySet<number>,
): Promise<number | undefined> {
  const mailbox = mailboxOf(email);
  const name = mailbox.slice(0, mailbox.lastIndexOf('@'));
  // A comma follows the plus sign.
  const range = { from: `${name}+`, until: `${name},` };
  const found = await candidates(db, { user_id: id, mailbox, ...range });
  return found.find((other) => !known.has(other.id) && mailboxOf(other.email) === mailbox)?.id;
}
