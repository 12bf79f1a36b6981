import { integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  setup_links: table({
    token_hash: text().key(),
    expires_at: integer(),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
