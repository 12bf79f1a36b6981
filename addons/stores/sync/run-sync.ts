import { randomUUID } from 'node:crypto';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { decideHistory } from '../../../src/modules/orders/index.ts';
import { countMissedOrders, findConnection } from '../connections/connection-rows.ts';
import { noteFailure, noteSuccess } from '../connections/health.ts';
import { canReconcile, type ConnectedStore } from '../connections/open-connection.ts';
import { askConnected } from '../connectors/ask-connector.ts';
import {
  StoreError,
  type ChangedPage,
  type Connector,
  type Position,
  type StoreApi,
} from '../connectors/connector.ts';
import { findConnector } from '../connectors/connectors.ts';
import { retryDelayMs } from '../deliveries/retry-delay.ts';
import type { SyncTask } from '../tables.ts';
import { knownAmong, mapPage, storePage, type PageResult } from './read-page.ts';
import { rereadOrders } from './reread-orders.ts';
import { claimSync, renewLease, saveSync, type SyncRow } from './sync-rows.ts';

export const RECONCILE_EVERY_MS = 15 * 60_000;
/** Changes are read again that far back: clocks differ, and stores show changes late. */
const OVERLAP_MS = 30 * 60_000;
/** @internal Exported for tests. */
export const LEASE_MS = 2 * 60_000;
const RENEW_AFTER_MS = 20_000;
/** After so many failures in a row the marker of the page may have expired, so the run starts over. */
const PAGE_FAILURES_MAX = 5;

class LeaseLost extends Error {}

export interface SyncResult extends PageResult {
  readonly read: number;
  /** Whether there are no further pages. */
  readonly isComplete: boolean;
}

/** Undefined if nothing is due, or another process reads. */
export async function readNextPage(
  site: Site,
  connectionId: number,
  task: SyncTask,
): Promise<SyncResult | undefined> {
  const connection = await findConnection(site.database.read, connectionId);
  const connector = connection && findConnector(site, connection.kind);
  if (!connector || !canReconcile(connector, connection) || connection.state === 'paused') {
    return undefined;
  }
  const now = site.clock();
  const lease = randomUUID();
  const key = { connection_id: connectionId, task };
  const row = await site.database.transaction((tx) =>
    claimSync(tx, key, { lease, now, until: now + LEASE_MS }),
  );
  if (!row) return undefined;
  try {
    return await readPage({ site, connector, connection }, row);
  } catch (error) {
    if (error instanceof LeaseLost) return undefined;
    if (error instanceof StoreError) {
      await postpone(site, row, error);
      await noteFailure(site, connectionId, error);
    }
    throw error;
  }
}

async function readPage(store: ConnectedStore, row: SyncRow): Promise<SyncResult | undefined> {
  const { site, connector, connection } = store;
  const position = { sinceMs: row.since_at, page: row.page };
  const observedAtMs = site.clock();
  const page = await askConnected(store, (api) => readChanged(connector, api, position));
  const payloads = row.task === 'remap' ? await knownAmong(store, page.payloads) : page.payloads;
  const sinceMs = row.task === 'remap' ? undefined : row.since_at;
  const read = await mapPage(store, { payloads, observedAtMs, sinceMs }, leaseKeeper(site, row));
  const result = await storePage(store, read, { isHistory: true });
  const isComplete = page.next === null;
  const after: SyncRow = {
    ...row,
    page: page.next,
    failures: 0,
    done: row.done + page.payloads.length - (page.repeated ?? 0),
    changed: row.changed + result.changed,
    total: page.total ?? row.total,
    due_at: site.clock(),
    ...(isComplete && finished(site, row)),
  };
  const isMine = await site.database.transaction(async (tx) => {
    // Counted also if the lease was lost: the next reader finds these orders unchanged.
    if (row.task === 'reconcile') await countMissedOrders(tx, connection.id, result.missed);
    return saveSync(tx, after);
  });
  if (!isMine) return undefined;
  // A run that breaks off is continued; what waits for too long is decided by a job of the orders.
  if (isComplete) await decideHistory(site, connection.id);
  if (isComplete && row.task === 'reconcile') await followUp(store);
  return { ...result, read: page.payloads.length - (page.repeated ?? 0), isComplete };
}

/** An answer without a field is no page: it must not be taken for the last one, nor be read again for ever. */
async function readChanged(
  connector: Connector,
  api: StoreApi,
  position: Position,
): Promise<ChangedPage> {
  const page: Partial<ChangedPage> = await connector.changedSince!(api, position);
  const { payloads, next } = page;
  if (Array.isArray(payloads) && next !== undefined) return { ...page, payloads, next };
  throw new StoreError('failed', 'The store did not answer with a page of orders.');
}

/** The next run starts where this one began, with an overlap. An import has no next run. */
function finished(site: Site, { task, since_at, begun_at }: SyncRow): Partial<SyncRow> {
  const now = site.clock();
  if (task !== 'reconcile') return { begun_at: null, due_at: null, finished_at: now };
  return {
    since_at: Math.max(since_at, (begun_at ?? now) - OVERLAP_MS),
    begun_at: null,
    due_at: now + RECONCILE_EVERY_MS,
    finished_at: now,
  };
}

/** After everything was read: are the webhooks active, and are refunds still there? */
async function followUp(store: ConnectedStore): Promise<void> {
  const { site, connector, connection } = store;
  try {
    const report = await askConnected(store, async (api) => connector.check?.(api));
    await noteSuccess(site, connection.id, report);
    await rereadOrders(store);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await noteFailure(site, connection.id, error);
  }
}

/** Renews the lease from time to time, because a page may need many requests. */
function leaseKeeper(site: Site, row: SyncRow): () => Promise<void> {
  let renewedMs = site.clock();
  return async () => {
    const now = site.clock();
    if (now - renewedMs < RENEW_AFTER_MS) return;
    renewedMs = now;
    const isMine = await site.database.transaction((tx) => renewLease(tx, row, now + LEASE_MS));
    if (!isMine) throw new LeaseLost('Another process reads this store now');
  };
}

async function postpone(site: Site, row: SyncRow, error: StoreError): Promise<void> {
  const failures = row.failures + 1;
  const waitMs = Math.min(retryDelayMs(failures), RECONCILE_EVERY_MS);
  const startsOver = error.code === 'failed' && failures % PAGE_FAILURES_MAX === 0;
  await site.database.transaction((tx) =>
    saveSync(tx, {
      ...row,
      failures,
      due_at: site.clock() + (error.retryAfterMs ?? waitMs),
      ...(startsOver && { page: null, done: 0, changed: 0 }),
    }),
  );
}
