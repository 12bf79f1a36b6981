import { id, integer, table, text, type ColumnsOf, type TablesOf } from '../../db/define-table.ts';

/** Rates that override the store's. Null means not overridden; a percentage is text to keep its digits. */
export const rateColumns = {
  percent: text().orNull(),
  fixed_per_order: integer().orNull(),
  fixed_per_product: integer().orNull(),
};
export type RateColumns = ColumnsOf<typeof rateColumns>;

export const tables = {
  groups: table({
    id: id(),
    name: text(),
    name_folded: text().unique(),
    ...rateColumns,
    created_at: integer(),
  }).added({
    /** JSON object: what customers get off with codes of its affiliates; null for none of its own. */
    discount: text().orNull(),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
