import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  /** Changes of reward rules and bonuses about which affiliates get a mail: one row for edits in a row, until all have it. */
  reward_changes: table({
    id: id(),
    /** JSON of the `RewardLists` before the first of the edits. */
    before: text(),
    /** The same lists when the mails began; null until then, in the last row only. */
    after: text().orNull(),
    /** When the first of the edits was made; null in rows of an earlier version. */
    began_at: integer().orNull(),
    /** When the last of the edits was made. */
    changed_at: integer(),
    /** The affiliates up to this one have their mail. */
    after_user: integer().default(0),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
