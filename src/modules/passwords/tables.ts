import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';

export const tables = {
  application_passwords: table({
    id: id(),
    user_id: integer().references('users.id'),
    description: text(),
    password_hash: text().unique(),
    created_at: integer(),
    revoked_at: integer().orNull(),
  }).index('by_user', ['user_id', 'id']),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
