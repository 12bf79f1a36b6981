import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  api_keys: table({
    id: id(),
    user_id: integer().references('users.id'),
    description: text(),
    key_prefix: text(),
    token_hash: text().unique(),
    scopes: text(),
    created_at: integer(),
    expires_at: integer().orNull(),
    revoked_at: integer().orNull(),
    last_used_at: integer().orNull(),
  }).index('by_user', ['user_id', 'id']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
