import type { Role } from '../../kernel/declare/caller.ts';
import type { Language } from '../../shared/languages.ts';
import type { Generated } from 'kysely';

export interface UsersTable {
  id: Generated<number>;
  login: string;
  /** Lower case: logins and addresses are case-insensitive. */
  login_folded: string;
  email: string;
  email_folded: string;
  display_name: string;
  /** Lower case: searches ignore case. */
  display_name_folded: string;
  role: Role;
  password_hash: string | null;
  created_at: number;
  /** Set for a user who may no longer sign in: sessions, keys and application passwords are refused. */
  disabled_at: number | null;
  /** The last use of a session, within minutes; null for a user who never signed in. */
  last_seen_at: number | null;
  /** The language of mails and pages; empty for the language of the site. */
  language: Language | '';
  /** The names of notices that the user has switched off, separated by commas. */
  muted_notices: string;
  /** 1 while its entry in the roster is outdated. */
  roster_due: Generated<number>;
}

declare module '../../db/tables.ts' {
  interface Tables {
    users: UsersTable;
  }
}
