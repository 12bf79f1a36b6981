import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  /** A list of the owner: the rules, asked in the order of their positions, or the bonuses. */
  reward_rules: table({
    id: id(),
    position: integer(),
    /** JSON of the `RewardRule` or `RewardBonus` without its id. */
    content: text(),
    /** The version of the list after the last change of this one. */
    version: integer(),
    created_at: integer(),
    updated_at: integer(),
  }),
  /** A list of the owner: the rules, asked in the order of their positions, or the bonuses. */
  reward_bonuses: table({
    id: id(),
    position: integer(),
    /** JSON of the `RewardRule` or `RewardBonus` without its id. */
    content: text(),
    /** The version of the list after the last change of this one. */
    version: integer(),
    created_at: integer(),
    updated_at: integer(),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
