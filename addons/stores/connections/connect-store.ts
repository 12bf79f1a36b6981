import type { Transaction } from '../../../src/db/database.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import type { ConnectReport } from '../connectors/connector.ts';
import { findSync, startSync } from '../sync/sync-rows.ts';
import { saveConnection } from './connection-rows.ts';
import { WEBHOOKS_OFF } from './health.ts';
import { canReconcile, type ConnectedStore } from './open-connection.ts';
import { encryptFor } from './secret.ts';

/**
 * Calls the store with the credentials of a connection, and creates its webhooks. Throws a `StoreError` if the store
 * does not accept them.
 */
export async function callStore(store: ConnectedStore): Promise<ConnectReport> {
  const report = await askConnected(store, async (api) => store.connector.connect?.(api));
  return report ?? { steps: [], webhooksActive: true };
}

/** Saves a connection whose store has accepted its credentials. It is reconciled from now on. */
export async function saveConnected(
  tx: Transaction,
  { site, connector, connection: row }: ConnectedStore,
  { webhooksActive, secret, warnings = [] }: ConnectReport,
): Promise<void> {
  const nowMs = site.clock();
  await saveConnection(tx, {
    ...row,
    ...(row.state !== 'paused' &&
      (webhooksActive
        ? { state: 'connected', reason: '', failing_since: null }
        : { state: 'degraded', reason: WEBHOOKS_OFF, failing_since: nowMs })),
    webhooks_active: Number(webhooksActive),
    limits: JSON.stringify(warnings),
    ...(secret !== undefined && { secret: encryptFor(site, 'secret', row.id, secret) }),
  });
  const key = { connection_id: row.id, task: 'reconcile' as const };
  if (!canReconcile(connector, row) || (await findSync(tx, key))) return;
  await startSync(tx, key, { sinceMs: nowMs, dueMs: nowMs });
}
