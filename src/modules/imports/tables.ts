import type { Generated } from 'kysely';

export const importStates = ['running', 'done', 'undoing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

/** An import from another system. */
export interface ImportsTable {
  id: Generated<number>;
  /** The name of the system: `affiliatewp`. */
  system: string;
  state: ImportState;
  /** The names of the files, JSON. */
  files: string;
  /** A digest of the files: the same files continue an import that was interrupted. */
  digest: string;
  /** How many pieces are applied. */
  pieces: Generated<number>;
  created_at: number;
  ended_at: number | null;
  /** Affiliates and coupons that it created, the balance that it added in the smallest unit, and lines of history. */
  affiliates: Generated<number>;
  coupons: Generated<number>;
  balance: Generated<number>;
  records: Generated<number>;
  /** Reward rules that it created. */
  rules: Generated<number>;
  /** Accounts that an undo has left, because they were used since. */
  kept: Generated<number>;
  /** The user of the operating system that ran the command; empty if unknown. */
  run_by: Generated<string>;
  /** The user that asked for the undo, which a job carries out; null otherwise. */
  undo_by: number | null;
  /** Why an undo stopped, in a sentence; empty if none did. */
  reason: Generated<string>;
}

export const linkKinds = ['affiliate', 'code', 'balance', 'order'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** What an import has created or found for a record of the old system; an undo goes back along these rows. */
export interface ImportLinksTable {
  id: Generated<number>;
  import_id: number;
  system: string;
  kind: LinkKind;
  /** The id of the affiliate in the old system, empty for none; the number of an order. */
  external_id: string;
  user_id: number;
  coupon_id: number | null;
  /** 1 if the import has created it, 0 if it was there already. */
  created: number;
  /** A balance: the amount that was added, in the smallest unit, and the ledger entry. */
  amount: number;
  entry_id: number | null;
  /** The ledger entry by which an undo took the amount back; such a row stays, because the entries do. */
  undone_entry_id: number | null;
}

export const historyKinds = ['referral', 'payout'] as const;
export type HistoryKind = (typeof historyKinds)[number];

/**
 * Referrals and payouts of the old system, as it had them. They are no money here: the ledger has only what was still
 * owed. A later import adds a row for a record that has changed since, and the latest one counts.
 */
export interface ImportHistoryTable {
  id: Generated<number>;
  import_id: number;
  system: string;
  kind: HistoryKind;
  /** The id of the record in the old system. */
  external_id: string;
  user_id: number;
  state: string;
  amount: number;
  sale: number | null;
  reference: string;
  happened_at: number | null;
}

/** A reward rule that an import has created. */
export interface ImportRulesTable {
  id: Generated<number>;
  import_id: number;
  /** A rule may be deleted; what the import noted about it stays. */
  rule_id: number;
  /** The version that the rule has until someone changes it. */
  version: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    imports: ImportsTable;
    import_links: ImportLinksTable;
    import_history: ImportHistoryTable;
    import_rules: ImportRulesTable;
  }
}
