import { integer, table, type TablesOf } from '../../src/db/define-table.ts';

export const tables = {
  /** The affiliates who agreed that others read their names. */
  leaderboard_names: table({
    user_id: integer().key().references('users.id'),
    agreed_at: integer(),
  }),
};

declare module '../../src/db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
