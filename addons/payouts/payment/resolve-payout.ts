import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { Id, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import { PayoutSchema, readReference, toPayout, TransactionReference } from '../api/payout-wire.ts';
import { ifStored, payoutOperation } from '../missing-tables.ts';
import { applyPayoutChange, invalidTransition } from '../payout/apply-payout-change.ts';
import { lockOrdersFor } from '../payout/lock-orders.ts';
import { inProgress } from '../payout/open-payouts.ts';
import { findPayout, lockPayout } from '../payout/payout-rows.ts';

const outcomes = ['paid', 'created', 'failed'] as const;

export const resolvePayout = payoutOperation({
  method: 'POST',
  namespace: 'store',
  path: '/payouts/{id}/resolve',
  summary: 'Resolve a payout whose outcome is unknown',
  description:
    'For a payout in `processing` whose gateway is not being called right now. Look up the payment at the ' +
    'gateway first: `failed` makes the amount unpaid again, so it can be paid a second time. The request does ' +
    'not call the gateway, and the service no longer asks it about this payout. Repeating the request with ' +
    'the same outcome changes nothing.',
  access: 'admin',
  scope: 'manage',
  proof: true,
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
          description: 'A remark for the change feed and for the failure reason that admins see.',
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
  errors: [generalErrors.notFound, invalidTransition, inProgress, generalErrors.conflict],
  // The status when the request arrived: if the payout settles before its turn, the answer is 409.
  prepare: ({ id }, site) => ifStored(site, () => findPayout(site.database.read, id), undefined),
  async handle(context, input) {
    const { db, site, caller, nowMs, prepared } = context;
    const { id, outcome, note } = input;
    const transactionId = readReference(input.transaction_id);
    await lockOrdersFor(db, { to: outcome });
    await lockPayout(db, id);
    const payout = requireFound(await findPayout(db, id));
    if (payout.status === outcome) return toPayout(payout, site, 'admin');
    if (payout.status !== 'processing') {
      if (prepared?.status === 'processing') throw new ApiError(generalErrors.conflict);
      throw new ApiError(invalidTransition, {
        message: `Only a payout in processing can be resolved; this one is ${payout.status}.`,
      });
    }
    if (payout.leased_until > nowMs) {
      throw new ApiError(inProgress, {
        message: 'The gateway is being called for this payout. Try again in a minute.',
      });
    }
    const resolved = await applyPayoutChange(db, site, {
      // The administrator answers in place of the gateway.
      source: 'gateway',
      payout,
      to: outcome,
      actorId: actorId(caller),
      nowMs,
      ...(transactionId !== undefined && { transactionId }),
      ...(note !== undefined && { note }),
      ...(outcome === 'failed' && {
        failure: {
          code: 'not_paid',
          message: note || 'An administrator marked the payout as not paid.',
        },
      }),
    });
    db.afterCommit(() =>
      site.log.warn(
        { payout_id: id, outcome, user_id: actorId(caller), attempts: payout.pay_attempts },
        'an administrator resolved a payout whose outcome was unknown',
      ),
    );
    return toPayout(resolved, site, 'admin');
  },
});
