import type { Static } from 'typebox';
import type { Transaction } from '../../db/database.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { addCoupon } from '../coupons/index.ts';
import { emit } from '../events/index.ts';
import type { RateColumns } from '../groups/index.ts';
import { createUser } from '../users/index.ts';
import { affiliateCreated } from './affiliate-events.ts';
import { affiliateExtras, runNewAffiliateHooks } from './affiliate-extra.ts';
import { saveAffiliate } from './affiliate-rows.ts';
import { type ProfileInput, readProfile, withInput } from './profile.ts';
import type { AffiliateStatus } from './tables.ts';

export interface NewAffiliate {
  readonly login: string;
  readonly email: string;
  readonly display_name?: string | undefined;
  readonly passwordHash: string | null;
  readonly profile?: Static<typeof ProfileInput> | undefined;
  readonly status?: AffiliateStatus | undefined;
  /** When it joined the program; now, if it is not given. */
  readonly registered_at?: number | undefined;
  readonly coupon?: { code: string; rates: Partial<RateColumns> } | undefined;
  /** The inputs of other modules, such as `invite`. */
  readonly extras: Record<string, unknown>;
}

/** Creates a user who is an affiliate, and emits the event. Every path that creates both uses this. */
export async function addAffiliate(
  tx: Transaction,
  site: Site,
  caller: Caller,
  affiliate: NewAffiliate,
  nowMs: number,
): Promise<number> {
  const { login, email, display_name, passwordHash } = affiliate;
  const { id } = await createUser(tx, site, {
    login,
    email,
    ...(display_name !== undefined && { display_name }),
    role: 'affiliate',
    passwordHash,
  });
  await saveAffiliate(tx, id, {
    status: affiliate.status ?? 'active',
    profile: JSON.stringify(withInput(readProfile('{}'), affiliate.profile)),
    registered_at: affiliate.registered_at ?? nowMs,
  });
  emit(tx, affiliateCreated, {
    objectId: id,
    userId: actorId(caller),
    info: `Affiliate ${id} created.`,
    data: { user_id: id },
    nowMs,
  });
  const { coupon } = affiliate;
  if (coupon) await addCoupon(tx, site, caller, { ...coupon, user_id: id }, nowMs);
  for (const extra of site.registry.contributions(affiliateExtras)) {
    await extra.created(tx, site, caller, { id, login }, affiliate.extras, nowMs);
  }
  await runNewAffiliateHooks(tx, site, id, nowMs);
  return id;
}
