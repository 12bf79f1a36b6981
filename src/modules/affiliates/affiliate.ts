import type { Reader, Transaction } from '../../db/database.ts';
import { actorId, isAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors, requireFound } from '../../kernel/declare/errors.ts';
import { emit } from '../events/index.ts';
import { isAnonymised } from '../users/index.ts';
import { affiliateReinstated, affiliateSuspended } from './affiliate-events.ts';
import { findAffiliate, type AffiliateRow } from './affiliate-rows.ts';
import type { AffiliateStatus } from './tables.ts';

export async function requireAffiliate(db: Reader, id: number): Promise<AffiliateRow> {
  return requireFound(await findAffiliate(db, id));
}

/** For admins and the affiliate itself; for anyone else it does not exist. */
export async function requireOwnAffiliate(
  db: Reader,
  caller: Caller,
  id: number,
): Promise<AffiliateRow> {
  if (!isAdmin(caller) && caller.person?.id !== id) throw new ApiError(generalErrors.notFound);
  return requireAffiliate(db, id);
}

export const alreadyAnonymised = defineError(
  'svc_api_already_anonymised',
  409,
  'The personal data of this affiliate has been erased. It can no longer be changed.',
);

/** Refuses changes of an affiliate whose data was erased. The caller has locked the affiliate. */
export function requireNotAnonymised(affiliate: Parameters<typeof isAnonymised>[0]): void {
  if (isAnonymised(affiliate)) throw new ApiError(alreadyAnonymised);
}

export async function emitStatusChange(
  tx: Transaction,
  caller: Caller,
  { id }: AffiliateRow,
  status: AffiliateStatus,
  nowMs: number,
): Promise<void> {
  const event = status === 'suspended' ? affiliateSuspended : affiliateReinstated;
  emit(tx, event, {
    objectId: id,
    userId: actorId(caller),
    info: `Affiliate ${id} ${status === 'suspended' ? 'suspended' : 'reinstated'}.`,
    data: { user_id: id },
    nowMs,
  });
}
