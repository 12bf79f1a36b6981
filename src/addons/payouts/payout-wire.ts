import Type, { type Static } from 'typebox';
import { LocalTime, Nullable, StringEnum } from '../../kernel/schemas.ts';
import type { Site } from '../../kernel/site.ts';
import type { PayoutRow } from './payout-store.ts';
import { allStatuses, type PayoutStatus } from './transitions.ts';

export const PayoutSchema = Type.Object(
  {
    id: Type.Integer(),
    user: Type.Object({ id: Type.Integer(), display_name: Type.String() }),
    coupon_id: Type.Integer(),
    coupon_code: Type.String(),
    amount: Type.Number(),
    method: Type.String({ description: 'The payout method as people read it.' }),
    method_type: Type.String({ description: 'The payout method as programs read it.' }),
    status: StringEnum(allStatuses),
    has_details: Type.Boolean({ description: 'A destination is stored. It is never returned.' }),
    transaction_id: Type.String({
      description: 'What the bank or the gateway calls the payment; empty where there is none.',
    }),
    invoice_id: Type.Integer({ description: '0 where there is none.' }),
    date: LocalTime('When it was requested.'),
    date_paid: Nullable(LocalTime('When it was settled.')),
    outcome_unknown_since: Nullable(
      LocalTime('Since when its gateway cannot tell whether it has paid: `processing` only.'),
    ),
  },
  { $id: 'Payout' },
);

export function toPayout(row: PayoutRow, site: Site): Static<typeof PayoutSchema> {
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
  };
}
