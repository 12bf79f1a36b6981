import type { Selectable } from 'kysely';
import type { Reader, Transaction } from '../../db/database.ts';
import { query } from '../../db/statements/query.ts';
import type { ApplicationPasswordsTable } from './tables.ts';
import type { UserRow } from '../users/index.ts';

export type PasswordRow = Selectable<ApplicationPasswordsTable>;

type NewPassword = Omit<PasswordRow, 'id' | 'revoked_at'>;

const insert = query<NewPassword, PasswordRow>((db, p) =>
  db
    .insertInto('application_passwords')
    .values({
      user_id: p.user_id,
      description: p.description,
      password_hash: p.password_hash,
      created_at: p.created_at,
    })
    .returningAll(),
);

type Owner = UserRow & { affiliate_status: string | null };

const ownerByHash = query<{ password_hash: string }, Owner>((db, p) =>
  db
    .selectFrom('application_passwords')
    .innerJoin('users', 'users.id', 'application_passwords.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'application_passwords.user_id')
    .selectAll('users')
    .select('affiliates.status as affiliate_status')
    .where('application_passwords.password_hash', '=', p.password_hash)
    .where('revoked_at', 'is', null),
);

const ofUser = query<{ user_id: number }, PasswordRow>((db, p) =>
  db.selectFrom('application_passwords').selectAll().where('user_id', '=', p.user_id).orderBy('id'),
);

const byId = query<{ id: number }, PasswordRow>((db, p) =>
  db.selectFrom('application_passwords').selectAll().where('id', '=', p.id),
);

const revoke = query<{ id: number; revoked_at: number }>((db, p) =>
  db
    .updateTable('application_passwords')
    .set({ revoked_at: p.revoked_at })
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null),
);

export async function insertPassword(tx: Transaction, password: NewPassword): Promise<PasswordRow> {
  return (await tx.first(insert, password))!;
}

export function findOwnerByHash(db: Reader, passwordHash: string): Promise<Owner | undefined> {
  return db.first(ownerByHash, { password_hash: passwordHash });
}

export function listPasswords(db: Reader, userId: number): Promise<PasswordRow[]> {
  return db.all(ofUser, { user_id: userId });
}

export function findPassword(db: Reader, id: number): Promise<PasswordRow | undefined> {
  return db.first(byId, { id });
}

export async function revokePasswordRow(tx: Transaction, id: number, nowMs: number): Promise<void> {
  await tx.run(revoke, { id, revoked_at: nowMs });
}
