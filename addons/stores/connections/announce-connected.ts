import Type from 'typebox';
import type { Transaction } from '../../../src/db/database.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { defineMail } from '../../../src/modules/mail/index.ts';
import type { ConnectionRow } from './connection-rows.ts';
import { mailAdministrators } from './mail-administrators.ts';
import { storeConnected } from './store-events.ts';
import '../texts.ts';

/** A connection has a lasting secret with which orders can be sent, so that no administrator should miss a new one. */
export const storeConnectedMail = defineMail(
  'store-connected',
  Type.Object({
    connection_id: Type.Integer(),
    name: Type.String({ description: 'The name of the connection.' }),
  }),
  {
    reason: 'team',
    about: 'To administrators when a store was connected.',
  },
);

export async function announceConnected(
  tx: Transaction,
  site: Site,
  { id, kind, name }: ConnectionRow,
  userId: number,
): Promise<void> {
  const nowMs = site.clock();
  emit(tx, storeConnected, {
    objectId: id,
    userId,
    info: `Store ${id} (${name}) was connected.`,
    data: { connection_id: id, kind },
    nowMs,
  });
  const data = { connection_id: id, name };
  await mailAdministrators(tx, site, storeConnectedMail, { id, since: nowMs, data });
}
