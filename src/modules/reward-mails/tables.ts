import type { Generated } from 'kysely';

/** Changes of reward rules and bonuses about which affiliates get a mail: one row for edits in a row, until all have it. */
export interface RewardChangesTable {
  id: Generated<number>;
  /** JSON of the `RewardLists` before the first of the edits. */
  before: string;
  /** The same lists when the mails began; null until then, in the last row only. */
  after: string | null;
  /** When the first of the edits was made; null in rows of an earlier version. */
  began_at: number | null;
  /** When the last of the edits was made. */
  changed_at: number;
  /** The affiliates up to this one have their mail. */
  after_user: Generated<number>;
}

declare module '../../db/tables.ts' {
  interface Tables {
    reward_changes: RewardChangesTable;
  }
}
