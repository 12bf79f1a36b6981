import { ApiError, defineError } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { findUser } from '../users/index.ts';
import { noteChange } from './note-change.ts';
import { RecoveryCodesSchema } from './recovery-codes-wire.ts';
import { renewCodes } from './recovery-codes.ts';
import { methodsOf } from './two-factor-state.ts';

export const noSecondFactor = defineError(
  'svc_api_no_second_factor',
  409,
  'Set up an authenticator app or a passkey first.',
);

export const renewRecoveryCodes = operation({
  method: 'POST',
  namespace: 'store',
  path: '/account/recovery-codes',
  summary: 'Create new recovery codes',
  description: 'The earlier ones no longer work.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  secretAnswer: true,
  response: RecoveryCodesSchema,
  errors: [noSecondFactor],
  async handle({ db, site, caller, nowMs }) {
    const user = (await findUser(db, caller.person!.id))!;
    if ((await methodsOf(db, user.id)).length === 0) throw new ApiError(noSecondFactor);
    noteChange(db, site, user, 'recovery_codes_renewed', { actor: user.id, nowMs });
    return { recovery_codes: await renewCodes(db, site, user.id) };
  },
});
