import Type, { type Static } from 'typebox';
import type { Reader } from '../../db/database.ts';
import { isAdmin, mayEdit, type Caller } from '../../kernel/caller.ts';
import { ApiError, generalErrors } from '../../kernel/errors.ts';
import type { Site } from '../../kernel/site.ts';
import { requireAffiliate, type AffiliateRow } from '../../modules/affiliates/index.ts';
import { toPerson } from '../../modules/users/index.ts';
import { findDetails, readSavedDetails } from './details-store.ts';
import { findMethod } from './methods.ts';

export const PayoutDetailsSchema = Type.Object(
  {
    method_type: Type.String({ description: 'Empty while nothing is saved.' }),
    method: Type.String(),
    has_details: Type.Boolean(),
    masked: Type.String({ description: 'Enough to recognise the destination, not to use it.' }),
  },
  { $id: 'PayoutDetails' },
);

/** For admins who may edit the affiliate, and for itself; for anyone else it does not exist. */
export async function requireOwnDetails(
  db: Reader,
  caller: Caller,
  id: number,
): Promise<AffiliateRow> {
  const isSelf = caller.person?.id === id;
  if (!isSelf && !isAdmin(caller)) throw new ApiError(generalErrors.notFound);
  const affiliate = await requireAffiliate(db, id);
  if (!isSelf && !mayEdit(caller, toPerson(affiliate))) throw new ApiError(generalErrors.forbidden);
  return affiliate;
}

export async function toPayoutDetails(
  db: Reader,
  site: Site,
  userId: number,
): Promise<Static<typeof PayoutDetailsSchema>> {
  const saved = await findDetails(db, userId);
  if (!saved) return { method_type: '', method: '', has_details: false, masked: '' };
  const method = findMethod(site, saved.method_type);
  return {
    method_type: saved.method_type,
    method: method?.label ?? saved.method_type,
    has_details: true,
    masked: method?.mask(readSavedDetails(site, saved)) ?? '',
  };
}
