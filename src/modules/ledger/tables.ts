import type { Generated } from 'kysely';
import type { TableDefinition } from '../../db/tables.ts';

/** The ledger: each entry moves an amount from one pool of a coupon to another. */
export interface JournalTable {
  id: Generated<number>;
  coupon_id: number;
  from_pool: string;
  to_pool: string;
  amount: number;
  kind: string;
  order_id: number | null;
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
    journal: JournalTable;
  }
}

export const tables: readonly TableDefinition[] = [{ name: 'journal', key: ['id'] }];
