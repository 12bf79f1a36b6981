import type { AffiliateStatus } from '../tables.ts';

/** What the list of affiliates is sorted, filtered and searched by: one entry per affiliate, built from other tables. */
export interface RosterTable {
  user_id: number;
  /** The display name in lower case. */
  name: string;
  status: AffiliateStatus;
  registered_at: number;
  /** Sums over its coupons, in minor units. */
  sales: number;
  /** With its shares of the referrals of affiliates below. */
  commission: number;
  unpaid: number;
  /** The largest of its coupons' unpaid sums: a payout is of one coupon. */
  highest_unpaid: number;
  orders_count: number;
  clicks: number;
  /** When its last order was placed; 0 for none. */
  last_order_at: number;
  /** The words it is found by, separated by spaces. */
  words: string;
}

/** The words of each entry, one per row: a search reads a range of them. */
export interface RosterWordsTable {
  word: string;
  user_id: number;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    roster: RosterTable;
    roster_words: RosterWordsTable;
  }
}
