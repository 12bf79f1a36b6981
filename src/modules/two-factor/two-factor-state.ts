import { sql } from 'kysely';
import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { readOne } from '../../db/statements/calls.ts';
import { query } from '../../db/statements/query.ts';
import type { Person } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { secondStepMethods, type SecondStepMethod } from '../sessions/index.ts';
import { requireOfAdministrators } from './settings.ts';

export const TwoFactorSchema = Type.Object(
  {
    totp: Type.Boolean({ description: 'True if an authenticator app is set up.' }),
    passkeys: Type.Integer({ description: 'How many passkeys there are.' }),
    recovery_codes_left: Type.Integer({ description: 'How many recovery codes are unused.' }),
    required: Type.Boolean({ description: 'True if the store requires a second factor.' }),
  },
  {
    $id: 'TwoFactor',
    examples: [{ totp: true, passkeys: 1, recovery_codes_left: 10, required: false }],
  },
);
export type TwoFactor = Static<typeof TwoFactorSchema>;

interface Counts {
  totp: number;
  passkeys: number;
  codes: number;
}

const countsOf = readOne<{ user_id: number }, Counts>((db, p) =>
  db.selectNoFrom((eb) => [
    eb
      .selectFrom('totp_secrets')
      .select(sql<number>`count(*)`.as('n'))
      .where('user_id', '=', p.user_id)
      .where('confirmed_at', 'is not', null)
      .as('totp'),
    eb
      .selectFrom('passkeys')
      .select(sql<number>`count(*)`.as('n'))
      .where('user_id', '=', p.user_id)
      .as('passkeys'),
    eb
      .selectFrom('recovery_codes')
      .select(sql<number>`count(*)`.as('n'))
      .where('user_id', '=', p.user_id)
      .as('codes'),
  ]),
);

/** The second factors of a user, with one query. */
export async function twoFactorOf(
  db: Reader,
  { settings }: Site,
  user: Pick<Person, 'id' | 'role'>,
): Promise<TwoFactor> {
  const { totp, passkeys, codes } = await countsOf(db, { user_id: user.id });
  return {
    totp: totp > 0,
    passkeys,
    recovery_codes_left: codes,
    required: user.role === 'administrator' && settings.get(requireOfAdministrators),
  };
}

const withFactor = query<{ user_ids: string }, { user_id: number }>((db, p, _given, dialect) =>
  db
    .selectFrom('totp_secrets')
    .select('user_id')
    .where('confirmed_at', 'is not', null)
    .where(dialect.inJsonArray('user_id', p.user_ids, 'number'))
    .union(
      db
        .selectFrom('passkeys')
        .select('user_id')
        .where(dialect.inJsonArray('user_id', p.user_ids, 'number')),
    ),
);

/** Which of these users have a second factor. */
export async function usersWithFactor(
  db: Reader,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db.all(withFactor, { user_ids: JSON.stringify(userIds) });
  return new Set(rows.map(({ user_id }) => user_id));
}

/** The ways in which a user can take the second step of a sign-in; empty if there is none to take. */
export async function methodsOf(db: Reader, userId: number): Promise<SecondStepMethod[]> {
  const { totp, passkeys, codes } = await countsOf(db, { user_id: userId });
  if (totp + passkeys === 0) return [];
  const has = { totp: totp > 0, passkey: passkeys > 0, recovery: codes > 0 };
  return secondStepMethods.filter((method) => has[method]);
}
