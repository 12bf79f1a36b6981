import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import type { Reader } from '../../db/database.ts';
import { actorId, mayEdit } from '../../kernel/declare/caller.ts';
import { ApiError, generalErrors } from '../../kernel/declare/errors.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { Id, StringEnum } from '../../kernel/declare/schemas.ts';
import { emit } from '../events/index.ts';
import { GroupName } from '../groups/index.ts';
import {
  DisplayName,
  findUserByName,
  newUserFields,
  toPerson,
  userExists,
} from '../users/index.ts';
import { mailOldAddress } from './address-mail.ts';
import { affiliateUpdated, changeable } from './affiliate-events.ts';
import { lockAffiliate, renameUser, saveAffiliate } from './affiliate-store.ts';
import { AffiliateSchema, toAffiliate } from './affiliate-wire.ts';
import { affiliateStatuses } from './tables.ts';
import { requireAffiliate, emitStatusChange } from './affiliate.ts';
import { groupsOf, replaceGroups, requireGroups } from './membership.ts';
import { ProfileInput, readProfile, withInput } from './profile.ts';

export const changeAffiliate = operation({
  method: 'PATCH',
  namespace: 'store',
  path: '/affiliates/{id}',
  summary: 'Change, suspend or reinstate an affiliate',
  access: 'admin',
  scope: 'write',
  params: Type.Object({ id: Id('The affiliate.') }),
  body: Type.Object(
    {
      display_name: Type.Optional(DisplayName),
      email: Type.Optional(newUserFields.email),
      groups: Type.Optional(
        Type.Array(GroupName, { maxItems: 20, description: 'All groups it is in from now on.' }),
      ),
      profile: Type.Optional(ProfileInput),
      status: Type.Optional(
        StringEnum(affiliateStatuses, {
          description: 'A suspended affiliate earns nothing on new orders and may change nothing.',
        }),
      ),
    },
    { $id: 'ChangeAffiliate' },
  ),
  example: { body: { display_name: 'Maya Ortiz', groups: ['Gold'], status: 'active' } },
  response: AffiliateSchema,
  errors: [generalErrors.notFound, userExists],
  async handle({ db, site, caller, nowMs }, { id, ...input }) {
    await lockAffiliate(db, id);
    const row = await requireAffiliate(db, id);
    // Otherwise a manager could take over the account of an administrator who has a coupon.
    if (!mayEdit(caller, toPerson(row))) throw new ApiError(generalErrors.forbidden);

    const before = {
      display_name: row.display_name,
      email: row.email,
      groups: await groupsOf(db, id),
      profile: readProfile(row.profile),
    };
    const after = {
      display_name: input.display_name ?? before.display_name,
      email: input.email ?? before.email,
      groups: input.groups ? await requireGroups(db, input.groups) : before.groups,
      profile: withInput(before.profile, input.profile),
    };
    const changed = changeable.filter((name) => !isDeepStrictEqual(after[name], before[name]));
    const status = input.status ?? row.status;
    if (changed.length === 0 && status === row.status) return toAffiliate(db, site, caller, row);

    if (changed.includes('email')) {
      await requireFreeEmail(db, after.email, id);
      await mailOldAddress(db, site, row, nowMs);
    }
    if (changed.includes('email') || changed.includes('display_name')) {
      await renameUser(db, id, after);
    }
    await saveAffiliate(db, id, {
      status,
      profile: JSON.stringify(after.profile),
      registered_at: row.registered_at,
    });
    if (changed.includes('groups')) await replaceGroups(db, id, after.groups);
    db.afterCommitEverywhere(() => site.invalidateCaches());

    if (changed.length > 0) {
      emit(db, affiliateUpdated, {
        objectId: id,
        userId: actorId(caller),
        info: `Affiliate ${id} changed: ${changed.join(', ')}.`,
        data: { user_id: id, changed },
        nowMs,
      });
    }
    if (input.status && status !== row.status) {
      await emitStatusChange(db, caller, row, input.status, nowMs);
    }
    return toAffiliate(db, site, caller, await requireAffiliate(db, id));
  },
});

async function requireFreeEmail(db: Reader, email: string, userId: number): Promise<void> {
  const holder = await findUserByName(db, email);
  if (holder && holder.id !== userId) throw new ApiError(userExists);
}
