import type { Kysely } from 'kysely';
import type { Reader, Transaction } from '../../../db/database.ts';
import { query } from '../../../db/statements/query.ts';
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

const signed = (db: Kysely<Tables>) =>
  db
    .selectFrom('affiliate_notes')
    .leftJoin('users', 'users.id', 'affiliate_notes.author_id')
    .select(['affiliate_notes.id', 'author_id', 'text', 'affiliate_notes.created_at'])
    .select(['users.login', 'users.email', 'users.display_name', 'users.role']);

const insert = query<NewNote, { id: number }>((db, p) =>
  db
    .insertInto('affiliate_notes')
    .values({
      user_id: p.user_id,
      author_id: p.author_id,
      text: p.text,
      created_at: p.created_at,
    })
    .returning('id'),
);

const count = query<{ user_id: number }, { total: number }>((db, p) =>
  db
    .selectFrom('affiliate_notes')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', p.user_id),
);

const list = query<{ user_id: number; limit: number; offset: number }, SignedNote>((db, p) =>
  signed(db)
    .where('user_id', '=', p.user_id)
    .orderBy('affiliate_notes.id', 'desc')
    .limit(p.limit)
    .offset(p.offset),
);

const byId = query<{ user_id: number; id: number }, SignedNote>((db, p) =>
  signed(db).where('affiliate_notes.id', '=', p.id).where('user_id', '=', p.user_id),
);

const remove = query<{ id: number }>((db, p) =>
  db.deleteFrom('affiliate_notes').where('id', '=', p.id),
);

const removeAll = query<{ user_id: number }>((db, p) =>
  db.deleteFrom('affiliate_notes').where('user_id', '=', p.user_id),
);

const texts = query<{ user_id: number }, Pick<NoteRow, 'text' | 'created_at'>>((db, p) =>
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

export async function countNotes(db: Reader, userId: number): Promise<number> {
  return (await db.first(count, { user_id: userId }))!.total;
}

export function listNoteRows(
  db: Reader,
  userId: number,
  page: { limit: number; offset: number },
): Promise<SignedNote[]> {
  return db.all(list, { user_id: userId, ...page });
}

export function findNote(db: Reader, userId: number, id: number): Promise<SignedNote | undefined> {
  return db.first(byId, { user_id: userId, id });
}

export async function removeNote(tx: Transaction, id: number): Promise<void> {
  await tx.run(remove, { id });
}

/** For the export of a person. The author is left out, because that is about another person. */
export function listNoteTexts(
  db: Reader,
  userId: number,
): Promise<Pick<NoteRow, 'text' | 'created_at'>[]> {
  return db.all(texts, { user_id: userId });
}

export async function removeNotesOf(tx: Transaction, userId: number): Promise<void> {
  await tx.run(removeAll, { user_id: userId });
}
