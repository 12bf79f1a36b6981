import Type from 'typebox';
import { actorId } from '../../../src/kernel/declare/caller.ts';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { emit } from '../../../src/modules/events/index.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import { StoreError } from '../connectors/connector.ts';
import { findConnector } from '../connectors/connectors.ts';
import { deleteConnectionRow, lockConnection, type ConnectionRow } from './connection-rows.ts';
import { hasCredentials } from './open-connection.ts';
import { requireConnection } from './require-connection.ts';
import { storeDisconnected } from './store-events.ts';

export const deleteConnection = operation({
  method: 'DELETE',
  namespace: 'store',
  path: '/connections/{id}',
  summary: 'Delete the connection to a store',
  description:
    'Its orders stay, with their commissions. The webhooks in the store are removed if the store answers; if not, ' +
    '`note` says so, and their deliveries are answered with 404.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The connection.') }),
  response: Type.Object(
    {
      deleted: Type.Boolean(),
      note: Type.String({
        description: 'Objects in the store that could not be removed; empty if none.',
      }),
    },
    { $id: 'DeletedStoreConnection', examples: [{ deleted: true, note: '' }] },
  ),
  errors: [generalErrors.notFound],
  // Calls the store, which must not happen inside a transaction.
  transaction: false,
  async handle({ db, site, caller }, { id }) {
    const connection = await requireConnection(db, id);
    const note = await disconnect(site, connection);
    await site.database.transaction(async (tx) => {
      await lockConnection(tx, id);
      const { kind, name } = await requireConnection(tx, id);
      await deleteConnectionRow(tx, { id });
      emit(tx, storeDisconnected, {
        objectId: id,
        userId: actorId(caller),
        info: `Store ${id} (${name}) was disconnected.`,
        data: { connection_id: id, kind },
        nowMs: site.clock(),
      });
    });
    return { deleted: true, note };
  },
});

/** Returns what the store did not do, in a sentence; empty if it did. */
async function disconnect(site: Site, connection: ConnectionRow): Promise<string> {
  const connector = findConnector(site, connection.kind);
  if (!connector?.disconnect || !hasCredentials(connection)) return '';
  try {
    await askConnected({ site, connector, connection }, (api) => connector.disconnect!(api));
    return '';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return `The webhooks in the store could not be removed: ${error.message}`;
  }
}
