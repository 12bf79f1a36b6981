import Type, { type Static } from 'typebox';
import type { Caller } from '../../../kernel/declare/caller.ts';
import { LocalTime, Nullable } from '../../../kernel/declare/schemas.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { toPerson, toUser, UserSchema } from '../../users/index.ts';
import type { SignedNote } from './note-rows.ts';

const NOTE_LENGTH_MAX = 2_000;

export const NoteText = Type.String({
  minLength: 1,
  maxLength: NOTE_LENGTH_MAX,
  description: 'Plain text. Only administrators and managers read it.',
});

export const NoteSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the note.' }),
    text: Type.String({ description: 'Plain text.' }),
    author: Nullable(UserSchema),
    date_created: LocalTime('When it was written.'),
  },
  {
    $id: 'AffiliateNote',
    examples: [
      {
        id: 3,
        text: 'Asked for a higher rate in January. Talk again after the summer sale.',
        author: { id: 2, display_name: 'Ines Duarte', login: 'ines', email: 'ines@example.com' },
        date_created: '2026-01-14T12:00:47',
      },
    ],
  },
);

export function toNote(row: SignedNote, site: Site, caller: Caller): Static<typeof NoteSchema> {
  const { login, email, display_name, role } = row;
  const author =
    login === null || email === null || display_name === null || role === null
      ? null
      : toUser(toPerson({ id: row.author_id, login, email, display_name, role }), caller);
  return {
    id: row.id,
    text: row.text,
    author,
    date_created: site.calendar.toLocal(row.created_at),
  };
}
