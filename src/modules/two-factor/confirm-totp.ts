import Type from 'typebox';
import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { findUser } from '../users/index.ts';
import { noteChange } from './note-change.ts';
import { RecoveryCodesSchema } from './recovery-codes-wire.ts';
import { renewCodes } from './recovery-codes.ts';
import { confirmTotpRow, findTotp, readSecret } from './totp-rows.ts';
import { stepOf } from './totp.ts';

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
