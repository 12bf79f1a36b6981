import type { Generated } from 'kysely';

/** Rates that override the store's. Null means not overridden; a percentage is text to keep its digits. */
export interface RateColumns {
  percent: string | null;
  fixed_per_order: number | null;
  fixed_per_product: number | null;
}

export interface GroupsTable extends RateColumns {
  id: Generated<number>;
  name: string;
  name_folded: string;
  /** JSON object: what customers get off with codes of its affiliates; null for none of its own. */
  discount: string | null;
  created_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    groups: GroupsTable;
  }
}
