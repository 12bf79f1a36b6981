import Type from 'typebox';
import { isAdmin } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { viewerOf } from './payment/failure-reason.ts';
import { findPayout } from './payout-store.ts';
import { PayoutSchema, toPayout } from './payout-wire.ts';
import { unavailable, withStorage } from './missing-tables.ts';

export const getPayout = operation({
  method: 'GET',
  namespace: 'v2',
  path: '/payouts/{id}',
  summary: 'Get a payout',
  description: 'For admins and the affiliate who is paid.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The payout.') }),
  response: PayoutSchema,
  errors: [generalErrors.notFound, unavailable],
  handle: withStorage(async ({ db, site, caller }, { id }: { id: number }) => {
    const payout = await findPayout(db, id);
    const isOwner = caller.person !== null && payout?.user_id === caller.person.id;
    if (!payout || (!isAdmin(caller) && !isOwner)) throw new ApiError(generalErrors.notFound);
    return toPayout(payout, site, viewerOf(caller));
  }),
});
