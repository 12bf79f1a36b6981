import Type from 'typebox';
import { defineEvent } from '../../kernel/declare/event.ts';
import { StringEnum } from '../../kernel/declare/schemas.ts';

export const twoFactorChanges = [
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_renewed',
  'recovery_code_used',
  'all_removed',
] as const;
export type TwoFactorChange = (typeof twoFactorChanges)[number];

export const twoFactorUpdated = defineEvent(
  'two_factor.updated',
  "A user's second factors changed, or a recovery code was used.",
  Type.Object({
    user_id: Type.Integer(),
    change: StringEnum(twoFactorChanges, {
      description: 'The change; only the command line can do all_removed.',
    }),
  }),
  { id: 17, timestamp: '2026-01-10T11:40:31.007Z', data: { user_id: 1, change: 'totp_added' } },
  'user',
);
