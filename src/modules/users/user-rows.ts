import { sql } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { write } from '../../db/statements/calls.ts';
import { saveIn } from '../../db/statements/plain-calls.ts';
import { query } from '../../db/statements/query.ts';
import { only, rowQuery } from '../../db/statements/row-query.ts';
import type { RowOf } from '../../db/tables.ts';
import type { Person } from '../../kernel/declare/caller.ts';
import { canonicalAddress, foldAddress } from '../../shared/email-address.ts';

export type UserRow = RowOf<'users'>;

const byId = query<{ id: number }, UserRow>((db, p) =>
  db.selectFrom('users').selectAll().where('id', '=', p.id),
);

const byName = query<{ folded: string }, UserRow>((db, p) =>
  db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb.or([eb('login_folded', '=', p.folded), eb('email_folded', '=', p.folded)])),
);

/** A member of the team as a recipient of mails. */
export type Administrator = Pick<UserRow, 'id' | 'email' | 'language' | 'muted_notices'>;

/** Disabled ones are left out. The role is a literal, because the planner uses the partial index of administrators only then. */
const administrators = query<object, Administrator>((db) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'language', 'muted_notices'])
    .where('role', '=', sql.lit('administrator'))
    .where('disabled_at', 'is', null)
    .orderBy('id'),
);

/** Literals, because the planner uses the partial index of the team only then. */
const team = query<object, Administrator>((db) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'language', 'muted_notices'])
    .where(sql<boolean>`role in ('administrator', 'manager')`)
    .where('disabled_at', 'is', null)
    .orderBy('id'),
);

type NewUser = Omit<
  UserRow,
  'id' | 'disabled_at' | 'last_seen_at' | 'muted_notices' | 'roster_due'
>;

const insert = rowQuery<NewUser, UserRow>((db, row) =>
  db
    .insertInto('users')
    .values({ ...row, muted_notices: '' })
    .returningAll(),
);

type Profile = Pick<UserRow, 'id' | 'display_name' | 'language' | 'muted_notices'>;

const profileColumns = [
  'display_name',
  'display_name_folded',
  'language',
  'muted_notices',
] as const;

const setProfile = query<Profile & Pick<UserRow, 'display_name_folded'>>((db, p) =>
  db
    .updateTable('users')
    .set({ ...only(p, profileColumns), roster_due: 1 })
    .where('id', '=', p.id)
    .where('disabled_at', 'is', null),
);

/** Saves what a user may change about itself, unless it was disabled in the meantime. */
export async function saveProfile(tx: Transaction, profile: Profile): Promise<void> {
  await tx.run(setProfile, {
    ...profile,
    display_name_folded: foldDisplayName(profile.display_name),
  });
}

export const savePassword = saveIn('users', ['password_hash'], 'id');

const setEmail = query<{ id: number; email: string; email_folded: string }>((db, p) =>
  db
    .updateTable('users')
    .set({ email: p.email, email_folded: p.email_folded, roster_due: 1 })
    .where('id', '=', p.id)
    .where('disabled_at', 'is', null),
);

/** Writes what is there, which holds the row until the transaction ends. */
const holdPasswordHash = query<{ id: number; password_hash: string }>((db, p) =>
  db
    .updateTable('users')
    .set({ password_hash: p.password_hash })
    .where('id', '=', p.id)
    .where('password_hash', '=', p.password_hash)
    .where('disabled_at', 'is', null),
);

/**
 * Returns false if the password was changed, or the user disabled, since the row was read. Otherwise a change waits
 * until the transaction ends.
 */
export async function holdPassword(
  tx: Transaction,
  { id, password_hash }: UserRow,
): Promise<boolean> {
  if (password_hash === null) return false;
  return (await tx.run(holdPasswordHash, { id, password_hash })) === 1;
}

export async function saveEmail(tx: Transaction, id: number, email: string): Promise<void> {
  await tx.run(setEmail, { id, email: canonicalAddress(email), email_folded: fold(email) });
}

/** For changes in other tables that the roster shows: its entry is built again. */
export const markRosterDue = write<{ id: number }>((db, p) =>
  db.updateTable('users').set({ roster_due: 1 }).where('id', '=', p.id),
);

export function findUser(db: Reader, id: number): Promise<UserRow | undefined> {
  return db.first(byId, { id });
}

/** By login or email address, in any case. A login never looks like an address. */
export async function findUserByName(db: Reader, name: string): Promise<UserRow | undefined> {
  const folded = fold(name);
  const found = await db.first(byName, { folded });
  // An address that was stored before domains were made canonical is found as it was written.
  const asWritten = name.trim().toLowerCase();
  return found ?? (asWritten === folded ? undefined : db.first(byName, { folded: asWritten }));
}

export function listAdministrators(db: Reader): Promise<Administrator[]> {
  return db.all(administrators, {});
}

/** Administrators and managers who are not disabled. */
export function listTeam(db: Reader): Promise<Administrator[]> {
  return db.all(team, {});
}

export async function hasAdministrator(db: Reader): Promise<boolean> {
  return (await db.first(administrators, {})) !== undefined;
}

export async function insertUser(
  tx: Transaction,
  user: Omit<NewUser, 'login_folded' | 'email_folded' | 'display_name_folded'>,
): Promise<UserRow> {
  const row = await tx.first(insert, {
    ...user,
    email: canonicalAddress(user.email),
    login_folded: fold(user.login),
    email_folded: fold(user.email),
    display_name_folded: foldDisplayName(user.display_name),
  });
  return row!;
}

/** Searches compare names case-insensitively. */
export function foldDisplayName(name: string): string {
  return name.toLowerCase();
}

/** The user as a recipient of mails, with its language and choices. */
export function recipientOf({
  email,
  language,
  muted_notices,
}: Pick<UserRow, 'email' | 'language' | 'muted_notices'>) {
  return { address: email, language, mutedNotices: muted_notices };
}

export function toPerson(
  row: Pick<UserRow, 'id' | 'login' | 'email' | 'display_name' | 'role'>,
): Person {
  return {
    id: row.id,
    login: row.login,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
  };
}

function fold(name: string): string {
  return name.includes('@') ? foldAddress(name) : name.trim().toLowerCase();
}
