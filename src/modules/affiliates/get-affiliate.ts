import Type from 'typebox';
import { generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { AffiliateSchema, toAffiliate } from './affiliate-wire.ts';
import { requireOwnAffiliate } from './affiliate.ts';

export const getAffiliate = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/affiliates/{id}',
  summary: 'One affiliate with profile, groups, coupons and balances',
  description: 'For admins and the affiliate itself.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The affiliate.') }),
  response: AffiliateSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    return toAffiliate(db, site, caller, await requireOwnAffiliate(db, caller, id));
  },
});
