import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { listPostbacksOf } from '../postback/postback-rows.ts';
import { PostbackSchema, toPostback } from './postback-wire.ts';

export const listPostbacks = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/postbacks',
  summary: 'List the postbacks of an affiliate',
  description: 'For admins and the affiliate itself. Oldest first, five at most.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  response: Type.Array(PostbackSchema),
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    await requireOwnAffiliate(db, caller, id);
    return (await listPostbacksOf(db, { user_id: id })).map((row) => toPostback(row, site));
  },
});
