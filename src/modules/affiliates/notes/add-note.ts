import Type from 'typebox';
import type { Transaction } from '../../../db/database.ts';
import { actorId, type Caller } from '../../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { lockAffiliate } from '../affiliate-rows.ts';
import { alreadyAnonymised, requireAffiliate, requireNotAnonymised } from '../affiliate.ts';
import { insertNote, noteList, type SignedNote } from './note-rows.ts';
import { NoteSchema, NoteText, toNote } from './note-wire.ts';

const NOTES_MAX = 500;

export const tooManyNotes = defineError(
  'svc_api_too_many_notes',
  409,
  `An affiliate can have ${NOTES_MAX} notes. Delete some first.`,
);

export const addNote = operation({
  method: 'POST',
  namespace: 'store',
  path: '/affiliates/{id}/notes',
  summary: 'Add a note about an affiliate',
  description: 'The affiliate does not see it, but it is part of the export of its data.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object({ text: NoteText }, { $id: 'AddAffiliateNote' }),
  example: {
    body: { text: 'Asked for a higher rate in January. Talk again after the summer sale.' },
  },
  status: 201,
  response: NoteSchema,
  errors: [generalErrors.notFound, tooManyNotes, alreadyAnonymised],
  async handle({ db, site, caller, nowMs }, { id, text }) {
    await lockAffiliate(db, id);
    requireNotAnonymised(await requireAffiliate(db, id));
    return toNote(await storeNote(db, caller, id, text, nowMs), site, caller);
  },
});

/** The caller has locked the affiliate, so the number of its notes does not change. */
export async function storeNote(
  tx: Transaction,
  caller: Caller,
  userId: number,
  text: string,
  nowMs: number,
): Promise<SignedNote> {
  if ((await noteList.count(tx, { user_id: userId })) >= NOTES_MAX)
    throw new ApiError(tooManyNotes);
  return insertNote(tx, {
    user_id: userId,
    author_id: actorId(caller),
    text,
    created_at: nowMs,
  });
}
