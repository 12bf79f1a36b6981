import type { Generated } from 'kysely';

/** The owner's rules, asked in the order of their positions. */
export interface RewardRulesTable {
  id: Generated<number>;
  position: number;
  /** JSON of the `RewardRule` without its id. */
  content: string;
  /** The version of the list after the last change of this rule. */
  version: number;
  created_at: number;
  updated_at: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    reward_rules: RewardRulesTable;
  }
}
