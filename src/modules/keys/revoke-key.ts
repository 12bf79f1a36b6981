import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId, mayEdit } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id } from '../../kernel/declare/schemas.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { findUser, toPerson } from '../users/index.ts';
import { keyRevoked } from './key-events.ts';
import { findKey, revokeKeyRow, type KeyRow } from './key-rows.ts';

export const cannotManageKey = defineError(
  'svc_api_cannot_manage_key',
  403,
  'You may not manage the keys of this user.',
);

export const RevokedKeySchema = Type.Object(
  { revoked: Type.Literal(true) },
  { $id: 'RevokedApiKey' },
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
  response: RevokedKeySchema,
  errors: [generalErrors.notFound, cannotManageKey],
  async handle({ db, site, caller, nowMs }, { id }) {
    const key = requireFound(await findKey(db, { id }));
    const owner = toPerson((await findUser(db, key.user_id))!);
    if (!mayEdit(caller, owner)) throw new ApiError(cannotManageKey);

    await revoke(db, site, key, { actorId: actorId(caller), nowMs });
    return { revoked: true as const };
  },
});

/** Revokes a key and emits the event, unless it was revoked before. */
export async function revoke(
  tx: Transaction,
  site: Site,
  key: KeyRow,
  by: { actorId: number; nowMs: number },
): Promise<void> {
  if (!(await revokeKeyRow(tx, key.id, by.nowMs))) return;
  tx.afterCommitEverywhere(() => site.invalidateCaches());
  emit(tx, keyRevoked, {
    objectId: key.id,
    userId: by.actorId,
    info: `API key ${key.key_prefix} of user ${key.user_id} revoked.`,
    data: { key_id: key.id, user_id: key.user_id },
    nowMs: by.nowMs,
  });
}
