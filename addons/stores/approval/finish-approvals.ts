import type { Job } from '../../../src/kernel/declare/job.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { announceConnected } from '../connections/announce-connected.ts';
import { takeOver } from '../connections/claim-store.ts';
import { callStore, saveConnected } from '../connections/connect-store.ts';
import {
  findConnection,
  lockConnection,
  type ConnectionRow,
} from '../connections/connection-rows.ts';
import { noteFailure } from '../connections/health.ts';
import { StoreError } from '../connectors/connector.ts';
import { findConnector } from '../connectors/connectors.ts';
import { retryDelayMs } from '../deliveries/retry-delay.ts';
import {
  finishApproval,
  listDueApprovals,
  scheduleApproval,
  type ApprovalRow,
} from './approval-rows.ts';

/** Some hours. Then the owner checks the connection, or connects again. */
const ATTEMPTS_MAX = 20;

/**
 * Calls the stores that have sent their credentials. It does so in the background, because a store that serves one
 * request at a time cannot answer while it waits for its own request to be answered.
 */
export const finishApprovals: Job = {
  name: 'stores.approvals',
  everyMs: 1_000,
  runsOn: 'one',
  async run(site) {
    for (const approval of await listDueApprovals(site.database.read, { now: site.clock() })) {
      await finish(site, approval);
    }
  },
};

async function finish(site: Site, approval: ApprovalRow): Promise<void> {
  const { id, connection_id, attempts } = approval;
  const connection = await findConnection(site.database.read, connection_id!);
  const connector = connection && findConnector(site, connection.kind);
  if (!connector) return end(site, approval, undefined);
  const takes = approval.access !== '';
  const tried = takes ? withNewAccess(connection, approval) : connection;
  try {
    const report = await callStore({ site, connector, connection: tried });
    await site.database.transaction(async (tx) => {
      await lockConnection(tx, connection.id);
      if (takes && (await findConnection(tx, connection.id))) await takeOver(tx, tried);
      const row = await findConnection(tx, connection.id);
      const { steps, warnings = [] } = report;
      await finishApproval(tx, { id, attempts: attempts + 1, report: { steps, warnings } });
      if (!row) return;
      await saveConnected(tx, { site, connector, connection: row }, report);
      await announceConnected(tx, site, row, 0);
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // Until then the connection works with the access that it has.
    if (!takes) await noteFailure(site, connection.id, error);
    await end(site, approval, error);
  }
}

function withNewAccess(connection: ConnectionRow, { access }: ApprovalRow): ConnectionRow {
  // It was stored by `receiveCredentials`.
  return { ...connection, ...(JSON.parse(access) as Partial<ConnectionRow>) };
}

/** Schedules the next attempt, if there is one. */
async function end(
  site: Site,
  { id, attempts: before, access: given }: ApprovalRow,
  error: StoreError | undefined,
): Promise<void> {
  const attempts = before + 1;
  const isOver = !error || error.code === 'credentials' || attempts >= ATTEMPTS_MAX;
  const waitMs = error?.retryAfterMs ?? retryDelayMs(attempts);
  const due_at = isOver ? null : site.clock() + waitMs;
  const access = isOver ? '' : given;
  const report = JSON.stringify(given === '' ? {} : { refusal: error?.message });
  await site.database.transaction((tx) =>
    scheduleApproval(tx, { id, attempts, due_at, access, report }),
  );
}
