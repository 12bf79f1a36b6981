import type { Reader } from '../../db/database.ts';
import { isAdmin, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { requireAffiliate, type AffiliateRow } from '../affiliates/index.ts';

/** For admins and the affiliate itself; for anyone else it does not exist. */
export async function requireOwnAffiliate(
  db: Reader,
  caller: Caller,
  id: number,
): Promise<AffiliateRow> {
  if (!isAdmin(caller) && caller.person?.id !== id) throw new ApiError(generalErrors.notFound);
  return requireAffiliate(db, id);
}
