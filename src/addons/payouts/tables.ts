import type { Generated } from 'kysely';
import type { FailureCode } from './extension.ts';
import type { PayoutStatus } from './payout/payout-status.ts';

/** Payments to affiliates. Amounts are minor units of the store's currency. */
export interface PayoutsTable {
  id: Generated<number>;
  coupon_id: number;
  /** The owner of the coupon when the payout was requested. */
  user_id: number;
  amount: number;
  method_type: string;
  method: string;
  status: PayoutStatus;
  /** The destination as it was at the request, encrypted JSON. */
  details: string | null;
  transaction_id: string;
  invoice_id: number;
  requested_at: number;
  /** The day in the site's time zone: lists filter and sort by it. */
  requested_day: string;
  /** When it got its status. */
  changed_at: number;
  paid_at: number | null;
  paid_day: string | null;
  /** Part of the idempotency key: makes it unique among all installations that use the gateway. */
  nonce: string;
  /** When the gateway is polled next; null if no gateway has the payout. */
  ask_at: number | null;
  /** Number of polls since the last change. */
  asks: number;
  /** End of the lease of the process that is calling the gateway for this payout. */
  leased_until: number;
  /**
   * Number of started calls that may move money. Incremented and committed before each call, so that a
   * crash right after sending the request is covered. Above zero the payment may have been accepted.
   */
  pay_attempts: number;
  /** Since when the outcome is unclear; null while it is clear. */
  unclear_since: number | null;
  unclear_reason: string | null;
  /** When the administrators were notified of the unclear outcome. */
  reported_at: number | null;
  /** Why it failed, or what currently prevents the payment. */
  failure_code: FailureCode | null;
  /** The gateway's own message: for administrators only. */
  failure_message: string | null;
  /** When the nonce was replaced after a refusal; null while it is the original one. */
  begun_at: number | null;
  /** The failed payout whose amount this one pays again. */
  retry_of: number | null;
}

export interface PayoutDetailsTable {
  user_id: number;
  method_type: string;
  /** Encrypted JSON. */
  details: string;
  /** The keyed hash of the account, see details-rows.ts. */
  destination_hash: string;
  updated_at: number;
}

/** Number and amount of payouts per status and day, where `basis` selects the day requested or paid. */
export interface PayoutDaysTable {
  basis: 'requested' | 'paid';
  day: string;
  status: PayoutStatus;
  payouts: Generated<number>;
  amount: Generated<number>;
}

/** The statuses of a payout in order. */
export interface PayoutChangesTable {
  id: Generated<number>;
  payout_id: number;
  status: PayoutStatus;
  changed_at: number;
  /** The name of the mail about the change, and the last part of its key. */
  mail: string;
  occasion: string;
}

/** Calls of gateways with the same answer, one after another, share a row. */
export interface PayoutCallsTable {
  id: Generated<number>;
  payout_id: number;
  act: 'prepare' | 'pay' | 'ask';
  outcome: string;
  /** Empty if nothing failed. The reason is the gateway's, for administrators. */
  code: string;
  reason: string;
  transaction_id: string;
  times: number;
  first_at: number;
  last_at: number;
}

/** Files for banks and payment services. */
export const fileFormats = ['sepa', 'paypal', 'wise'] as const;
export type FileFormat = (typeof fileFormats)[number];

export interface PayoutFilesTable {
  id: Generated<number>;
  format: FileFormat;
  name: string;
  /** How many payouts it pays, and the sum of their amounts. */
  payouts: number;
  total: number;
  created_at: number;
  created_by: number;
  /** The file, encrypted; empty once a person in it was erased. */
  content: string;
}

export interface PayoutFileItemsTable {
  file_id: number;
  payout_id: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    payouts: PayoutsTable;
    payout_details: PayoutDetailsTable;
    payout_days: PayoutDaysTable;
    payout_changes: PayoutChangesTable;
    payout_calls: PayoutCallsTable;
    payout_files: PayoutFilesTable;
    payout_file_items: PayoutFileItemsTable;
  }
}
