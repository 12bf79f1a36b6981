import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { emit } from '../events/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { endSessions } from '../sessions/index.ts';
import { recipientOf, savePassword, type UserRow } from '../users/index.ts';
import { passwordChanged } from './account-events.ts';
import { endLinks } from './link-rows.ts';
import { passwordChangedMail } from './notice-mails.ts';

interface NewPassword {
  hash: string;
  by: 'invitation' | 'reset' | 'password';
  /** The hash of the session that goes on. */
  except?: string | undefined;
}

/** Stores a new password. Other sessions and all mailed links of the user end, and the user gets a mail. */
export async function setPassword(
  tx: Transaction,
  site: Site,
  user: UserRow,
  { hash, by, except }: NewPassword,
  nowMs: number,
): Promise<void> {
  await savePassword(tx, { id: user.id, password_hash: hash });
  await endSessions(tx, site, { userId: user.id, except }, nowMs);
  await endLinks(tx, { user_id: user.id, now: nowMs });
  emit(tx, passwordChanged, {
    objectId: user.id,
    userId: user.id,
    info: `User ${user.id} chose a password.`,
    data: { user_id: user.id, by },
    nowMs,
  });
  if (by === 'invitation') return;
  enqueueMail(tx, site, passwordChangedMail, {
    to: { ...recipientOf(user), name: user.display_name },
    data: { name: user.display_name },
    key: `${passwordChangedMail.name}:${user.id}:${randomBase62(12)}`,
    nowMs,
  });
}
