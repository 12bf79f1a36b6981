import type { Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import { only } from '../../db/statements/row-query.ts';
import { ERASED_DOMAIN } from '../../shared/email-address.ts';
import { foldDisplayName, type UserRow } from './user-rows.ts';

const identifying = [
  'login',
  'login_folded',
  'email',
  'email_folded',
  'display_name',
  'display_name_folded',
] as const;

type Erased = Pick<UserRow, 'id' | (typeof identifying)[number]> & { now: number };

const erase = query<Erased>((db, p) =>
  db
    .updateTable('users')
    .set({
      ...only(p, identifying),
      password_hash: null,
      disabled_at: p.now,
      last_seen_at: null,
      language: '',
      muted_notices: '',
      roster_due: 1,
    })
    .where('id', '=', p.id),
);

/** With a space, which no login and no address contains: no other user can have it. */
function erasedName(id: number): string {
  return `anonymised ${id}`;
}

export function isAnonymised({ id, login_folded }: Pick<UserRow, 'id' | 'login_folded'>): boolean {
  return login_folded === erasedName(id);
}

/** Replaces what identifies a user, and disables it. */
export async function anonymiseUser(tx: Transaction, id: number, nowMs: number): Promise<void> {
  const login = `anonymised-${id}`;
  await tx.run(erase, {
    id,
    login,
    login_folded: erasedName(id),
    email: login + ERASED_DOMAIN,
    email_folded: erasedName(id),
    display_name: login,
    display_name_folded: foldDisplayName(login),
    now: nowMs,
  });
}
