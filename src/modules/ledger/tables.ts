import type { Generated } from 'kysely';

/**
 * The accounts of a coupon. `earned` is the store's side of every commission; the other four are the
 * coupon's, and their sum is what the coupon has earned.
 */
export const pools = ['earned', 'awaiting', 'unpaid', 'pending_payout', 'paid'] as const;
export type Pool = (typeof pools)[number];

/** What an entry comes from. */
export const kinds = ['order', 'adjustment', 'bonus', 'payout'] as const;
export type LedgerKind = (typeof kinds)[number];

/** The ledger: each entry moves an amount from one pool of a coupon to another. */
export interface LedgerTable {
  id: Generated<number>;
  coupon_id: number;
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
  /** Running balances of the pools after this entry. */
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
