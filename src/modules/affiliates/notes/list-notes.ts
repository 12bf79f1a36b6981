import Type from 'typebox';
import { listed, pageHeaders } from '../../../kernel/cache/collection.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id, pageParameters } from '../../../kernel/declare/schemas.ts';
import { requireAffiliate } from '../affiliate.ts';
import { noteList } from './note-rows.ts';
import { NoteSchema, toNote } from './note-wire.ts';

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
