import {
  id,
  integer,
  shortInteger,
  table,
  text,
  type TablesOf,
} from '../../src/db/define-table.ts';
import type { FailureCode } from './extension.ts';
import type { PayoutStatus } from './payout/payout-status.ts';

/** Files for banks and payment services. */
export const fileFormats = ['sepa', 'bank', 'paypal', 'wise'] as const;
export type FileFormat = (typeof fileFormats)[number];

export const tables = {
  /** Payments to affiliates. Amounts are minor units of the store's currency. */
  payouts: table({
    id: id(),
    coupon_id: integer().references('coupons.id'),
    /** The owner of the coupon when the payout was requested. */
    user_id: integer().references('users.id'),
    amount: integer(),
    method_type: text(),
    method: text(),
    status: text<PayoutStatus>(),
    /** The destination as it was at the request, encrypted JSON. */
    details: text().orNull(),
    transaction_id: text(),
    invoice_id: integer(),
    requested_at: integer(),
    /** The day in the site's time zone: lists filter and sort by it. */
    requested_day: text(),
    paid_at: integer().orNull(),
    paid_day: text().orNull(),
    /** Part of the idempotency key: makes it unique among all installations that use the gateway. */
    nonce: text(),
    /** When the gateway is polled next; null if no gateway has the payout. */
    ask_at: integer().orNull(),
    /** Number of polls since the last change. */
    asks: shortInteger(),
    /** End of the lease of the process that is calling the gateway for this payout. */
    leased_until: integer(),
    /**
     * Number of started calls that may move money. Incremented and committed before each call, so that a
     * crash right after sending the request is covered. Above zero the payment may have been accepted.
     */
    pay_attempts: shortInteger(),
    /** Since when the outcome is unclear; null while it is clear. */
    unclear_since: integer().orNull(),
    unclear_reason: text().orNull(),
    /** When the administrators were notified of the unclear outcome. */
    reported_at: integer().orNull(),
    /** Why it failed, or what currently prevents the payment. */
    failure_code: text<FailureCode>().orNull(),
    /** The gateway's own message: for administrators only. */
    failure_message: text().orNull(),
    /** When the nonce was replaced after a refusal; null while it is the original one. */
    begun_at: integer().orNull(),
    /** When it got its status. */
    changed_at: integer().default(0),
    /** The failed payout whose amount this one pays again. */
    retry_of: integer().orNull().references('payouts.id'),
  })
    // Lists are newest first, so each of these is read from its end.
    .index('by_day', ['requested_day', 'id'])
    .index('by_status', ['status', 'requested_day', 'id'])
    .index('by_user', ['user_id', 'requested_day', 'id'])
    .index('by_coupon', ['coupon_id', 'requested_day', 'id'])
    .index('open', ['coupon_id'], { where: "status in ('pending', 'created', 'processing')" })
    .index('to_ask', ['ask_at'], { where: '"ask_at" is not null' })
    .index('unclear', ['unclear_since'], { where: '"unclear_since" is not null' })
    // The list of the console sorts by the last change and by the amount, and filters by the method.
    .index('by_change', ['changed_at', 'id'])
    .index('by_status_change', ['status', 'changed_at', 'id'])
    .index('by_amount', ['amount', 'id'])
    .index('by_status_amount', ['status', 'amount', 'id'])
    .index('by_method', ['method_type', 'requested_day', 'id'])
    .index('retry_of', ['retry_of'], { unique: true, where: '"retry_of" is not null' })
    .index('by_status_method', ['status', 'method_type', 'requested_day', 'id'])
    .index('by_reference', ['transaction_id'], { where: `"transaction_id" <> ''` }),
  payout_details: table({
    user_id: integer().key().references('users.id'),
    method_type: text(),
    /** Encrypted JSON. */
    details: text(),
    updated_at: integer(),
    /** The keyed hash of the account, see details-rows.ts. */
    destination_hash: text(),
  })
    .index('by_method', ['method_type'])
    .index('by_destination', ['destination_hash']),
  /** Number and amount of payouts per status and day, where `basis` selects the day requested or paid. */
  payout_days: table({
    basis: text<'requested' | 'paid'>(),
    day: text(),
    status: text<PayoutStatus>(),
    payouts: integer().default(0),
    amount: integer().default(0),
  }).key('basis', 'day', 'status'),
  /** The statuses of a payout in order. */
  payout_changes: table({
    id: id(),
    payout_id: integer().references('payouts.id'),
    status: text<PayoutStatus>(),
    changed_at: integer(),
    /** The name of the mail about the change, and the last part of its key. */
    mail: text().default(''),
    occasion: text().default(''),
  }).index('by_payout', ['payout_id', 'id']),
  /** Calls of gateways with the same answer, one after another, share a row. */
  payout_calls: table({
    id: id(),
    payout_id: integer().references('payouts.id'),
    act: text<'prepare' | 'pay' | 'ask'>(),
    outcome: text(),
    /** Empty if nothing failed. The reason is the gateway's, for administrators. */
    code: text(),
    reason: text(),
    transaction_id: text(),
    times: shortInteger(),
    first_at: integer(),
    last_at: integer(),
  }).index('by_payout', ['payout_id', 'id']),
  payout_files: table({
    id: id(),
    format: text<FileFormat>(),
    name: text(),
    /** How many payouts it pays, and the sum of their amounts. */
    payouts: shortInteger(),
    total: integer(),
    created_at: integer(),
    created_by: integer(),
    /** The file, encrypted; empty once a person in it was erased. */
    content: text(),
  }),
  payout_file_items: table({
    file_id: integer().references('payout_files.id'),
    payout_id: integer().references('payouts.id'),
  })
    .key('file_id', 'payout_id')
    .index('by_payout', ['payout_id', 'file_id']),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
