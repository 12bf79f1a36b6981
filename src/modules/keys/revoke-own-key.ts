import Type from 'typebox';
import { actorId } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { findUser } from '../users/index.ts';
import { findKey } from './key-rows.ts';
import { revoke, RevokedKeySchema } from './revoke-key.ts';

export const revokeOwnKey = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/account/keys/{id}',
  summary: 'Revoke one of your own API keys',
  description: 'Revoking a revoked key again answers the same.',
  access: 'user',
  scope: 'manage',
  // A suspended affiliate may still end the access of a lost key.
  whileSuspended: true,
  params: Type.Object({ id: Id('The key.') }),
  response: RevokedKeySchema,
  errors: [generalErrors.notFound],
  async handle({ db, site, caller, nowMs }, { id }) {
    const key = await findKey(db, { id });
    const owner = await findUser(db, actorId(caller));
    if (!key || !owner || key.user_id !== owner.id) throw new ApiError(generalErrors.notFound);
    await revoke(db, site, key, { actorId: owner.id, nowMs });
    return { revoked: true as const };
  },
});
