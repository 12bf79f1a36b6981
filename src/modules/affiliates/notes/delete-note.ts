import Type from 'typebox';
import { actorId, isPluginAdmin } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { findNote, removeNote } from './note-rows.ts';

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
