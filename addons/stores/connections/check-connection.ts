import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id, Nullable } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { countOf } from '../../../src/shared/count-of.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import { StoreError } from '../connectors/connector.ts';
import { tellNotShown } from '../orders/orders-not-shown.ts';
import type { ConnectionRow } from './connection-rows.ts';
import { connectionExample, ConnectionSchema, readConnection } from './connection-wire.ts';
import { noteFailure, noteSuccess } from './health.ts';
import { hasCredentials, type ConnectedStore } from './open-connection.ts';
import { kindNotLoaded, requireConnection, requireConnector } from './require-connection.ts';

export const checkConnection = operation({
  method: 'POST',
  namespace: 'store',
  path: '/connections/{id}/check',
  summary: 'Check a connected store',
  description:
    'Calls the store: does it answer, and are its webhooks active? Webhooks that the store has disabled are activated ' +
    'again.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The connection.') }),
  response: Type.Object(
    {
      works: Nullable(
        Type.Boolean({ description: 'True if the store answers; null if it cannot be asked.' }),
      ),
      notes: Type.Array(Type.String(), {
        description: 'Findings and repairs, in sentences.',
      }),
      connection: ConnectionSchema,
    },
    {
      $id: 'StoreCheck',
      examples: [
        {
          works: true,
          notes: ['The store answers.', 'All 4 webhooks are active.'],
          connection: connectionExample,
        },
      ],
    },
  ),
  errors: [generalErrors.notFound, kindNotLoaded],
  // Calls the store, which must not happen inside a transaction.
  transaction: false,
  async handle({ db, site }, { id }) {
    const connection = await requireConnection(db, id);
    const connector = requireConnector(site, connection);
    const { works, notes } = await check({ site, connector, connection });
    const notShown = await tellNotShown(db, site, connection);
    return {
      works,
      notes: [...notes, ...(notShown === '' ? [] : [notShown]), ...silence(site, connection)],
      connection: await readConnection(db, site, await requireConnection(db, id)),
    };
  },
});

async function check(store: ConnectedStore) {
  const { site, connector, connection } = store;
  if (!connector.check || !hasCredentials(connection)) {
    return { works: null, notes: ['The connection only receives: the store cannot be asked.'] };
  }
  try {
    const report = await askConnected(store, (api) => connector.check!(api));
    await noteSuccess(site, connection.id, report);
    return { works: true, notes: report.notes };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await noteFailure(site, connection.id, error);
    return { works: false, notes: [error.message] };
  }
}

/** Orders that only reconciling finds mean that the store's deliveries do not arrive. */
function silence(site: Site, connection: ConnectionRow): string[] {
  const { last_delivery_at, created_at, missed_found, rejected, rejected_reason } = connection;
  const notes: string[] = [];
  const isSilent = (last_delivery_at ?? created_at) < site.clock() - DAY_MS;
  if (isSilent && missed_found > 0) {
    const certificate =
      site.ownCertificateFile === null
        ? ''
        : ' This service has a self-signed certificate, which stores do not trust: set up a trusted one.';
    notes.push(
      `No delivery has arrived for a day, but reconciling has found ${countOf(missed_found, 'order')}. The store cannot ` +
        `reach ${new URL(site.publicUrl).host}, or its webhooks are disabled.${certificate}`,
    );
  }
  if (rejected > 0)
    notes.push(`${rejected} deliveries were rejected. The last one: ${rejected_reason}`);
  return notes;
}
