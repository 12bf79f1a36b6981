import Type from 'typebox';
import { mayEdit } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { requireAffiliate } from '../affiliates/index.ts';
import { findUser, toPerson } from '../users/index.ts';
import { exportForReview, ReviewedPersonSchema } from './export-person.ts';

export const getPerson = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/person',
  summary: 'Export everything that is stored about an affiliate',
  description:
    'To answer the request of a person for its data. The same as GET /account/export, and the remarks of the team: ' +
    'review the sections that `review` names before you hand them out.',
  access: 'admin',
  scope: 'manage',
  long: true,
  proof: true,
  params: Type.Object({ id: Id('The affiliate.') }),
  response: ReviewedPersonSchema,
  errors: [generalErrors.notFound, generalErrors.forbidden],
  async handle({ db, site, caller }, { id }) {
    await requireAffiliate(db, id);
    const user = (await findUser(db, id))!;
    if (!mayEdit(caller, toPerson(user))) throw new ApiError(generalErrors.forbidden);
    return exportForReview(db, site, user);
  },
});
