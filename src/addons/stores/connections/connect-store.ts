import type { Transaction } from '../../../db/database.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { askConnector } from '../connectors/ask-connector.ts';
import { saveConnection, type ConnectionRow } from './connection-rows.ts';
import type { ConnectReport, Connector } from '../connectors/connector.ts';
import { WEBHOOKS_OFF } from './health.ts';
import { canReconcile } from './open-connection.ts';
import { encryptFor } from './secret.ts';
import { storeApiOf } from '../connectors/store-api.ts';
import { findSync, startSync } from '../sync/sync-rows.ts';

/**
 * Calls the store with the credentials of a connection, and creates its webhooks. Throws a `StoreError` if the store
 * does not accept them.
 */
export async function callStore(
  site: Site,
  connector: Connector,
  connection: ConnectionRow,
): Promise<ConnectReport> {
  const store = storeApiOf(site, connector, connection);
  const report = await askConnector(site, connector.kind, async () => connector.connect?.(store));
  return report ?? { steps: [], webhooksActive: true };
}

/** Saves a connection whose store has accepted its credentials. It is reconciled from now on. */
export async function saveConnected(
  tx: Transaction,
  site: Site,
  connector: Connector,
  row: ConnectionRow,
  { webhooksActive, secret }: ConnectReport,
): Promise<void> {
  const nowMs = site.clock();
  await saveConnection(tx, {
    ...row,
    ...(row.state !== 'paused' &&
      (webhooksActive
        ? { state: 'connected', reason: '', failing_since: null }
        : { state: 'degraded', reason: WEBHOOKS_OFF, failing_since: nowMs })),
    webhooks_active: Number(webhooksActive),
    ...(secret !== undefined && { secret: encryptFor(site, 'secret', row.id, secret) }),
  });
  const key = { connection_id: row.id, task: 'reconcile' as const };
  if (!canReconcile(connector, row) || (await findSync(tx, key))) return;
  await startSync(tx, key, { sinceMs: nowMs, dueMs: nowMs });
}
