import Type from 'typebox';
import type { Transaction } from '../../../db/database.ts';
import { actorId } from '../../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation, type Context } from '../../../kernel/declare/operation.ts';
import { Id, StringEnum } from '../../../kernel/declare/schemas.ts';
import { invalidTransition } from '../change-payout-status.ts';
import { conflict, movePayout } from '../move-payout.ts';
import { inProgress } from '../open-request.ts';
import { findPayout, lockPayout, type PayoutRow } from '../payout-store.ts';
import { PayoutSchema, toPayout } from '../payout-wire.ts';
import { ifStored, unavailable, withStorage } from '../missing-tables.ts';
import { readReference, TransactionReference } from '../transaction-reference.ts';
import { byGateway } from '../transitions.ts';

const outcomes = ['paid', 'created', 'failed'] as const;

interface Input {
  id: number;
  outcome: (typeof outcomes)[number];
  transaction_id?: string;
  note?: string;
}

export const resolvePayout = operation({
  method: 'POST',
  namespace: 'store',
  path: '/payouts/{id}/resolve',
  summary: 'Decide what became of a payout whose gateway cannot tell',
  description:
    'For a payout in `processing` that no call to its gateway is working on. Look the payment up at the ' +
    'gateway first: `failed` makes the amount unpaid again, so that it can be paid once more. The gateway ' +
    'is not called, and not asked about this payout any more. Sent again with the same outcome it changes ' +
    'nothing.',
  access: 'admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The payout.') }),
  body: Type.Object(
    {
      outcome: StringEnum(outcomes, {
        description: '`paid`, `created` (on its way) or `failed` (not paid, and never will be).',
      }),
      transaction_id: Type.Optional(TransactionReference),
      note: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'Why, for the change feed and the failure reason that admins read.',
        }),
      ),
    },
    { $id: 'ResolvePayout' },
  ),
  example: {
    body: { outcome: 'paid', transaction_id: '8MC585209K746392H' },
    response: {
      id: 33,
      method: 'PayPal',
      method_type: 'paypal',
      transaction_id: '8MC585209K746392H',
    },
  },
  response: PayoutSchema,
  errors: [generalErrors.notFound, invalidTransition, inProgress, conflict, unavailable],
  // What the caller has seen: a payout that settles in the meantime is another matter.
  prepare: ({ id }, site) => ifStored(site, () => findPayout(site.database.read, id), undefined),
  handle: withStorage(
    async (context: Context<Transaction, PayoutRow | undefined>, input: Input) => {
      const { db, site, caller, nowMs, prepared } = context;
      const { id, outcome, note } = input;
      const transactionId = readReference(input.transaction_id);
      await lockPayout(db, id);
      const payout = await findPayout(db, id);
      if (!payout) throw new ApiError(generalErrors.notFound);
      if (payout.status === outcome) return toPayout(payout, site, 'admin');
      if (payout.status !== 'processing') {
        if (prepared?.status === 'processing') {
          throw new ApiError(conflict);
        }
        throw new ApiError(invalidTransition, {
          message: `Only a payout in processing can be resolved; this one is ${payout.status}.`,
        });
      }
      if (payout.leased_until > nowMs) {
        throw new ApiError(inProgress, {
          message: 'The gateway is being called about this payout. Try again in a minute.',
        });
      }
      const event = byGateway.processing![outcome]!;
      const moved = await movePayout(db, site, payout, outcome, event, {
        actorId: actorId(caller),
        nowMs,
        ...(transactionId !== undefined && { transactionId }),
        ...(note !== undefined && { note }),
        ...(outcome === 'failed' && {
          failure: {
            code: 'not_paid',
            message: note || 'An administrator decided that it was not paid.',
          },
        }),
      });
      db.afterCommit(() =>
        site.log.warn(
          { payout_id: id, outcome, user_id: actorId(caller), attempts: payout.pay_attempts },
          'a payout whose outcome was unknown was resolved by hand',
        ),
      );
      return toPayout(moved, site, 'admin');
    },
  ),
});
