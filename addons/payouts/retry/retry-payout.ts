import Type from 'typebox';
import { ApiError, generalErrors, requireFound } from '../../../src/kernel/declare/errors.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { notCreated, openAndPay, RequestedPayoutSchema } from '../api/request-payout.ts';
import { payoutOperation } from '../missing-tables.ts';
import { invalidTransition } from '../payout/apply-payout-change.ts';
import { inProgress } from '../payout/open-payouts.ts';
import { findPayableAccount, requireOwn } from '../payout/payable-accounts.ts';
import { findPayout } from '../payout/payout-rows.ts';
import { ruleErrors } from '../payout/payout-rules.ts';
import { alreadyRetried } from './retry-of.ts';

export const retryPayout = payoutOperation({
  method: 'POST',
  namespace: 'store',
  path: '/payouts/{id}/retry',
  summary: 'Pay again what a failed payout did not',
  description:
    'A failed payout stays failed, and its amount is part of the unpaid balance again. The retry is a new payout of ' +
    'that balance to the current payout details, by the rules of `POST /payouts`, and refers to the failed one. A ' +
    'payout can be retried once; if the retry fails too, retry that one. If a gateway pays it right away, a session ' +
    'needs a recent proof.',
  access: 'admin',
  scope: 'write',
  proof: 'sometimes',
  params: Type.Object({ id: Id('The failed payout.') }),
  status: 201,
  response: RequestedPayoutSchema,
  errors: [
    ...ruleErrors,
    notCreated,
    inProgress,
    invalidTransition,
    alreadyRetried,
    generalErrors.notFound,
  ],
  // A gateway is called between two transactions, never inside one.
  transaction: false,
  async handle({ db, site, caller, nowMs }, { id }) {
    const failed = requireFound(await findPayout(db, id));
    if (failed.status !== 'failed') {
      throw new ApiError(invalidTransition, {
        message: `Only a failed payout can be retried; this one is ${failed.status}.`,
      });
    }
    const coupon = requireOwn(await findPayableAccount(db, failed), caller);
    return openAndPay(site, caller, coupon, { nowMs, retryOf: failed });
  },
});
