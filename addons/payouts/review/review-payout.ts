import Type, { type Static } from 'typebox';
import {
  CurrencyCode,
  LocalTime,
  Nullable,
  StringEnum,
} from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { OutcomeUnknownSince } from '../api/payout-wire.ts';
import { failureReason, FailureReasonSchema } from '../payment/failure-reason.ts';
import { payoutStatuses } from '../payout/payout-status.ts';
import type { ReviewRow } from './review-list-rows.ts';

/** A payout as the store's team sees it in lists. */
export const ReviewPayoutSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The payout id.' }),
    status: StringEnum(payoutStatuses, { description: 'As in `GET /payouts/{id}`.' }),
    amount: Type.Number({ description: "In the store's currency." }),
    currency: CurrencyCode,
    affiliate: Type.Object(
      { id: Type.Integer(), name: Type.String(), login: Type.String() },
      { description: 'The affiliate.' },
    ),
    coupon: Type.Object(
      { id: Type.Integer(), code: Type.String() },
      { description: 'The coupon whose balance is paid out.' },
    ),
    method: Type.String({ description: 'The display name of the payout method.' }),
    method_type: Type.String({ description: 'The identifier of the payout method.' }),
    has_details: Type.Boolean({ description: 'True if a destination is stored.' }),
    transaction_id: Type.String({
      description: 'The reference of the bank or gateway; empty if there is none.',
    }),
    created_at: LocalTime('When the payout was requested.'),
    updated_at: LocalTime('When it got its status.'),
    outcome_unknown_since: OutcomeUnknownSince,
    failure: FailureReasonSchema,
    file_id: Nullable(
      Type.Integer({ description: 'The newest file for a bank or a payment service with it.' }),
    ),
    retry_of: Nullable(Type.Integer({ description: 'The failed payout that it pays again.' })),
    retried_by: Nullable(Type.Integer({ description: 'The payout that pays this one again.' })),
  },
  {
    $id: 'ReviewPayout',
    examples: [
      {
        id: 31,
        status: 'pending',
        amount: 12.5,
        currency: 'USD',
        affiliate: { id: 7, name: 'Maya Ortiz', login: 'maya' },
        coupon: { id: 12, code: 'MAYA10' },
        method: 'Bank transfer',
        method_type: 'banktransfer',
        has_details: true,
        transaction_id: '',
        created_at: '2026-02-02T10:15:00',
        updated_at: '2026-02-02T10:15:00',
        outcome_unknown_since: null,
        failure: null,
        file_id: null,
        retry_of: null,
        retried_by: null,
      },
    ],
  },
);

export function toReviewPayout(row: ReviewRow, site: Site): Static<typeof ReviewPayoutSchema> {
  const { calendar, currency } = site;
  return {
    id: row.id,
    status: row.status,
    amount: currency.toMajor(row.amount),
    currency: currency.code,
    affiliate: { id: row.user_id, name: row.display_name, login: row.login },
    coupon: { id: row.coupon_id, code: row.coupon_code },
    method: row.method,
    method_type: row.method_type,
    has_details: row.details !== null,
    transaction_id: row.transaction_id,
    created_at: calendar.toLocal(row.requested_at),
    updated_at: calendar.toLocal(row.changed_at),
    outcome_unknown_since: calendar.toLocal(row.unclear_since),
    failure: failureReason(row, 'admin') ?? null,
    file_id: row.file_id,
    retry_of: row.retry_of,
    retried_by: row.retried_by,
  };
}
