import type { Transaction } from '../../db/database.ts';
import { actorId, type Caller } from '../../kernel/declare/caller.ts';
import { ApiError, defineError, generalErrors } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { emit } from '../events/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { endSessions } from '../sessions/index.ts';
import { findUser, listAdministrators, recipientOf } from '../users/index.ts';
import { requireMember, type MemberRow } from './member.ts';
import { teamUpdated } from './team-events.ts';
import { teamChangedMail } from './team-mail.ts';
import { saveMember, type TeamRole } from './team-rows.ts';

export const lastAdministrator = defineError(
  'svc_api_last_administrator',
  409,
  'This is the last administrator: make another user administrator first.',
);

export interface MemberChange {
  role?: TeamRole;
  disabled?: boolean;
}

/** Held by every change of the team, because each depends on how many administrators there are. */
const TEAM_LOCK = 'team';

/**
 * Changes the role of a member, or disables or enables it. Its sessions end, so that none goes on with
 * the rights of before; its keys are refused as long as it is disabled.
 */
export async function applyMemberChange(
  tx: Transaction,
  site: Site,
  caller: Caller,
  id: number,
  change: MemberChange,
  nowMs: number,
): Promise<MemberRow> {
  await tx.lock(TEAM_LOCK);
  await requireStillAdministrator(tx, caller);
  const before = await requireMember(tx, id);
  const after: MemberRow = {
    ...before,
    role: change.role ?? before.role,
    disabled_at: disabledAt(before, change.disabled, nowMs),
  };
  const isDisabled = after.disabled_at !== null;
  const changed = [
    ...(after.role !== before.role ? (['role'] as const) : []),
    ...(isDisabled !== (before.disabled_at !== null) ? (['disabled'] as const) : []),
  ];
  if (changed.length === 0) return before;
  await requireAnAdministrator(tx, after);
  await saveMember(tx, after);
  await endSessions(tx, site, { userId: id }, nowMs);
  tx.afterCommitEverywhere(() => site.invalidateCaches());
  emit(tx, teamUpdated, {
    objectId: id,
    userId: actorId(caller),
    info: `User ${id} is ${isDisabled ? 'a disabled' : 'now'} ${after.role}.`,
    data: { user_id: id, role: after.role, disabled: isDisabled, changed },
    nowMs,
  });
  enqueueMail(tx, site, teamChangedMail, {
    to: { ...recipientOf(after), name: after.display_name },
    data: {
      name: after.display_name,
      disabled: isDisabled,
      administrator: !isDisabled && after.role === 'administrator',
      manager: !isDisabled && after.role === 'manager',
    },
    key: `${teamChangedMail.name}:${id}:${randomBase62(12)}`,
    nowMs,
  });
  return after;
}

function disabledAt(
  { disabled_at }: MemberRow,
  disabled: boolean | undefined,
  nowMs: number,
): number | null {
  if (disabled === undefined) return disabled_at;
  return disabled ? (disabled_at ?? nowMs) : null;
}

/** Another change may have been committed since the caller was authenticated. */
async function requireStillAdministrator(tx: Transaction, { person }: Caller): Promise<void> {
  if (!person) return;
  const user = await findUser(tx, person.id);
  if (user?.role === 'administrator' && user.disabled_at === null) return;
  throw new ApiError(generalErrors.forbidden);
}

/** Refuses a change that would leave the site without an administrator who can sign in. */
async function requireAnAdministrator(tx: Transaction, after: MemberRow): Promise<void> {
  if (after.role === 'administrator' && after.disabled_at === null) return;
  const administrators = await listAdministrators(tx);
  if (!administrators.some(({ id }) => id !== after.id)) throw new ApiError(lastAdministrator);
}
