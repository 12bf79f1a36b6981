import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { failureReason, FailureReasonSchema, type Viewer } from './payment/failure-reason.ts';
import type { PayoutRow } from './payout-store.ts';
import { allStatuses, type PayoutStatus } from './transitions.ts';

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
  outcome_unknown_since: null,
  failure_reason: null,
};

/** The same while nothing has been decided about it. */
export const pendingPayoutExample = {
  ...payoutExample,
  status: 'pending',
  transaction_id: '',
  date_paid: null,
};

export const PayoutSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the payout.' }),
    user: Type.Object(
      { id: Type.Integer(), display_name: Type.String() },
      { description: 'The affiliate it is for.' },
    ),
    coupon_id: Type.Integer({ description: 'The coupon whose balance it pays.' }),
    coupon_code: Type.String({ description: 'Its code.' }),
    amount: Type.Number({ description: "In the store's currency." }),
    method: Type.String({ description: 'The payout method as people read it.' }),
    method_type: Type.String({ description: 'The payout method as programs read it.' }),
    status: StringEnum(allStatuses, {
      description:
        '`pending`: requested; `created`: approved or on its way; `processing`: its gateway is being ' +
        'called; `cancel` and `failed`: not paid, the amount is unpaid again.',
    }),
    has_details: Type.Boolean({ description: 'A destination is stored. It is never returned.' }),
    transaction_id: Type.String({
      description: 'What the bank or the gateway calls the payment; empty where there is none.',
    }),
    invoice_id: Type.Integer({ description: '0 where there is none.' }),
    date: LocalTime('When it was requested.'),
    date_paid: Nullable(LocalTime('When it was settled.')),
    outcome_unknown_since: Nullable(
      LocalTime('Since when its gateway has not carried it out for certain: `processing` only.'),
    ),
    failure_reason: FailureReasonSchema,
  },
  { $id: 'Payout', examples: [payoutExample] },
);

/** @param viewer What concerns the store's credentials or balance is for admins alone. */
export function toPayout(row: PayoutRow, site: Site, viewer: Viewer): Static<typeof PayoutSchema> {
  return {
    id: row.id,
    user: { id: row.user_id, display_name: row.display_name },
    coupon_id: row.coupon_id,
    coupon_code: row.coupon_code,
    amount: site.currency.toMajor(row.amount),
    method: row.method,
    method_type: row.method_type,
    status: row.status as PayoutStatus,
    has_details: row.details !== null,
    transaction_id: row.transaction_id,
    invoice_id: row.invoice_id,
    date: site.calendar.toLocal(row.requested_at),
    date_paid: site.calendar.toLocal(row.paid_at),
    outcome_unknown_since: site.calendar.toLocal(row.unclear_since),
    failure_reason: failureReason(row, viewer) ?? null,
  };
}
