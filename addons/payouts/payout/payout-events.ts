import Type from 'typebox';
import { defineEvent, type EventDefinition } from '../../../src/kernel/declare/event.ts';
import { CurrencyCode, Nullable } from '../../../src/kernel/declare/schemas.ts';

const PayoutData = Type.Object({
  payout_id: Type.Integer(),
  user_id: Type.Integer({ description: 'The affiliate.' }),
  coupon_id: Type.Integer(),
  amount: Type.Number(),
  currency: CurrencyCode,
  method_type: Type.String(),
  status: Type.String(),
  from: Nullable(Type.String({ description: 'The previous status; null for a new payout.' })),
  date: Type.String(),
  date_paid: Nullable(Type.String()),
  transaction_id: Type.String({
    description: 'The reference of the bank or gateway; empty if there is none.',
  }),
});

export type PayoutEvent = EventDefinition<typeof PayoutData>;

const examplePayout = {
  payout_id: 31,
  user_id: 7,
  coupon_id: 12,
  amount: 12.5,
  currency: 'USD',
  method_type: 'banktransfer',
  status: 'pending',
  from: null,
  date: '2026-02-02T10:15:00',
  date_paid: null,
  transaction_id: '',
};

export const payoutRequested = defineEvent(
  'payout.requested',
  'A payout was requested.',
  PayoutData,
  {
    id: 58,
    timestamp: '2026-02-02T10:15:00.204Z',
    data: examplePayout,
  },
);
export const payoutCreated = defineEvent('payout.created', 'A payout was approved.', PayoutData, {
  id: 60,
  timestamp: '2026-02-02T16:40:12.618Z',
  data: { ...examplePayout, status: 'created', from: 'pending' },
});
/** A payout keeps its reference through all later changes. */
const examplePaidOnce = { ...examplePayout, transaction_id: 'FT26034-88121' };

export const payoutPaid = defineEvent('payout.paid', 'A payout was marked as paid.', PayoutData, {
  id: 61,
  timestamp: '2026-02-03T09:30:00.871Z',
  data: {
    ...examplePaidOnce,
    status: 'paid',
    from: 'created',
    date_paid: '2026-02-03T09:30:00',
  },
});
export const payoutReversed = defineEvent(
  'payout.reversed',
  'A payout that was marked as paid is open again.',
  PayoutData,
  {
    id: 63,
    timestamp: '2026-02-04T08:05:37.019Z',
    data: { ...examplePaidOnce, status: 'created', from: 'paid' },
  },
);
export const payoutCancelled = defineEvent(
  'payout.cancelled',
  'A payout was cancelled. Its amount is unpaid again.',
  PayoutData,
  {
    id: 64,
    timestamp: '2026-02-04T08:21:45.933Z',
    data: { ...examplePaidOnce, status: 'cancel', from: 'created' },
  },
);
export const payoutReopened = defineEvent(
  'payout.reopened',
  'A payout was reopened for review.',
  PayoutData,
  {
    id: 65,
    timestamp: '2026-02-04T11:02:58.345Z',
    data: { ...examplePaidOnce, status: 'pending', from: 'cancel' },
  },
);
export const payoutFailed = defineEvent(
  'payout.failed',
  'A payout failed. Its amount is unpaid again.',
  PayoutData,
  {
    id: 67,
    timestamp: '2026-02-05T10:00:03.507Z',
    data: {
      payout_id: 32,
      user_id: 4,
      coupon_id: 9,
      amount: 6.25,
      currency: 'USD',
      method_type: 'paypal',
      status: 'failed',
      from: 'processing',
      date: '2026-02-05T09:59:58',
      date_paid: null,
      transaction_id: '',
    },
  },
);

export const detailsUpdated = defineEvent(
  'affiliate.payout_details_updated',
  "An affiliate's payout details were updated.",
  Type.Object({
    user_id: Type.Integer({ description: 'The affiliate.' }),
    method_type: Type.String(),
  }),
  {
    id: 36,
    timestamp: '2026-01-15T09:48:33.790Z',
    data: { user_id: 7, method_type: 'banktransfer' },
  },
);

export const detailsRevealed = defineEvent(
  'payout_details.revealed',
  "An admin viewed an affiliate's unmasked payout details.",
  Type.Object({
    user_id: Type.Integer({ description: 'The affiliate.' }),
    revealed_by: Type.Integer({ description: 'The admin; 0 for the command line.' }),
    method_type: Type.String(),
    payout_id: Nullable(
      Type.Integer({
        description: 'The payout whose destination was viewed; null for the saved details.',
      }),
    ),
  }),
  {
    id: 59,
    timestamp: '2026-02-02T16:38:20.116Z',
    data: { user_id: 7, revealed_by: 1, method_type: 'banktransfer', payout_id: 31 },
  },
  'user',
);

export const payoutFileCreated = defineEvent(
  'payout_file.created',
  'A file with payouts was made for a bank or a payment service.',
  Type.Object({
    file_id: Type.Integer(),
    format: Type.String({ description: '`sepa`, `bank`, `paypal` or `wise`.' }),
    payouts: Type.Integer({ description: 'How many payouts it pays.' }),
    total: Type.Number(),
    currency: CurrencyCode,
    created_by: Type.Integer({ description: 'The admin; 0 for the command line.' }),
  }),
  {
    id: 73,
    timestamp: '2026-02-11T16:20:11.412Z',
    data: {
      file_id: 3,
      format: 'paypal',
      payouts: 2,
      total: 18.75,
      currency: 'USD',
      created_by: 1,
    },
  },
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
  detailsRevealed,
  payoutFileCreated,
];
