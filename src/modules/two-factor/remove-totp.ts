import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { findUser } from '../users/index.ts';
import { noteChange } from './note-change.ts';
import { removeCodesWithoutFactor } from './remove-second-factors.ts';
import { removeTotpRow } from './totp-rows.ts';
import { twoFactorOf, TwoFactorSchema } from './two-factor-state.ts';

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
