import type { Transaction } from '../../src/db/database.ts';
import { actorId, type Caller } from '../../src/kernel/declare/caller.ts';
import { ApiError, defineError } from '../../src/kernel/declare/errors.ts';
import { findAffiliate, type AffiliateRow } from '../../src/modules/affiliates/index.ts';
import { emit } from '../../src/modules/events/index.ts';
import { noSuchUser } from '../../src/modules/users/index.ts';
import { parentChanged } from './multilevel-events.ts';
import { findParent, isSelfOrInUpline, saveParent } from './upline-rows.ts';

export const loop = defineError(
  'svc_api_mla_loop',
  409,
  'That affiliate is below this one and cannot be its parent.',
);

/** Sets or removes the parent of an affiliate. The same parent again changes nothing. */
export async function changeParent(
  tx: Transaction,
  caller: Caller,
  affiliate: AffiliateRow,
  parentId: number | null,
  nowMs: number,
): Promise<void> {
  // Two transactions that each make one affiliate the parent of the other would close a loop that neither
  // sees.
  await tx.lock('parents');
  if ((await findParent(tx, affiliate.id)) === parentId) return;
  if (parentId !== null) {
    if (!(await findAffiliate(tx, parentId))) throw noSuchUser('parent_id');
    if (await isSelfOrInUpline(tx, parentId, affiliate.id)) throw new ApiError(loop);
  }
  const { id, registered_at } = affiliate;
  await saveParent(tx, { user_id: id, parent_id: parentId, registered_at });
  emit(tx, parentChanged, {
    objectId: affiliate.id,
    userId: actorId(caller),
    info:
      parentId === null
        ? `Affiliate ${affiliate.id} no longer has a parent.`
        : `Affiliate ${affiliate.id} is below affiliate ${parentId} now.`,
    data: { user_id: affiliate.id, parent_id: parentId },
    nowMs,
  });
}
