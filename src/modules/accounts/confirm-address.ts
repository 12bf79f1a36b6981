import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { emit } from '../events/index.ts';
import { enqueueMail } from '../mail/index.ts';
import { findUserByName, recipientOf, saveEmail } from '../users/index.ts';
import { emailChanged } from './account-events.ts';
import { useLink } from './account-link.ts';
import { endLinks } from './link-rows.ts';
import { addressConfirmedMail } from './notice-mails.ts';

/** Changes the address of the user of this link. Returns false if the link does not work, or not any more. */
export async function confirmAddress(tx: Transaction, site: Site, token: string): Promise<boolean> {
  const used = await useLink(tx, site, 'email', token);
  if (!used) return false;
  const { user, link } = used;
  const email = link.data;
  const holder = await findUserByName(tx, email);
  if (holder && holder.id !== user.id) return false;
  const nowMs = site.clock();
  await saveEmail(tx, user.id, email);
  // Links that were sent to the former address must not work any more.
  await endLinks(tx, { user_id: user.id, now: nowMs });
  tx.afterCommitEverywhere(() => site.invalidateCaches());
  emit(tx, emailChanged, {
    objectId: user.id,
    userId: user.id,
    info: `User ${user.id} confirmed a new email address.`,
    data: { user_id: user.id },
    nowMs,
  });
  for (const address of [user.email, email]) {
    enqueueMail(tx, site, addressConfirmedMail, {
      to: { ...recipientOf(user), address },
      data: { name: user.display_name, email },
      key: `${addressConfirmedMail.name}:${user.id}:${randomBase62(12)}`,
      nowMs,
    });
  }
  return true;
}
