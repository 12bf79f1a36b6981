import type { Kysely } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { pagedList } from '../../../db/lists/paged-list.ts';
import { readAll } from '../../../db/statements/calls.ts';
import { removeFrom } from '../../../db/statements/plain-calls.ts';
import { query } from '../../../db/statements/query.ts';
import { rowQuery } from '../../../db/statements/row-query.ts';
import type { Tables } from '../../../db/tables.ts';
import type { UserRow } from '../../users/index.ts';

export interface NoteRow {
  readonly id: number;
  readonly author_id: number;
  readonly text: string;
  readonly created_at: number;
}

type Author = Pick<UserRow, 'login' | 'email' | 'display_name' | 'role'>;
/** A note that the service itself has written has no author. */
export type SignedNote = NoteRow & { [K in keyof Author]: Author[K] | null };

interface NewNote {
  readonly user_id: number;
  readonly author_id: number;
  readonly text: string;
  readonly created_at: number;
}

const ofUser = (db: Kysely<Tables>, p: { user_id: number }) =>
  db.selectFrom('affiliate_notes').where('user_id', '=', p.user_id);

const signed = (notes: ReturnType<typeof ofUser>) =>
  notes
    .leftJoin('users', 'users.id', 'affiliate_notes.author_id')
    .select(['affiliate_notes.id', 'author_id', 'text', 'affiliate_notes.created_at'])
    .select(['users.login', 'users.email', 'users.display_name', 'users.role']);

const insert = rowQuery<NewNote, { id: number }>((db, row) =>
  db.insertInto('affiliate_notes').values(row).returning('id'),
);

export const noteList = pagedList(ofUser, (q) => signed(q).orderBy('affiliate_notes.id', 'desc'));

const byId = query<{ user_id: number; id: number }, SignedNote>((db, p) =>
  signed(ofUser(db, p)).where('affiliate_notes.id', '=', p.id),
);

export const removeNote = removeFrom('affiliate_notes', 'id');

export const removeNotesOf = removeFrom('affiliate_notes', 'user_id');

/** For the export of a person. The author is left out, because that is about another person. */
export const listNoteTexts = readAll<{ user_id: number }, Pick<NoteRow, 'text' | 'created_at'>>(
  (db, p) =>
    db
      .selectFrom('affiliate_notes')
      .select(['text', 'created_at'])
      .where('user_id', '=', p.user_id)
      .orderBy('id'),
);

export async function insertNote(tx: Transaction, note: NewNote): Promise<SignedNote> {
  const { id } = (await tx.first(insert, note))!;
  return (await tx.first(byId, { id, user_id: note.user_id }))!;
}

export function findNote(db: Reader, userId: number, id: number): Promise<SignedNote | undefined> {
  return db.first(byId, { user_id: userId, id });
}
