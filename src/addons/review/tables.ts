import type { Generated } from 'kysely';
import type { ReferralState } from '../../modules/orders/index.ts';

export const caseStates = ['open', 'cleared', 'rejected'] as const;
export type CaseState = (typeof caseStates)[number];

export const subjectTypes = ['order', 'customer', 'affiliate', 'application'] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** Cases: something suspicious, the money it holds, and the decision. */
export interface ReviewCasesTable {
  id: Generated<number>;
  state: CaseState;
  /** The rule that opened it; of a case that only noted, the first that holds. */
  rule: string;
  subject_type: SubjectType;
  subject_id: string;
  /** The affiliate whom it concerns: an order has a case for each of its affiliates. */
  user_id: number | null;
  /** JSON of the `Hit`s, oldest first; emptied when the person is erased. */
  evidence: string;
  /** What it holds now, in minor units of the store's currency. */
  held: number;
  answer: string | null;
  answered_at: number | null;
  /** JSON of the facts of the file that came with the answer, and its id. */
  answer_file?: string | null;
  opened_at: number;
  decided_at: number | null;
  /** The user who decided; 0 for a rule or a setting. */
  decided_by: number | null;
  note: string;
  /** 1 if the affiliate reads the note. */
  tell: number;
  /** 1 if the decision suspended the affiliate, so that an undo ends that. */
  suspended: number;
  /** When its last decision was undone: from then on it waits for another one. */
  reopened_at?: number | null;
  /** When the team was last reminded of it. */
  reminded_at: number | null;
  /** 1 if it also holds the commission of the affiliate's orders that come in while it is open. */
  holds_new: Generated<number>;
}

/** The browsers that applications were sent with, for a year. */
export interface ReviewDevicesTable {
  user_id: number;
  device_hash: string;
  network_hash: string;
  recorded_at: number;
}

/** The referrals that a case holds while it is open, and voids once it is rejected. */
export interface ReviewHoldsTable {
  case_id: number;
  order_id: number;
  coupon_id: number;
}

/** `sent`: it was paid out before its case was opened, so it is not held unless it grows. */
export const restraintKinds = ['held', 'rejected', 'sent'] as const;

/** A restrained referral, with what its order would make of it. */
export interface ReviewReferralsTable {
  order_id: number;
  coupon_id: number;
  restraint: (typeof restraintKinds)[number];
  state: ReferralState;
  release_at: number | null;
  commission: number;
}

/** Open payouts that took money before it was held: they are not paid while the case is open, or once it is rejected. */
export interface ReviewPayoutsTable {
  case_id: number;
  payout_id: number;
}

/** What is kept of an order for 90 days, so that rules can be tried on it. */
export interface ReviewOrderTracesTable {
  order_id: number;
  /** The domain of the customer's mailbox, which is not at a public provider. */
  domain_hash: string;
  recorded_at: number;
}

export const historyActions = [
  'opened',
  'joined',
  'answered',
  'cleared',
  'rejected',
  'reopened',
  'reminded',
  'payout_recorded',
] as const;

export interface ReviewHistoryTable {
  id: Generated<number>;
  case_id: number;
  at: number;
  actor_id: number;
  action: (typeof historyActions)[number];
  note: string;
}

/** Where clicks came from, for 90 days. */
export interface ReviewClickTracesTable {
  click_id: number;
  coupon_id: number;
  recorded_at: number;
  /** The host of the page with the link, in lower case; empty if it is not known. */
  referrer: string;
  /** Names of ad parameters on the landing address, sorted, separated by spaces. */
  ads: string;
  /** A keyed hash of the visitor's network (/24 or /64); null if a store has sent the click. */
  network_hash: string | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    review_cases: ReviewCasesTable;
    review_devices: ReviewDevicesTable;
    review_holds: ReviewHoldsTable;
    review_referrals: ReviewReferralsTable;
    review_payouts: ReviewPayoutsTable;
    review_history: ReviewHistoryTable;
    review_click_traces: ReviewClickTracesTable;
    review_order_traces: ReviewOrderTracesTable;
  }
}
