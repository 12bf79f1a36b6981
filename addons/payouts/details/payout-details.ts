import Type, { type Static } from 'typebox';
import type { Reader } from '../../../src/db/database.ts';
import { isAdmin, mayEdit, type Caller } from '../../../src/kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../../src/kernel/declare/errors.ts';
import { LocalTime, Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { requireAffiliate, type AffiliateRow } from '../../../src/modules/affiliates/index.ts';
import { toPerson } from '../../../src/modules/users/index.ts';
import { findMethod } from '../gateways/methods.ts';
import { findPayout } from '../payout/payout-rows.ts';
import { findDetails, readPayoutDetails, readSavedDetails, type Details } from './details-rows.ts';

export const PayoutDetailsSchema = Type.Object(
  {
    method_type: Type.String({ description: 'Empty if nothing is saved.' }),
    method: Type.String({ description: 'The display name of the payout method.' }),
    has_details: Type.Boolean({ description: 'True if a destination is stored.' }),
    masked: Type.String({
      description: 'The destination, shortened so that its owner recognises it.',
    }),
    date_saved: Type.Optional(
      Nullable(
        LocalTime('With `reveal=true`: when the destination was saved; null with `payout_id`.'),
      ),
    ),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The unmasked destination. With `reveal=true` only.',
      }),
    ),
  },
  {
    $id: 'PayoutDetails',
    examples: [
      {
        method_type: 'banktransfer',
        method: 'Bank transfer',
        has_details: true,
        masked: 'DE…3000',
      },
    ],
  },
);

type PayoutDetails = Static<typeof PayoutDetailsSchema>;

/** A decrypted destination. */
export interface Destination {
  readonly methodType: string;
  readonly details: Details;
  /** Null for a payout's copy. */
  readonly savedAt: number | null;
}

/** For the affiliate itself and admins who may edit it. For other callers it does not exist. */
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

/** The affiliate's saved destination, or the copy that one of its payouts has. Throws if the payout has none. */
export async function findDestination(
  db: Reader,
  site: Site,
  userId: number,
  payoutId?: number,
): Promise<Destination | undefined> {
  if (payoutId === undefined) {
    const saved = await findDetails(db, { user_id: userId });
    if (!saved) return undefined;
    const details = readSavedDetails(site, saved);
    return { methodType: saved.method_type, details, savedAt: saved.updated_at };
  }
  const payout = await findPayout(db, payoutId);
  if (payout?.user_id !== userId || payout.details === null) {
    throw new ApiError(generalErrors.notFound);
  }
  const details = readPayoutDetails(site, payout);
  return { methodType: payout.method_type, details, savedAt: null };
}

export function toPayoutDetails(site: Site, destination: Destination | undefined): PayoutDetails {
  if (!destination) {
    return { method_type: '', method: '', has_details: false, masked: '' };
  }
  const { methodType, details } = destination;
  const method = findMethod(site, methodType);
  return {
    method_type: methodType,
    method: method?.label ?? methodType,
    has_details: true,
    masked: method?.mask(details) ?? '',
  };
}
