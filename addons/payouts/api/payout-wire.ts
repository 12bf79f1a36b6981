import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { failureReason, FailureReasonSchema, type Viewer } from '../payment/failure-reason.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import type { ShownPayout } from './payout-list-rows.ts';

const payoutExample = {
  id: 31,
  user: { id: 7, display_name: 'Maya Ortiz' },
  coupon_id: 12,
  coupon_code: 'MAYA10',
  amount: 12.5,
  method: 'Bank transfer',
  method_type: 'banktransfer',
  status: 'paid',
  has_details: true,
  transaction_id: 'SEPA-2026-0203-31',
  invoice_id: 0,
  date: '2026-02-02T10:15:00',
  date_paid: '2026-02-03T09:30:00',
  failure_reason: null,
};

/** The same payout before its review. */
export const pendingPayoutExample = {
  ...payoutExample,
  status: 'pending',
  transaction_id: '',
  date_paid: null,
};

/** For the store namespace: the specification's record of a payout has no such field. */
export const OutcomeUnknownSince = Nullable(
  LocalTime("In `processing` only: since when the gateway's outcome is unknown."),
);

export const PayoutSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The payout id.' }),
    user: Type.Object(
      { id: Type.Integer(), display_name: Type.String() },
      { description: 'The affiliate.' },
    ),
    coupon_id: Type.Integer({ description: 'The coupon whose balance is paid out.' }),
    coupon_code: Type.String({ description: "The coupon's code." }),
    amount: Type.Number({ description: "In the store's currency." }),
    method: Type.String({ description: 'The display name of the payout method.' }),
    method_type: Type.String({ description: 'The identifier of the payout method.' }),
    status: StringEnum(payoutStatuses, {
      description:
        '`pending`: in review; `created`: approved or on its way; `processing`: being paid by the gateway; ' +
        '`paid`: paid; `cancel` and `failed`: not paid, and the amount is unpaid again.',
    }),
    has_details: Type.Boolean({
      description: 'True if a destination is stored. It is never returned here.',
    }),
    transaction_id: Type.String({
      description: 'The reference of the bank or gateway; empty if there is none.',
    }),
    invoice_id: Type.Integer({ description: '0 if there is none.' }),
    date: LocalTime('When the payout was requested.'),
    date_paid: Nullable(LocalTime('When the payout was marked as paid.')),
    failure_reason: FailureReasonSchema,
  },
  { $id: 'Payout', examples: [payoutExample] },
);

/** @param viewer Decides which failure reason is shown: some are for admins only. */
export function toPayout(
  row: ShownPayout,
  site: Site,
  viewer: Viewer,
): Static<typeof PayoutSchema> {
  return {
    id: row.id,
    user: { id: row.user_id, display_name: row.display_name },
    coupon_id: row.coupon_id,
    coupon_code: row.coupon_code,
    amount: site.currency.toMajor(row.amount),
    method: row.method,
    method_type: row.method_type,
    status: row.status,
    has_details: row.details !== null,
    transaction_id: row.transaction_id,
    invoice_id: row.invoice_id,
    date: site.calendar.toLocal(row.requested_at),
    date_paid: site.calendar.toLocal(row.paid_at),
    failure_reason: failureReason(row, viewer) ?? null,
  };
}

export const TransactionReference = Type.String({
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description:
    'The reference of the bank or gateway: up to 100 characters without control characters. Surrounding ' +
    'spaces are removed; blank means that there is none.',
  examples: ['SEPA 2026-11-03 4711'],
});

/** The reference as it is stored; undefined if none was given. */
export function readReference(given: string | undefined): string | undefined {
  return given?.trim() || undefined;
}
