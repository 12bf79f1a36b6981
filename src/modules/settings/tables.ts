import { integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  settings: table({
    key: text().key(),
    value: text(),
    updated_at: integer(),
    /** The user who changed it; 0 is the system. */
    updated_by: integer().default(0),
    /** Higher than that of every change before, of any setting. */
    version: integer().default(0),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
