import Type from 'typebox';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { findUser } from '../../users/index.ts';
import { noteChange } from '../note-change.ts';
import { removeCodesWithoutFactor } from '../remove-second-factors.ts';
import { twoFactorOf, TwoFactorSchema } from '../two-factor-state.ts';
import { listPasskeyRows, removePasskeyRow, renamePasskeyRow } from './passkey-rows.ts';
import { PasskeyName, PasskeySchema, toPasskey } from './passkey-wire.ts';

export const listPasskeys = operation({
  method: 'GET',
  namespace: 'store',
  path: '/account/passkeys',
  summary: 'List your passkeys',
  access: 'user',
  scope: 'read',
  beforeSecondFactor: true,
  response: Type.Array(PasskeySchema),
  async handle({ db, site, caller }) {
    if (!caller.person) return [];
    const rows = await listPasskeyRows(db, { user_id: caller.person.id });
    return rows.map((row) => toPasskey(row, site));
  },
});

export const renamePasskey = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/account/passkeys/{id}',
  summary: 'Rename a passkey',
  description: 'The name is for the list only; the passkey goes on working.',
  access: 'user',
  scope: 'manage',
  whileSuspended: true,
  params: Type.Object({ id: Id('The passkey.') }),
  body: Type.Object({ name: PasskeyName }, { $id: 'RenamePasskey' }),
  example: { body: { name: 'Old phone' }, response: { name: 'Old phone' } },
  response: PasskeySchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller }, { id, name }) {
    const renamed = await renamePasskeyRow(db, { id, user_id: caller.person!.id, name });
    if (!renamed) throw new ApiError(generalErrors.notFound);
    return toPasskey(renamed, site);
  },
});

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
