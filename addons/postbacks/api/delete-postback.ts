import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { deletePostbackRow, lockPostback, requirePostback } from '../postback/postback-rows.ts';
import { postbackParams } from './postback-wire.ts';

export const deletePostback = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/affiliates/{id}/postbacks/{postback_id}',
  summary: 'Delete a postback',
  description: 'What is pending is not sent any more, and the log is removed.',
  access: 'owner',
  scope: 'write',
  params: postbackParams,
  response: Type.Object(
    { deleted: Type.Literal(true) },
    { $id: 'DeletedPostback', examples: [{ deleted: true }] },
  ),
  errors: [generalErrors.notFound],
  async handle({ db, caller }, { id, postback_id }) {
    await requireOwnAffiliate(db, caller, id);
    await lockPostback(db, postback_id);
    await requirePostback(db, id, postback_id);
    await deletePostbackRow(db, { id: postback_id });
    return { deleted: true as const };
  },
});
