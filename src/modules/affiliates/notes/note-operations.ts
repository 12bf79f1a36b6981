import Type from 'typebox';
import type { Transaction } from '../../../db/database.ts';
import { listed, pageHeaders } from '../../../kernel/cache/collection.ts';
import { actorId, type Caller, isPluginAdmin } from '../../../kernel/declare/caller.ts';
import {
  ApiError,
  defineError,
  generalErrors,
  requireFound,
} from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, pageParameters } from '../../../kernel/declare/schemas.ts';
import { lockAffiliate } from '../affiliate-rows.ts';
import { alreadyAnonymised, requireAffiliate, requireNotAnonymised } from '../affiliate.ts';
import { findNote, insertNote, noteList, removeNote, type SignedNote } from './note-rows.ts';
import { NoteSchema, NoteText, toNote } from './note-wire.ts';

export const listNotes = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/notes',
  summary: 'List the notes about an affiliate',
  description: 'Newest first.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  query: Type.Object(pageParameters),
  response: Type.Array(NoteSchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id, ...page }) {
    await requireAffiliate(db, id);
    return listed(db, noteList, { user_id: id }, page, (row) => toNote(row, site, caller));
  },
});

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

export const deleteNote = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/affiliates/{id}/notes/{note_id}',
  summary: 'Delete a note about an affiliate',
  description: 'Managers delete their own notes, administrators all of them.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.'), note_id: Id('The note.') }),
  response: Type.Object({ deleted: Type.Literal(true) }, { $id: 'DeletedAffiliateNote' }),
  errors: [generalErrors.notFound],
  async handle({ db, caller }, { id, note_id }) {
    const note = requireFound(await findNote(db, id, note_id));
    const isOwn = note.author_id === actorId(caller);
    if (!isOwn && !isPluginAdmin(caller)) {
      throw new ApiError(generalErrors.forbidden);
    }
    await removeNote(db, { id: note_id });
    return { deleted: true as const };
  },
});
