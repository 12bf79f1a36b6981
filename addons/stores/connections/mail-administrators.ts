import type { Static, TObject } from 'typebox';
import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { enqueueMail, type MailDefinition } from '../../../src/modules/mail/index.ts';
import { listAdministrators, recipientOf } from '../../../src/modules/users/index.ts';

/** `since`: when it happened; each happening is mailed once. */
export async function mailAdministrators<D extends TObject>(
  tx: Transaction,
  site: Site,
  mail: MailDefinition<D>,
  { id, since, data }: { id: number; since: number; data: Static<D> },
): Promise<void> {
  for (const administrator of await listAdministrators(tx)) {
    enqueueMail(tx, site, mail, {
      to: recipientOf(administrator),
      data,
      key: `${mail.name}:${id}:${since}:${administrator.id}`,
      nowMs: site.clock(),
    });
  }
}
