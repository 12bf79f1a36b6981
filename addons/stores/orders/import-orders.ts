import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import { instantOf } from '../../../src/shared/instants.ts';
import { lockConnection } from '../connections/connection-rows.ts';
import {
  connectionExample,
  ConnectionSchema,
  readConnection,
} from '../connections/connection-wire.ts';
import {
  kindNotLoaded,
  noCredentials,
  requireConnection,
  requireConnector,
  requireReadable,
} from '../connections/require-connection.ts';
import { checkSince, Since } from '../sync/reconcile-connection.ts';
import { findSync, startSync } from '../sync/sync-rows.ts';

export const importOrders = operation({
  method: 'POST',
  namespace: 'store',
  path: '/connections/{id}/import',
  summary: 'Import the history of a connected store',
  description:
    'Reads the orders of the store in the background, at the pace that the store allows; `import` of the connection ' +
    'has the progress. It goes on after a restart. While one is running, its progress is returned.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The connection.') }),
  body: Type.Object(
    { since: Since('Orders that changed at or after this time are read; all if omitted.') },
    { $id: 'ImportStore' },
  ),
  example: {
    body: { since: '2026-01-01' },
    response: {
      ...connectionExample,
      import: {
        state: 'running',
        since: '2026-01-01T00:00:00',
        read: 0,
        changed: 0,
        total: null,
        date_finished: null,
      },
    },
  },
  response: ConnectionSchema,
  errors: [generalErrors.notFound, kindNotLoaded, noCredentials],
  check: checkSince,
  async handle({ db, site, nowMs }, { id, since }) {
    await lockConnection(db, id);
    const connection = await requireConnection(db, id);
    requireReadable(requireConnector(site, connection), connection);
    const key = { connection_id: id, task: 'import' as const };
    const running = await findSync(db, key);
    if (!running || running.due_at === null) {
      const sinceMs = since === undefined ? 0 : instantOf(since, site.calendar);
      await startSync(db, key, { sinceMs, dueMs: nowMs });
    }
    return readConnection(db, site, connection);
  },
});
