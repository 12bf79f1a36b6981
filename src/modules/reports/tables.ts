import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  /** Reports that people keep under a name, each for itself. */
  report_views: table({
    id: id(),
    user_id: integer().references('users.id'),
    name: text(),
    /** The query of the screen's address: period, grouping, filters, order. */
    query: text(),
  }).index('by_name', ['user_id', 'name'], { unique: true }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
