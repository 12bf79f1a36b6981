import Type from 'typebox';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { findUser } from '../../users/index.ts';
import { noteChange } from '../note-change.ts';
import { removeCodesWithoutFactor } from '../remove-second-factors.ts';
import { twoFactorOf, TwoFactorSchema } from '../two-factor-state.ts';
import { removePasskeyRow } from './passkey-rows.ts';

export const removePasskey = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/account/passkeys/{id}',
  summary: 'Remove a passkey',
  description: 'Without another second factor, the recovery codes end too.',
  access: 'user',
  scope: 'manage',
  proof: true,
  whileSuspended: true,
  params: Type.Object({ id: Id('The passkey.') }),
  response: TwoFactorSchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id }) {
    const user = (await findUser(db, caller.person!.id))!;
    if (!(await removePasskeyRow(db, { id, user_id: user.id })))
      throw new ApiError(generalErrors.notFound);
    await removeCodesWithoutFactor(db, user.id);
    noteChange(db, site, user, 'passkey_removed', { actor: user.id, nowMs });
    return twoFactorOf(db, site, user);
  },
});
