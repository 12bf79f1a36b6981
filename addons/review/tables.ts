import { id, integer, table, text, type TablesOf } from '../../src/db/define-table.ts';
import type { ReferralState } from '../../src/modules/orders/index.ts';

export const caseStates = ['open', 'cleared', 'rejected'] as const;
export type CaseState = (typeof caseStates)[number];

export const subjectTypes = ['order', 'customer', 'affiliate', 'application'] as const;
export type SubjectType = (typeof subjectTypes)[number];

/** `sent`: it was paid out before its case was opened, so it is not held unless it grows. */
export const restraintKinds = ['held', 'rejected', 'sent'] as const;

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

export const tables = {
  /** Cases: something suspicious, the money it holds, and the decision. */
  review_cases: table({
    id: id(),
    state: text<CaseState>(),
    /** The rule that opened it; of a case that only noted, the first that holds. */
    rule: text(),
    subject_type: text<SubjectType>(),
    subject_id: text(),
    /** The affiliate whom it concerns: an order has a case for each of its affiliates. */
    user_id: integer().orNull().references('users.id'),
    /** JSON of the `Hit`s, oldest first; emptied when the person is erased. */
    evidence: text(),
    /** What it holds now, in minor units of the store's currency. */
    held: integer(),
    answer: text().orNull(),
    answered_at: integer().orNull(),
    /** JSON of the facts of the file that came with the answer, and its id. */
    answer_file: text().orNull(),
    opened_at: integer(),
    decided_at: integer().orNull(),
    /** The user who decided; 0 for a rule or a setting. */
    decided_by: integer().orNull(),
    note: text(),
    /** 1 if the affiliate reads the note. */
    tell: integer(),
    /** 1 if the decision suspended the affiliate, so that an undo ends that. */
    suspended: integer(),
    /** When its last decision was undone: from then on it waits for another one. */
    reopened_at: integer().orNull(),
    /** When the team was last reminded of it. */
    reminded_at: integer().orNull(),
    /** 1 if it also holds the commission of the affiliate's orders that come in while it is open. */
    holds_new: integer().default(0),
  })
    .index('of_affiliate', ['user_id', 'id'], { where: 'user_id is not null' })
    .index('by_state', ['state', 'id'])
    .index('by_subject', ['subject_type', 'subject_id'])
    // Read with every order: there are few of them.
    .index('holding', ['user_id'], { where: "state = 'open' and holds_new = 1" })
    .index('by_time', ['opened_at', 'rule', 'state', 'decided_by'])
    .index('open', ['subject_type', 'subject_id', 'user_id'], {
      unique: true,
      where: "state = 'open'",
    }),
  /** The browsers that applications were sent with, for a year. */
  review_devices: table({
    user_id: integer().references('users.id'),
    device_hash: text(),
    network_hash: text(),
    recorded_at: integer(),
  })
    .key('user_id', 'device_hash', 'network_hash')
    .index('by_device', ['device_hash', 'network_hash', 'user_id'])
    .index('by_time', ['recorded_at']),
  /** The referrals that a case holds while it is open, and voids once it is rejected. */
  review_holds: table({
    case_id: integer().references('review_cases.id'),
    order_id: integer(),
    coupon_id: integer(),
  })
    .key('case_id', 'order_id', 'coupon_id')
    .index('by_order', ['order_id'])
    .index('by_coupon', ['coupon_id', 'case_id']),
  /** A restrained referral, with what its order would make of it. */
  review_referrals: table({
    order_id: integer(),
    coupon_id: integer(),
    restraint: text<(typeof restraintKinds)[number]>(),
    state: text<ReferralState>(),
    release_at: integer().orNull(),
    commission: integer(),
  }).key('order_id', 'coupon_id'),
  /** Open payouts that took money before it was held: they are not paid while the case is open, or once it is rejected. */
  review_payouts: table({
    case_id: integer().references('review_cases.id'),
    payout_id: integer(),
  })
    .key('payout_id', 'case_id')
    .index('by_case', ['case_id']),
  review_history: table({
    id: id(),
    case_id: integer().references('review_cases.id'),
    at: integer(),
    actor_id: integer(),
    action: text<(typeof historyActions)[number]>(),
    note: text(),
  }).index('by_case', ['case_id', 'id']),
  /** Where clicks came from, for 90 days. */
  review_click_traces: table({
    // While the add-on is off, its job rests: then they are removed with their clicks.
    click_id: integer().key().references('clicks.id', 'cascade'),
    coupon_id: integer(),
    recorded_at: integer(),
    /** The host of the page with the link, in lower case; empty if it is not known. */
    referrer: text(),
    /** Names of ad parameters on the landing address, sorted, separated by spaces. */
    ads: text(),
    /** A keyed hash of the visitor's network (/24 or /64); null if a store has sent the click. */
    network_hash: text().orNull(),
  })
    // Pruning starts with the oldest.
    .index('by_time', ['recorded_at']),
  /** What is kept of an order for 90 days, so that rules can be tried on it. */
  review_order_traces: table({
    order_id: integer().key(),
    /** The domain of the customer's mailbox, which is not at a public provider. */
    domain_hash: text(),
    recorded_at: integer(),
  })
    .index('by_domain', ['domain_hash', 'order_id'])
    .index('by_time', ['recorded_at']),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
