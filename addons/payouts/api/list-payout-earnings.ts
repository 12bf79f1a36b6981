import Type from 'typebox';
import { collection, pageHeaders } from '../../../src/kernel/cache/collection.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { Id, pageParameters } from '../../../src/kernel/declare/schemas.ts';
import {
  countEntriesPaidOut,
  EntrySchema,
  findEntriesPaidOut,
  listEntriesPaidOut,
  toEntry,
} from '../../../src/modules/ledger/index.ts';
import { payoutOperation } from '../missing-tables.ts';
import { findPayout } from '../payout/payout-rows.ts';

export const listPayoutEarnings = payoutOperation({
  method: 'GET',
  namespace: 'store',
  path: '/payouts/{id}/earnings',
  summary: 'The ledger entries whose sum a payout pays',
  description:
    'Newest first: commissions of orders, adjustments, and amounts that failed payouts returned to the balance, ' +
    "since the coupon's payout before. An entry to `unpaid` adds its amount, one from `unpaid` subtracts it; " +
    'together they are the amount of the payout.',
  access: 'admin',
  scope: 'read',
  params: Type.Object({ id: Id('The payout.') }),
  query: Type.Object(pageParameters),
  response: Type.Array(EntrySchema),
  headers: pageHeaders,
  errors: [generalErrors.notFound],
  async handle({ db, site }, input) {
    if (!(await findPayout(db, input.id))) throw new ApiError(generalErrors.notFound);
    const range = await findEntriesPaidOut(db, input.id);
    if (!range) return collection(input, 0, () => Promise.resolve([]));
    return collection(input, await countEntriesPaidOut(db, range), async (slice) => {
      const rows = await listEntriesPaidOut(db, { ...range, ...slice });
      return rows.map((row) => toEntry(row, site));
    });
  },
});
