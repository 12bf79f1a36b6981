import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { generalErrors } from '../../../src/kernel/declare/errors.ts';
import type { FieldErrors } from '../../../src/kernel/declare/field-errors.ts';
import { operation } from '../../../src/kernel/declare/operation.ts';
import { Id } from '../../../src/kernel/declare/schemas.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { countOf } from '../../../src/shared/count-of.ts';
import { instantError, instantOf } from '../../../src/shared/instants.ts';
import type { ConnectionRow } from '../connections/connection-rows.ts';
import {
  askStore,
  kindNotLoaded,
  noCredentials,
  requireConnection,
  requireConnector,
  requireReadable,
  storeFailed,
} from '../connections/require-connection.ts';
import { readNextPage } from './run-sync.ts';
import { findSync, startSync } from './sync-rows.ts';

/** The background job reads the rest. */
const READ_MS_MAX = 15_000;
/** How long the request waits for a page that another process reads. That process may have crashed. */
const WAIT_MS_MAX = 5_000;
const LOOK_MS = 250;

/** An instant in a body. */
export const Since = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, examples: ['2026-01-01'], description }));

export function checkSince(
  { since }: { since?: string },
  errors: FieldErrors,
  { calendar }: Site,
): void {
  const reason = since === undefined ? undefined : instantError(since, calendar);
  if (reason !== undefined) errors.add('since', reason);
}

export const reconcileConnection = operation({
  method: 'POST',
  namespace: 'store',
  path: '/connections/{id}/reconcile',
  summary: 'Reconcile a connected store now',
  description:
    'Reads the orders that have changed since the last time, or since the given time, and stores what was missed. If ' +
    'that takes longer than some seconds, the rest is read in the background.',
  access: 'plugin-admin',
  scope: 'manage',
  params: Type.Object({ id: Id('The connection.') }),
  body: Type.Object(
    { since: Since('Orders that changed at or after this time are read; ISO 8601.') },
    { $id: 'ReconcileStore' },
  ),
  response: Type.Object(
    {
      read: Type.Integer({ description: 'Orders read.' }),
      changed: Type.Integer({ description: 'Of these, orders that were new or changed.' }),
      missed: Type.Integer({ description: 'Of these, orders that no delivery had brought.' }),
      complete: Type.Boolean({ description: 'False if the rest is read in the background.' }),
      summary: Type.String({ description: 'The same in a sentence.' }),
    },
    {
      $id: 'ReconciledStore',
      examples: [
        {
          read: 12,
          changed: 1,
          missed: 1,
          complete: true,
          summary: '12 orders read, 1 of them was new or changed.',
        },
      ],
    },
  ),
  errors: [generalErrors.notFound, kindNotLoaded, noCredentials, storeFailed],
  check: checkSince,
  // Calls the store, which must not happen inside a transaction.
  transaction: false,
  async handle({ db, site }, { id, since }) {
    const connection = await requireConnection(db, id);
    requireReadable(requireConnector(site, connection), connection);
    const sinceMs = since === undefined ? undefined : instantOf(since, site.calendar);
    const found = { read: 0, changed: 0, missed: 0, complete: false };
    const begunMs = performance.now();
    const untilMs = begunMs + READ_MS_MAX;
    const isWaiting = () => performance.now() - begunMs < WAIT_MS_MAX;
    while (isWaiting() && (await isBeingRead(site, id))) await pause(LOOK_MS);
    await start(site, connection, sinceMs);
    await askStore(async () => {
      while (!found.complete && performance.now() < untilMs) {
        const page = await readNextPage(site, id, 'reconcile');
        // The background job was faster.
        if (!page) break;
        found.read += page.read;
        found.changed += page.changed;
        found.missed += page.missed;
        found.complete = page.isComplete;
      }
    });
    return { ...found, summary: summaryOf(connection, found) };
  },
});

/** Whether a process has the lease of a page. */
async function isBeingRead({ database, clock }: Site, connectionId: number): Promise<boolean> {
  const sync = await findSync(database.read, keyOf(connectionId));
  return sync !== undefined && sync.lease !== '' && (sync.due_at ?? 0) > clock();
}

/**
 * Makes the task due now, and ends the lease of a process that still reads: the page it has read is stored, and read
 * again. Nothing that the cursor has not passed is left out by a later time.
 */
async function start(
  { database, clock }: Site,
  { id, created_at }: ConnectionRow,
  wantedMs: number | undefined,
): Promise<void> {
  await database.transaction(async (tx) => {
    const cursorMs = (await findSync(tx, keyOf(id)))?.since_at ?? created_at;
    const sinceMs = Math.min(cursorMs, wantedMs ?? cursorMs);
    await startSync(tx, keyOf(id), { sinceMs, dueMs: clock() });
  });
}

function keyOf(connectionId: number) {
  return { connection_id: connectionId, task: 'reconcile' as const };
}

function summaryOf(
  { state }: ConnectionRow,
  found: { read: number; changed: number; complete: boolean },
): string {
  if (state === 'paused') return 'The connection is paused. It is read when it is active again.';
  const verb = found.changed === 1 ? 'was' : 'were';
  const rest = found.complete ? '' : ' The rest is read in the background.';
  return `${countOf(found.read, 'order')} read, ${found.changed} of them ${verb} new or changed.${rest}`;
}
