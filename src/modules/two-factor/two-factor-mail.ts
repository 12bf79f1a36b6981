import Type from 'typebox';
import { defineMail } from '../mail/index.ts';

/** Its text has one sentence per change; the mail contains the one of its change. */
export const twoFactorMail = defineMail(
  'two-factor-changed',
  Type.Object({
    name: Type.String(),
    totp_added: Type.Optional(Type.Boolean()),
    totp_removed: Type.Optional(Type.Boolean()),
    passkey_added: Type.Optional(Type.Boolean()),
    passkey_removed: Type.Optional(Type.Boolean()),
    recovery_codes_renewed: Type.Optional(Type.Boolean()),
    recovery_code_used: Type.Optional(Type.Boolean()),
    all_removed: Type.Optional(Type.Boolean()),
  }),
  { about: 'To a person whose second factors were changed.' },
);
