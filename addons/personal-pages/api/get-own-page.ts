import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { requireOwnAffiliate } from '../../../src/modules/affiliates/index.ts';
import { readOwnPage } from '../own-page.ts';
import { OwnPersonalPageSchema } from '../page-wire.ts';

export const getOwnPage = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/personal-page',
  summary: 'The personal page of an affiliate',
  description:
    'For admins and the affiliate itself: the version that visitors see, and a later one that waits for the review or ' +
    'was declined.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  response: OwnPersonalPageSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    await requireOwnAffiliate(db, caller, id);
    return readOwnPage(db, site, id);
  },
});
