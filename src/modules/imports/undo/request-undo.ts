import Type from 'typebox';
import { actorId } from '../../../kernel/declare/caller.ts';
import { generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { findImportToChange, saveUndoRequest } from '../import-rows.ts';
import { ImportSchema, toImport } from '../import-wire.ts';
import { notUndoable } from './not-undoable.ts';
import { beginUndo } from './undo-import.ts';

export const requestUndo = operation({
  method: 'POST',
  namespace: 'store',
  path: '/imports/{id}/undo',
  summary: 'Undo an import from another system',
  description:
    'Takes back its balances, removes its coupons, affiliates, history and reward rules, and cancels its orders, in the background. ' +
    'Refused before anything changes if money has moved since, or commission of the orders is paid or on its way. Affiliates ' +
    'whose accounts were used since, and rules and orders that were changed since, stay.',
  access: 'plugin-admin',
  scope: 'manage',
  proof: true,
  params: Type.Object({ id: Id('The import.') }),
  response: ImportSchema,
  example: { response: { state: 'undoing', date_ended: null } },
  errors: [generalErrors.notFound, notUndoable],
  async handle({ db, site, caller }, { id }) {
    await beginUndo(db, site, id);
    await saveUndoRequest(db, { id, undo_by: actorId(caller), reason: '' });
    return toImport((await findImportToChange(db, { id }))!, site);
  },
});
