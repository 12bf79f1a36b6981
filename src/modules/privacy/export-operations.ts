import Type from 'typebox';
import { mayEdit } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { requireAffiliate } from '../affiliates/index.ts';
import { findUser, toPerson } from '../users/index.ts';
import {
  exportForReview,
  exportPerson,
  PersonSchema,
  ReviewedPersonSchema,
} from './export-person.ts';

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

export const getOwnExport = operation({
  method: 'GET',
  namespace: 'store',
  path: '/account/export',
  summary: 'Export everything that is stored about you',
  description:
    'Without secrets and remarks of the team; payout details are masked. At most the latest 10,000 orders, entries of ' +
    'the ledger and activities.',
  access: 'user',
  scope: 'manage',
  long: true,
  proof: true,
  response: PersonSchema,
  async handle({ db, site, caller }) {
    // The caller was identified by its row.
    return exportPerson(db, site, (await findUser(db, caller.person!.id))!);
  },
});
