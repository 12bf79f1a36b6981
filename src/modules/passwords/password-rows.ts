import { insertOne, readAll, readFirst, write } from '../../db/statements/calls.ts';
import { findIn } from '../../db/statements/plain-calls.ts';
import type { RowOf } from '../../db/tables.ts';
import type { UserRow } from '../users/index.ts';

export type PasswordRow = RowOf<'application_passwords'>;

type NewPassword = Omit<PasswordRow, 'id' | 'revoked_at'>;

export const insertPassword = insertOne<NewPassword, PasswordRow>((db, row) =>
  db.insertInto('application_passwords').values(row).returningAll(),
);

type Owner = UserRow & { affiliate_status: string | null };

export const findOwnerByHash = readFirst<{ password_hash: string }, Owner>((db, p) =>
  db
    .selectFrom('application_passwords')
    .innerJoin('users', 'users.id', 'application_passwords.user_id')
    .leftJoin('affiliates', 'affiliates.user_id', 'application_passwords.user_id')
    .selectAll('users')
    .select('affiliates.status as affiliate_status')
    .where('application_passwords.password_hash', '=', p.password_hash)
    .where('revoked_at', 'is', null),
);

export const listPasswords = readAll<{ user_id: number }, PasswordRow>((db, p) =>
  db.selectFrom('application_passwords').selectAll().where('user_id', '=', p.user_id).orderBy('id'),
);

export const findPassword = findIn('application_passwords', 'id');

export const revokePasswordRow = write<{ id: number; revoked_at: number }>((db, p) =>
  db
    .updateTable('application_passwords')
    .set({ revoked_at: p.revoked_at })
    .where('id', '=', p.id)
    .where('revoked_at', 'is', null),
);
