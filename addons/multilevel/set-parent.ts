import Type from 'typebox';
import { mayEdit } from '../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../src/kernel/declare/errors.ts';
import { operation } from '../../src/kernel/declare/operation.ts';
import { Id, Nullable } from '../../src/kernel/declare/schemas.ts';
import {
  AffiliateSchema,
  requireAffiliate,
  toAffiliate,
} from '../../src/modules/affiliates/index.ts';
import { invalidUser, toPerson } from '../../src/modules/users/index.ts';
import { changeParent, loop } from './parent.ts';

export const setParent = operation({
  method: 'PUT',
  namespace: 'store',
  path: '/affiliates/{id}/parent',
  summary: 'Set the parent of an affiliate',
  description: 'New orders earn shares for the upline; existing orders are not changed.',
  access: 'admin',
  scope: 'write',
  proof: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    { parent_id: Nullable(Id('The parent; null for none.')) },
    { $id: 'ChangeParent' },
  ),
  example: { body: { parent_id: 4 } },
  response: AffiliateSchema,
  errors: [generalErrors.notFound, invalidUser, loop],
  async handle({ db, site, caller, nowMs }, { id, parent_id }) {
    const affiliate = await requireAffiliate(db, id);
    if (!mayEdit(caller, toPerson(affiliate))) throw new ApiError(generalErrors.forbidden);
    await changeParent(db, caller, affiliate, parent_id, nowMs);
    return toAffiliate(db, site, caller, affiliate);
  },
});
