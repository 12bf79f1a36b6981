import { DatabaseUnavailable } from '../../../src/db/unavailable.ts';
import type { Site } from '../../../src/kernel/declare/site.ts';
import { ConnectionLoops, isClosing } from '../connections/connection-loops.ts';
import { findConnection, noteLastDelivery } from '../connections/connection-rows.ts';
import { noteFailure } from '../connections/health.ts';
import type { ConnectedStore } from '../connections/open-connection.ts';
import { StoreError, type Connector } from '../connectors/connector.ts';
import { findConnector } from '../connectors/connectors.ts';
import { completeOrders } from '../orders/complete-orders.ts';
import { linkFirstOrder } from '../orders/link-first-order.ts';
import { mapPayload, type Observed } from '../orders/map-order.ts';
import { checkMapping, isReady, storeOrders, type Checked } from '../orders/store-orders.ts';
import { NumberTaken } from '../orders/storing-orders.ts';
import {
  claimDeliveries,
  listReadyConnections,
  settleDeliveries,
  type DeliveryRow,
  type Settled,
} from './delivery-rows.ts';
import { redactDeliveries } from './redact-deliveries.ts';
import { retryDelayMs } from './retry-delay.ts';
import { payloadOf } from './stored-body.ts';

const BATCH_SIZE = 50;
/** Longer than a batch takes whose store does not answer. */
const LEASE_MS = 5 * 60_000;
/** More than a day of waiting for a store that is down. Reconciling then finds the order. */
const ATTEMPTS_MAX = 40;
const REASON_LENGTH_MAX = 1_000;

const loops = new ConnectionLoops({
  name: 'stores.process',
  everyMs: 500,
  async startDue(site, start) {
    for (const id of await listReadyConnections(site.database.read, site.clock())) {
      start(String(id), () => processConnection(site, id));
    }
  },
});

/** Maps what stores have sent and stores the orders; a store that does not answer delays no other one. */
export const processDeliveries = loops.job;

/** Processes everything that is due. @internal Exported for tests. */
export function drainInbox(site: Site): Promise<void> {
  return loops.drain(site);
}

async function processConnection(site: Site, id: number): Promise<void> {
  while (!isClosing(site)) {
    const connection = await findConnection(site.database.read, id);
    const connector = connection && findConnector(site, connection.kind);
    if (!connector || connection.state === 'paused') return;
    const now = site.clock();
    const claimed = await site.database.transaction((tx) =>
      claimDeliveries(tx, id, { now, until: now + LEASE_MS, limit: BATCH_SIZE }),
    );
    if (claimed.length === 0) return;
    await processBatch({ site, connector, connection }, claimed);
  }
}

/** A delivery with what its payload says, or the error of the store that could not be asked. */
interface Read {
  readonly row: DeliveryRow;
  readonly checked: Checked | StoreError;
}

async function processBatch(store: ConnectedStore, rows: readonly DeliveryRow[]): Promise<void> {
  const unread: Read[] = [];
  const mapped: (Observed & { readonly row: DeliveryRow })[] = [];
  let error: StoreError | undefined;
  for (const row of rows) {
    const found = await readDelivery(store, row, error);
    if (found instanceof StoreError) error = found;
    if (found instanceof StoreError) unread.push({ row, checked: found });
    else mapped.push({ ...found, row });
  }
  if (error) await noteFailure(store.site, store.connection.id, error);
  const complete = await completeOrders(store, mapped);
  const read = complete.map((one) => ({ row: one.row, checked: checkDelivery(store, one) }));
  await storeTogether(store, [...unread, ...read]);
}

