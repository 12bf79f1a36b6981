import Type from 'typebox';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { siteName } from '../store-profile/index.ts';
import { findUser } from '../users/index.ts';
import { noteChange } from './note-change.ts';
import { RecoveryCodesSchema } from './recovery-codes-wire.ts';
import { renewCodes } from './recovery-codes.ts';
import { removeCodesWithoutFactor } from './remove-second-factors.ts';
import { confirmTotpRow, findTotp, readSecret, removeTotpRow, saveTotp } from './totp-rows.ts';
import { newTotpSecret, otpauthUrl, stepOf } from './totp.ts';
import { twoFactorOf, TwoFactorSchema } from './two-factor-state.ts';

export const totpExists = defineError(
  'svc_api_totp_exists',
  409,
  'An authenticator app is set up already: remove it first.',
);

export const setUpTotp = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/totp',
  summary: 'Begin to set up an authenticator app',
  description:
    'The secret is for the app (RFC 6238: SHA-1, six digits, 30 seconds). It has no effect until ' +
    'POST /account/totp/confirm gets a first code; calling this again replaces it.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  beforeSecondFactor: true,
  secretAnswer: true,
  response: Type.Object(
    {
      secret: Type.String({ description: 'Base32, to type into the app.' }),
      otpauth_url: Type.String({ description: 'For a QR code.' }),
    },
    {
      $id: 'TotpSetup',
      examples: [
        {
          secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          otpauth_url:
            'otpauth://totp/Store:maya?issuer=Store&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
        },
      ],
    },
  ),
  errors: [totpExists],
  async handle({ db, site, caller, nowMs }) {
    const { id, login } = caller.person!;
    const secret = newTotpSecret();
    if (!(await saveTotp(db, site, id, secret, nowMs))) throw new ApiError(totpExists);
    const issuer = site.settings.get(siteName);
    return { secret, otpauth_url: otpauthUrl(secret, { issuer, label: login }) };
  },
});

export const wrongCode = defineError(
  'svc_api_wrong_code',
  400,
  'The code is wrong. Check the clock of your device, and try the next code.',
);

export const noTotpSetup = defineError(
  'svc_api_no_totp_setup',
  409,
  'There is nothing to confirm: begin with POST /account/totp.',
);

export const confirmTotp = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/totp/confirm',
  summary: 'Finish setting up an authenticator app',
  description:
    'From now on a sign-in with the password needs a code. The recovery codes are shown only here; earlier ones no ' +
    'longer work.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  beforeSecondFactor: true,
  secretAnswer: true,
  body: Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 20, description: 'A code of the app.' }) },
    { $id: 'ConfirmTotp' },
  ),
  example: { body: { code: '492039' } },
  response: RecoveryCodesSchema,
  errors: [wrongCode, noTotpSetup],
  async handle({ db, site, caller, nowMs }, { code }) {
    const user = (await findUser(db, caller.person!.id))!;
    const row = await findTotp(db, { user_id: user.id });
    if (!row || row.confirmed_at !== null) throw new ApiError(noTotpSetup);
    const step = stepOf(readSecret(site, row), code, nowMs);
    if (step === undefined) throw new ApiError(wrongCode);
    if (!(await confirmTotpRow(db, { ...row, step, now: nowMs }))) throw new ApiError(noTotpSetup);
    noteChange(db, site, user, 'totp_added', { actor: user.id, nowMs });
    return { recovery_codes: await renewCodes(db, site, user.id) };
  },
});

export const removeTotp = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/account/totp',
  summary: 'Remove the authenticator app',
  description: 'Without a passkey, the recovery codes end too, and the password alone signs in.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  response: TwoFactorSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }) {
    const user = (await findUser(db, caller.person!.id))!;
    if (!(await removeTotpRow(db, { user_id: user.id })))
      throw new ApiError(generalErrors.notFound);
    await removeCodesWithoutFactor(db, user.id);
    noteChange(db, site, user, 'totp_removed', { actor: user.id, nowMs });
    return twoFactorOf(db, site, user);
  },
});
