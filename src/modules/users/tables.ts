import { id, integer, table, text, type TablesOf } from '../../db/define-table.ts';
import type { Role } from '../../kernel/declare/caller.ts';
import type { Language } from '../../shared/languages.ts';

export const tables = {
  users: table({
    id: id(),
    login: text(),
    /** Lower case: logins and addresses are case-insensitive. */
    login_folded: text().unique(),
    email: text(),
    email_folded: text().unique(),
    display_name: text(),
    role: text<Role>(),
    password_hash: text().orNull(),
    created_at: integer(),
    /** Lower case: searches ignore case. */
    display_name_folded: text().default(''),
    /** Set for a user who may no longer sign in: sessions, keys and application passwords are refused. */
    disabled_at: integer().orNull(),
    /** The last use of a session, within minutes; null for a user who never signed in. */
    last_seen_at: integer().orNull(),
    /** The language of mails and pages; empty for the language of the site. */
    language: text<Language | ''>().default(''),
    /** The names of notices that the user has switched off, separated by commas. */
    muted_notices: text().default(''),
    /** 1 while its entry in the roster is outdated. */
    roster_due: integer().default(1),
  })
    .index('administrators', ['id'], { where: "role = 'administrator'" })
    .index('team', ['id'], { where: "role in ('administrator', 'manager')" })
    .index('by_display_name', ['display_name_folded', 'id'])
    .index('roster_due', ['id'], { where: 'roster_due = 1' }),
};

declare module '../../db/tables.ts' {
  interface Tables extends TablesOf<typeof tables> {}
}