/** After the store has failed once, it is not asked again in the same batch. */
async function readDelivery(
  store: ConnectedStore,
  row: DeliveryRow,
  error: StoreError | undefined,
): Promise<Observed | StoreError> {
  const parsed = payloadOf(row);
  const { connector } = store;
  const observedAtMs = observedAt(connector, row);
  if (!parsed) {
    const mapping = { result: 'failed', reason: 'The body is not valid JSON.' } as const;
    return { mapping, observedAtMs, isRead: false };
  }
  const given = { ...parsed, topic: row.topic, observedAtMs };
  const asking: Connector = error
    ? { ...connector, fetchOrder: () => Promise.reject(error) }
    : connector;
  try {
    const asked = { ...store, connector: asking };
    const observed = await mapPayload(asked, given);
    await linkFirstOrder(asked, observed, row.topic);
    return observed;
  } catch (caught) {
    if (caught instanceof StoreError) return caught;
    return { mapping: failedUnexpectedly(store, caught), observedAtMs, isRead: false };
  }
}

function checkDelivery(store: ConnectedStore, observed: Observed): Checked {
  try {
    return checkMapping(store, observed);
  } catch (error) {
    return failedUnexpectedly(store, error);
  }
}

/** What a store sends shows the order at that moment, and never later than when it arrived. */
function observedAt({ sentAt }: Connector, { headers, received_at }: DeliveryRow): number {
  // The headers are an object that the receiver has stored.
  const sentMs = sentAt?.(JSON.parse(headers) as Record<string, string>);
  return Math.min(received_at, sentMs ?? received_at);
}

function failedUnexpectedly(
  { site, connection }: ConnectedStore,
  error: unknown,
): { result: 'failed'; reason: string } {
  site.log.error({ err: error, connection: connection.id }, 'a delivery of a store failed');
  return { result: 'failed', reason: 'An unexpected error occurred. See the log.' };
}

/** If the batch cannot be stored, each delivery is stored alone, so that only a bad one fails. */
async function storeTogether(store: ConnectedStore, read: readonly Read[]): Promise<void> {
  try {
    await settle(store, read);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    if (error instanceof NumberTaken) return storeTogether(store, read);
    if (read.length > 1) {
      for (const one of read) await storeTogether(store, [one]);
      return;
    }
    const checked = failedUnexpectedly(store, error);
    await settle(store, [{ row: read[0]!.row, checked }]);
  }
}

async function settle(store: ConnectedStore, read: readonly Read[]): Promise<void> {
  const { site, connection } = store;
  const lastMs = Math.max(...read.map(({ row }) => row.received_at));
  await site.database.transaction(async (tx) => {
    const ready = read.flatMap(({ checked }) =>
      checked instanceof StoreError || !isReady(checked) ? [] : checked,
    );
    const stored = (await storeOrders(tx, store, ready)).values();
    const settled = read.map(({ row, checked }): Settled => {
      const attempts = row.attempts + 1;
      const same = { id: row.id, attempts, order_id: row.order_id };
      if (checked instanceof StoreError) return postponed(site, same, checked);
      if (!isReady(checked)) {
        const state = checked.result === 'redact' ? 'done' : checked.result;
        return { ...same, state, reason: shownReason(checked.reason), due_at: null };
      }
      const { orderId, reason, isRefused } = stored.next().value!;
      const state = isRefused ? 'failed' : 'done';
      return { ...same, state, reason, due_at: null, order_id: orderId };
    });
    await settleDeliveries(tx, settled);
    for (const { row, checked } of read) {
      if (checked instanceof StoreError || checked.result !== 'redact') continue;
      await redactDeliveries(tx, row, checked.externalIds);
    }
    await noteLastDelivery(tx, {
      id: connection.id,
      at: Math.max(lastMs, connection.last_delivery_at ?? 0),
    });
  });
}

/** Connectors may quote what the store has sent; PostgreSQL stores no NUL. */
function shownReason(reason: string): string {
  return reason.replaceAll('\0', '').slice(0, REASON_LENGTH_MAX).toWellFormed();
}

function postponed(
  site: Site,
  row: Pick<Settled, 'id' | 'attempts' | 'order_id'>,
  { message, retryAfterMs }: StoreError,
): Settled {
  if (row.attempts >= ATTEMPTS_MAX)
    return { ...row, state: 'failed', reason: message, due_at: null };
  const due_at = site.clock() + (retryAfterMs ?? retryDelayMs(row.attempts));
  return { ...row, state: 'received', reason: message, due_at };
}
