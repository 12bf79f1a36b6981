import Type from 'typebox';
import { generalErrors } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation.ts';
import { Id } from '../../kernel/schemas.ts';
import { PayoutDetailsSchema, requireOwnDetails, toPayoutDetails } from './payout-details.ts';
import { unavailable, withStorage } from './storage.ts';

export const getPayoutDetails = operation({
  method: 'GET',
  namespace: 'store',
  path: '/affiliates/{id}/payout-details',
  summary: 'How an affiliate is paid',
  description: 'For admins and the affiliate itself; the destination is masked.',
  access: 'owner',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  response: PayoutDetailsSchema,
  errors: [generalErrors.notFound, generalErrors.forbidden, unavailable],
  handle: withStorage(async ({ db, site, caller }, { id }: { id: number }) => {
    await requireOwnDetails(db, caller, id);
    return toPayoutDetails(db, site, id);
  }),
});
