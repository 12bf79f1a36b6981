import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { emit } from '../events/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { recipientOf, type UserRow } from '../users/index.ts';
import { accountInvited } from './account-events.ts';
import { createAccountLink, mayMailLink } from './account-link.ts';
import { invitationMail } from './link-mails.ts';

type Invited = Pick<
  UserRow,
  'id' | 'login' | 'email' | 'display_name' | 'language' | 'muted_notices'
>;

/** Mails the user a link to choose the first password. `actorId` is the user who invites; 0 is the system. */
export async function inviteUser(
  tx: Transaction,
  site: Site,
  user: Invited,
  { actorId, nowMs }: { actorId: number; nowMs: number },
): Promise<void> {
  const link = await createInvitation(tx, site, user, { actorId, nowMs });
  enqueueMail(tx, site, invitationMail, {
    to: { ...recipientOf(user), name: user.display_name },
    data: { name: user.display_name, login: user.login },
    link,
    key: `${invitationMail.name}:${user.id}:${randomBase62(12)}`,
    nowMs,
  });
}

/**
 * Mails the invitation again, unless the user has a password or got too many such mails. The mail names the login:
 * the name may be any text that an applicant entered and no admin has reviewed.
 */
export async function inviteAgain(
  tx: Transaction,
  site: Site,
  user: UserRow,
  nowMs: number,
): Promise<void> {
  if (!needsInvitation(user)) return;
  if (!(await mayMailLink(tx, site, { userId: user.id, purpose: 'invitation' }, nowMs))) return;
  await inviteUser(tx, site, { ...user, display_name: user.login }, { actorId: 0, nowMs });
}

/** A disabled user has no working links. */
export function needsInvitation(user: UserRow): boolean {
  return user.password_hash === null && user.disabled_at === null;
}

/** The link alone, for a mail that says more. */
export async function createInvitation(
  tx: Transaction,
  site: Site,
  user: Pick<UserRow, 'id'>,
  { actorId, nowMs }: { actorId: number; nowMs: number },
): Promise<string> {
  emit(tx, accountInvited, {
    objectId: user.id,
    userId: actorId,
    info: `User ${user.id} was invited.`,
    data: { user_id: user.id },
    nowMs,
  });
  return createAccountLink(tx, site, { userId: user.id, purpose: 'invitation' }, nowMs);
}
