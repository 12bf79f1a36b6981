import type { Generated } from 'kysely';

/** Money on its way out of the program. Amounts are minor units of the store's currency. */
export interface PayoutsTable {
  id: Generated<number>;
  coupon_id: number;
  /** Whose coupon it was when the payout was requested. */
  user_id: number;
  amount: number;
  method_type: string;
  method: string;
  status: string;
  /** The destination as it was at the request, encrypted JSON. */
  details: string | null;
  transaction_id: string;
  invoice_id: number;
  requested_at: number;
  /** The site's own day: what lists are filtered and ordered by. */
  requested_day: string;
  paid_at: number | null;
  paid_day: string | null;
  /** Makes the key that a gateway knows the payout by unlike that of any other site. */
  nonce: string;
  /** When the gateway is asked next what has become of it; null where no gateway has it. */
  ask_at: number | null;
  /** How often it has been asked since the last news. */
  asks: number;
  /** Until when a process has this payout to itself while it calls the gateway. */
  leased_until: number;
  /**
   * How many calls that may move money were begun. Committed before each call, so that a crash right
   * after the request was sent is covered. Above zero the payment may have been accepted.
   */
  pay_attempts: number;
  /** Since when the gateway has given no clear answer; null while there is none missing. */
  unclear_since: number | null;
  unclear_reason: string | null;
  /** When the administrators were told that the outcome is unclear. */
  reported_at: number | null;
  /** Why it failed, or what keeps it from being paid at the moment. */
  failure_code: string | null;
  /** The same in the gateway's words: for administrators only. */
  failure_message: string | null;
  /** When the nonce was replaced after a refusal; null while it is the one of the request. */
  begun_at: number | null;
}

export interface PayoutDetailsTable {
  user_id: number;
  method_type: string;
  /** Encrypted JSON. */
  details: string;
  updated_at: number;
}

/** How many payouts, and how much, stand at a status: by the day they were requested, or paid. */
export interface PayoutDaysTable {
  basis: string;
  day: string;
  status: string;
  payouts: Generated<number>;
  amount: Generated<number>;
}
