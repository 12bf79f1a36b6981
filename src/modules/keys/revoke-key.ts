import Type from 'typebox';
import { actorId, mayEdit } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import { emit } from '../events/index.ts';
import { findUser, toPerson } from '../users/index.ts';
import { keyRevoked } from './key-events.ts';
import { findKey, revokeKeyRow } from './key-store.ts';

export const cannotManageKey = defineError(
  'svc_api_cannot_manage_key',
  403,
  'You may not manage the keys of this user.',
);

export const revokeKey = operation({
  method: 'DELETE',
  namespace: 'v2',
  path: '/keys/{id}',
  summary: 'Revoke an API key',
  description: 'Revoking a revoked key again answers the same.',
  access: 'admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The key.') }),
  response: Type.Object({ revoked: Type.Literal(true) }, { $id: 'RevokedApiKey' }),
  errors: [generalErrors.notFound, cannotManageKey],
  async handle({ db, site, caller, nowMs }, { id }) {
    const key = await findKey(db, id);
    if (!key) throw new ApiError(generalErrors.notFound);
    const owner = toPerson((await findUser(db, key.user_id))!);
    if (!mayEdit(caller, owner)) throw new ApiError(cannotManageKey);

    if (await revokeKeyRow(db, id, nowMs)) {
      db.afterCommitEverywhere(() => site.invalidateCaches());
      emit(db, keyRevoked, {
        objectId: id,
        userId: actorId(caller),
        info: `API key ${key.key_prefix} of ${owner.login} revoked.`,
        data: { key_id: id, user_id: key.user_id },
        nowMs,
      });
    }
    return { revoked: true as const };
  },
});
