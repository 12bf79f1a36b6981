import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation, type Context } from '../../kernel/declare/operation.ts';
import { Id, StringEnum } from '../../kernel/declare/schemas.ts';
import { conflict, insufficientUnpaid, movePayout } from './move-payout.ts';
import { findPayout, lockPayout, type PayoutRow } from './payout-store.ts';
import { PayoutSchema, toPayout } from './payout-wire.ts';
import { ifStored, unavailable, withStorage } from './missing-tables.ts';
import { readReference, TransactionReference } from './transaction-reference.ts';
import { byHand, statuses, type PayoutStatus } from './transitions.ts';

interface Input {
  id: number;
  status: PayoutStatus;
  transaction_id?: string;
}

export const invalidTransition = defineError(
  'svc_api_invalid_transition',
  400,
  'A payout cannot go from its status to that one.',
);

export const changePayoutStatus = operation({
  method: 'POST',
  namespace: 'v2',
  path: '/payouts/{id}/status',
  summary: 'Change the status of a payout',
  description:
    'Bookkeeping only: no gateway is ever contacted. With `paid` the reference of a payment made by ' +
    'hand may be sent; the record, the event and the mail to the affiliate show it.',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The payout.') }),
  body: Type.Object(
    {
      status: StringEnum(statuses, { description: 'The status it is to have.' }),
      transaction_id: Type.Optional(TransactionReference),
    },
    { $id: 'ChangePayoutStatus' },
  ),
  example: { body: { status: 'paid', transaction_id: 'SEPA-2026-0203-31' } },
  response: PayoutSchema,
  errors: [
    generalErrors.notFound,
    generalErrors.noChange,
    invalidTransition,
    insufficientUnpaid,
    conflict,
    unavailable,
  ],
  check({ status, transaction_id }, faults) {
    if (status === undefined || status === 'paid' || !readReference(transaction_id)) return;
    faults.add('transaction_id', 'is only taken with the status paid');
  },
  // The status that the request is about: what somebody else makes of it meanwhile is another one.
  prepare: ({ id }, site) => ifStored(site, () => findPayout(site.database.read, id), undefined),
  handle: withStorage(
    async (
      { db, site, caller, nowMs, prepared }: Context<Transaction, PayoutRow | undefined>,
      { id, status, transaction_id }: Input,
    ) => {
      await lockPayout(db, id);
      const payout = await findPayout(db, id);
      if (!payout) throw new ApiError(generalErrors.notFound);
      if (prepared && prepared.status !== payout.status) throw new ApiError(conflict);
      if (payout.status === status) throw new ApiError(generalErrors.noChange);
      const event = byHand[payout.status as PayoutStatus]?.[status];
      if (!event) {
        throw new ApiError(invalidTransition, {
          message: `A payout cannot go from ${payout.status} to ${status}.`,
        });
      }
      const transactionId = readReference(transaction_id);
      const moved = await movePayout(db, site, payout, status, event, {
        actorId: actorId(caller),
        nowMs,
        ...(transactionId !== undefined && { transactionId }),
      });
      return toPayout(moved, site, 'admin');
    },
  ),
});
