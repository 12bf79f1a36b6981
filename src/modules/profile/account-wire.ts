import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { roles, type Caller } from '../../kernel/declare/caller.ts';
import { Nullable, StringEnum } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { languages } from '../../shared/languages.ts';
import { findPendingEmail } from '../accounts/index.ts';
import { affiliateStatuses, findAffiliate } from '../affiliates/index.ts';
import { twoFactorOf, TwoFactorSchema } from '../two-factor/index.ts';
import { toPerson, toUser, UserSchema, type UserRow } from '../users/index.ts';
import { choicesOf } from './notifications.ts';

export const LanguageChoice = StringEnum(['', ...languages], {
  description: 'The language of emails and pages; empty for the language of the site.',
});

export const AccountSchema = Type.Object(
  {
    user: UserSchema,
    role: StringEnum(roles, { description: 'The role of the user on this site.' }),
    is_affiliate: Type.Boolean({ description: 'An affiliate, or someone with a coupon.' }),
    affiliate_status: Nullable(
      StringEnum(affiliateStatuses, { description: 'Null if the user is not an affiliate.' }),
    ),
    language: LanguageChoice,
    pending_email: Nullable(
      Type.String({ description: 'A new address that has not been confirmed yet.' }),
    ),
    has_password: Type.Boolean({ description: 'True if the user can sign in with a password.' }),
    notifications: Type.Record(Type.String(), Type.Boolean(), {
      description:
        'Notices by name, and whether the user gets them. Decisions and emails that protect the ' +
        'account are always sent and not listed.',
    }),
    two_factor: TwoFactorSchema,
  },
  {
    $id: 'Account',
    examples: [
      {
        role: 'affiliate',
        is_affiliate: true,
        affiliate_status: 'active',
        language: 'de',
        pending_email: null,
        has_password: true,
        notifications: { payouts: true },
        two_factor: { totp: true, passkeys: 1, recovery_codes_left: 9, required: false },
      },
    ],
  },
);

export async function toAccount(
  db: Reader,
  site: Site,
  caller: Caller,
  row: UserRow,
): Promise<Static<typeof AccountSchema>> {
  const affiliate = await findAffiliate(db, row.id);
  return {
    user: toUser(toPerson(row), caller),
    role: row.role,
    is_affiliate: affiliate !== undefined,
    affiliate_status: affiliate?.status ?? null,
    language: row.language,
    pending_email: (await findPendingEmail(db, row.id, site.clock())) ?? null,
    has_password: row.password_hash !== null,
    notifications: choicesOf(site, row),
    two_factor: await twoFactorOf(db, site, row),
  };
}
