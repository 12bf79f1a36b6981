import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { Reader, Transaction } from '../../db/database.ts';
import { actorId, mayEdit, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { emit } from '../events/index.ts';
import { findUserByName, toPerson, userExists } from '../users/index.ts';
import { mailOldAddress } from './address-mail.ts';
import { affiliateUpdated, changeable } from './affiliate-events.ts';
import { lockAffiliate, renameUser, saveAffiliate, type AffiliateRow } from './affiliate-rows.ts';
import { emitStatusChange, requireAffiliate, requireNotAnonymised } from './affiliate.ts';
import { groupsOf, replaceGroups, requireGroups } from './membership.ts';
import { storeNote } from './notes/add-note.ts';
import { readProfile, withInput, type ProfileInput } from './profile.ts';
import type { AffiliateStatus } from './tables.ts';
import { findTagsOf, replaceTags } from './tags/tag-rows.ts';

export interface AffiliateChange {
  readonly id: number;
  readonly display_name?: string;
  readonly email?: string;
  /** The names of all its groups from now on, or what they become. */
  readonly groups?: readonly string[] | ((names: string[]) => readonly string[]);
  readonly tags?: (names: string[]) => readonly string[];
  readonly profile?: Static<typeof ProfileInput>;
  readonly status?: AffiliateStatus;
  /** Why the status changes. */
  readonly reason?: string;
}

/** Changes an affiliate, emits the events, and returns it as it is then. */
export async function applyChange(
  tx: Transaction,
  site: Site,
  caller: Caller,
  input: AffiliateChange,
  nowMs: number,
): Promise<AffiliateRow> {
  const { id } = input;
  await lockAffiliate(tx, id);
  const row = await requireAffiliate(tx, id);
  // Otherwise a manager could take over the account of an administrator who has a coupon.
  if (!mayEdit(caller, toPerson(row))) throw new ApiError(generalErrors.forbidden);
  requireNotAnonymised(row);

  const groups = await groupsOf(tx, id);
  const before = {
    display_name: row.display_name,
    email: row.email,
    groups,
    profile: readProfile(row.profile),
    tags: input.tags ? (await findTagsOf(tx, [id])).map(({ name }) => name) : [],
  };
  const wanted =
    typeof input.groups === 'function'
      ? input.groups(groups.map(({ name }) => name))
      : input.groups;
  const after = {
    display_name: input.display_name ?? before.display_name,
    email: input.email ?? before.email,
    groups: wanted ? await requireGroups(tx, wanted) : before.groups,
    profile: withInput(before.profile, input.profile),
    tags: input.tags?.(before.tags) ?? before.tags,
  };
  const changed = changeable.filter((name) => !isDeepStrictEqual(after[name], before[name]));
  const status = input.status ?? row.status;
  if (changed.length === 0 && status === row.status) return row;

  if (changed.includes('email')) {
    await requireFreeEmail(tx, after.email, id);
    await mailOldAddress(tx, site, row, nowMs);
  }
  if (changed.includes('email') || changed.includes('display_name')) {
    await renameUser(tx, id, after);
  }
  await saveAffiliate(tx, id, {
    status,
    profile: JSON.stringify(after.profile),
    registered_at: row.registered_at,
  });
  if (changed.includes('groups')) await replaceGroups(tx, id, after.groups);
  if (changed.includes('tags')) await replaceTags(tx, id, after.tags);
  tx.afterCommitEverywhere(() => site.invalidateCaches());

  if (changed.length > 0) {
    emit(tx, affiliateUpdated, {
      objectId: id,
      userId: actorId(caller),
      info: `Affiliate ${id} changed: ${changed.join(', ')}.`,
      data: { user_id: id, changed },
      nowMs,
    });
  }
  if (status !== row.status) {
    await emitStatusChange(tx, caller, row, status, nowMs);
    if (input.reason) {
      const act = status === 'suspended' ? 'Suspended' : 'Reinstated';
      await storeNote(tx, caller, id, `${act}: ${input.reason}`, nowMs);
    }
  }
  return requireAffiliate(tx, id);
}

async function requireFreeEmail(db: Reader, email: string, userId: number): Promise<void> {
  const holder = await findUserByName(db, email);
  if (holder && holder.id !== userId) throw new ApiError(userExists);
}
