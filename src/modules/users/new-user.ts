import Type, { type Static } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import type { Role } from '../../kernel/declare/caller.ts';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { EmailAddress } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import type { Language } from '../../shared/languages.ts';
import { findUserByName, insertUser, type UserRow } from './user-rows.ts';

export const userExists = defineError(
  'svc_api_user_exists',
  409,
  'The login or email address is already in use.',
);

/** A request names a user who does not exist. */
export const invalidUser = defineError('svc_api_invalid_user', 400, 'There is no such user.');

export function noSuchUser(parameter = 'user_id'): ApiError {
  return new ApiError(invalidUser, { data: { params: { [parameter]: 'There is no such user.' } } });
}

/** The fields of a new user, with the same rules on every path that creates one. */
export const newUserFields = {
  login: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$',
    description: 'Letters, digits, dot, dash and underscore, at most 60.',
  }),
  email: EmailAddress('An email address.'),
};

export const DisplayName = Type.String({
  // Mails and lists show it: no address, no invisible characters, and none that change the direction of writing.
  pattern: '^(?=.*\\S)(?!.*://)[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]{1,100}$',
  description:
    'The name as people read it, at most 100 characters; no address and no invisible characters.',
});

const Fields = Type.Object(newUserFields);

export async function createUser(
  tx: Transaction,
  site: Site,
  user: Static<typeof Fields> & {
    display_name?: string;
    language?: Language | '';
    role: Role;
    passwordHash: string | null;
  },
): Promise<UserRow> {
  const taken = (await findUserByName(tx, user.login)) ?? (await findUserByName(tx, user.email));
  if (taken) throw new ApiError(userExists);
  tx.afterCommitEverywhere(() => site.invalidateCaches());
  return insertUser(tx, {
    login: user.login,
    email: user.email,
    display_name: user.display_name ?? user.login,
    role: user.role,
    password_hash: user.passwordHash,
    created_at: site.clock(),
    language: user.language ?? '',
  });
}
