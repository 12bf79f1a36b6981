import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { defineMail, enqueueMail } from '../mail/index.ts';
import { recipientOf } from '../users/index.ts';
import type { AffiliateRow } from './affiliate-rows.ts';

export const addressChangedMail = defineMail(
  'address-changed',
  Type.Object({ name: Type.String() }),
  { about: 'To the old address after an administrator has changed it.' },
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
