import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { defineMail, inEveryLanguage, enqueueMail } from '../mail/index.ts';
import { recipientOf } from '../users/index.ts';
import type { AffiliateRow } from './affiliate-store.ts';

export const addressChangedMail = defineMail(
  'address-changed',
  inEveryLanguage({
    subject: 'Your e-mail address at {{site.name}} was changed',
    text: `Hello {{name}},

Emails from the {{site.name}} affiliate program will now be sent to a different address.

If you did not request this change, please let us know right away.`,
  }),
  Type.Object({ name: Type.String() }),
);

/** Notifies the old address, so that the owner of an account that was taken over learns about it. */
export async function mailOldAddress(
  tx: Transaction,
  site: Site,
  user: AffiliateRow,
  nowMs: number,
): Promise<void> {
  enqueueMail(tx, site, addressChangedMail, {
    to: { ...recipientOf(user), name: user.display_name },
    data: { name: user.display_name },
    key: `${addressChangedMail.name}:${user.id}:${randomBase62(12)}`,
    nowMs,
  });
}
