import Type from 'typebox';
import type { Transaction } from '../../db/database.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { randomBase62 } from '../../shared/secrets.ts';
import { defineMail, enqueueMail } from '../mail/index.ts';

export const addressChangedMail = defineMail(
  'address-changed',
  {
    subject: 'Your e-mail address at {{site.name}} was changed',
    text: `Hello {{name}},

from now on mails of the affiliate program of {{site.name}} go to another address.

If this was not you, or nobody you asked, tell us at once.`,
  },
  Type.Object({ name: Type.String() }),
);

/** To the old address: whoever took over an account would never tell its owner. */
export async function mailOldAddress(
  tx: Transaction,
  site: Site,
  { id, email, display_name }: { id: number; email: string; display_name: string },
  nowMs: number,
): Promise<void> {
  enqueueMail(tx, site, addressChangedMail, {
    to: { address: email, name: display_name },
    data: { name: display_name },
    key: `${addressChangedMail.name}:${id}:${randomBase62(12)}`,
    nowMs,
  });
}
