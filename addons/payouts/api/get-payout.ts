import Type from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { isAdmin, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { payoutOperation } from '../missing-tables.ts';
import { viewerOf } from '../payment/failure-reason.ts';
import { findPayout, type PayoutRow } from '../payout/payout-rows.ts';
import { PayoutSchema, toPayout } from './payout-wire.ts';

export const getPayout = payoutOperation({
  method: 'GET',
  namespace: 'v2',
  path: '/payouts/{id}',
  summary: 'Get a payout',
  description: 'For admins and the affiliate who is paid.',
  access: 'owner',
  scope: 'read',
  params: Type.Object({ id: Id('The payout.') }),
  response: PayoutSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id }) {
    return toPayout(await requireOwnPayout(db, caller, id), site, viewerOf(caller));
  },
});

/** For admins and the affiliate who is paid; for other callers it does not exist. */
export async function requireOwnPayout(db: Reader, caller: Caller, id: number): Promise<PayoutRow> {
  const payout = await findPayout(db, id);
  const isOwner = caller.person !== null && payout?.user_id === caller.person.id;
  if (!payout || (!isAdmin(caller) && !isOwner)) throw new ApiError(generalErrors.notFound);
  return payout;
}
