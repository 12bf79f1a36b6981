import type { Generated } from 'kysely';

/** A list of the owner: the rules, asked in the order of their positions, or the bonuses. */
export interface RewardListTable {
  id: Generated<number>;
  position: number;
  /** JSON of the `RewardRule` or `RewardBonus` without its id. */
  content: string;
  /** The version of the list after the last change of this one. */
  version: number;
  created_at: number;
  updated_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    reward_rules: RewardListTable;
    reward_bonuses: RewardListTable;
  }
}
