import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { emit } from '../events/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { recipientOf, type UserRow } from '../users/index.ts';
import { twoFactorUpdated, type TwoFactorChange } from './two-factor-events.ts';
import { twoFactorMail } from './two-factor-mail.ts';

/** Emits the event of a change, and notifies the user by mail. `actor`: 0 for the command line. */
export function noteChange(
  tx: Transaction,
  site: Site,
  user: UserRow,
  change: TwoFactorChange,
  { actor, nowMs }: { actor: number; nowMs: number },
): void {
  emit(tx, twoFactorUpdated, {
    objectId: user.id,
    userId: actor,
    info: `Second factor of user ${user.id}: ${change.replaceAll('_', ' ')}.`,
    data: { user_id: user.id, change },
    nowMs,
  });
  enqueueMail(tx, site, twoFactorMail, {
    to: { ...recipientOf(user), name: user.display_name },
    data: { name: user.display_name, [change]: true },
    key: `${twoFactorMail.name}:${user.id}:${randomBase62(12)}`,
    nowMs,
  });
  // Sessions are cached with whether their user has a second factor.
  tx.afterCommitEverywhere(() => site.invalidateCaches());
}
