import Type from 'typebox';
import { ApiError, generalErrors } from '../../../kernel/declare/errors.ts';
import { operation } from '../../../kernel/declare/operation.ts';
import { Id } from '../../../kernel/declare/schemas.ts';
import { renamePasskeyRow } from './passkey-rows.ts';
import { PasskeyName, PasskeySchema, toPasskey } from './passkey-wire.ts';

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
