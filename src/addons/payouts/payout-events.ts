import Type from 'typebox';
import { defineEvent } from '../../kernel/event.ts';
import { CurrencyCode, Nullable } from '../../kernel/schemas.ts';

const PayoutData = Type.Object({
  payout_id: Type.Integer(),
  user_id: Type.Integer({ description: 'The affiliate.' }),
  coupon_id: Type.Integer(),
  amount: Type.Number(),
  currency: CurrencyCode,
  method_type: Type.String(),
  status: Type.String(),
  from: Nullable(Type.String({ description: 'The status before.' })),
  date: Type.String(),
  date_paid: Nullable(Type.String()),
  transaction_id: Type.String({
    description: 'What the bank or the gateway calls the payment; empty where there is none.',
  }),
});

const payoutEvent = (name: `payout.${string}`, description: string) =>
  defineEvent(name, description, PayoutData);

export const payoutRequested = payoutEvent('payout.requested', 'A payout was requested.');
export const payoutCreated = payoutEvent('payout.created', 'A payout was approved.');
export const payoutPaid = payoutEvent('payout.paid', 'A payout was marked as paid.');
export const payoutReversed = payoutEvent(
  'payout.reversed',
  'A payout that was paid is on its way again.',
);
export const payoutReopened = payoutEvent('payout.reopened', 'A payout is to be reviewed again.');
export const payoutCancelled = payoutEvent(
  'payout.cancelled',
  'A payout was cancelled; its amount is unpaid again.',
);
export const payoutFailed = payoutEvent(
  'payout.failed',
  'The gateway did not pay; the amount is unpaid again.',
);

export const detailsUpdated = defineEvent(
  'affiliate.payout_details_updated',
  "An affiliate's payout details were updated.",
  Type.Object({
    user_id: Type.Integer({ description: 'The affiliate.' }),
    method_type: Type.String(),
  }),
);

export const payoutEvents = [
  payoutRequested,
  payoutCreated,
  payoutPaid,
  payoutReversed,
  payoutReopened,
  payoutCancelled,
  payoutFailed,
  detailsUpdated,
];
