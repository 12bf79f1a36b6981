import Type from 'typebox';
import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { defineMail } from '../../../src/modules/mail/index.ts';
import type { ConnectionRow } from './connection-rows.ts';
import { mailAdministrators } from './mail-administrators.ts';
import '../texts.ts';

/** The secret of a connection is enough to send orders, so that no administrator should miss a new one. */
export const storeSecretMail = defineMail(
  'store-secret-changed',
  Type.Object({
    connection_id: Type.Integer(),
    name: Type.String({ description: 'The name of the connection.' }),
  }),
  {
    reason: 'team',
    about: 'To administrators when a connected store got a new signing secret.',
  },
);

export async function announceSecret(
  tx: Transaction,
  site: Site,
  { id, name }: ConnectionRow,
): Promise<void> {
  const data = { connection_id: id, name };
  await mailAdministrators(tx, site, storeSecretMail, { id, since: site.clock(), data });
}
