import type { Generated } from 'kysely';

/**
 * `earned` is the store's side of every commission; the other four are those of an account, which is a coupon and the
 * affiliate who earned on it, and their sum is what that affiliate has earned on the coupon.
 */
export const pools = ['earned', 'awaiting', 'unpaid', 'pending_payout', 'paid'] as const;
export type Pool = (typeof pools)[number];

/** What an entry comes from. */
export const kinds = ['order', 'adjustment', 'bonus', 'payout', 'hand_over'] as const;
export type LedgerKind = (typeof kinds)[number];

/** The ledger: each entry moves an amount from one pool of an account to another. */
export interface LedgerTable {
  id: Generated<number>;
  coupon_id: number;
  /** The affiliate whose account it is; 0 for none. */
  owner_id: Generated<number>;
  /** Of a hand-over: the affiliate of the other account, which has the entry that belongs to this one; 0 for none. */
  other_owner_id?: number | null;
  from_pool: Pool;
  to_pool: Pool;
  amount: number;
  kind: LedgerKind;
  order_id: number | null;
  payout_id: number | null;
  /** The case of a review because of which the amount was moved. */
  case_id?: number | null;
  user_id: number;
  note: string;
  created_at: number;
  /** The balances of the account after this entry. */
  unpaid_after: number;
  awaiting_after: number;
  pending_payout_after: number;
  paid_after: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    ledger: LedgerTable;
  }
}
