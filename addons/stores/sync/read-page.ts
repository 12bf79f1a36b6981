import { createHash } from 'node:crypto';
import type { Reader } from '../../../src/db/database.ts';
import { query } from '../../../src/db/statements/query.ts';
import { DatabaseUnavailable } from '../../../src/db/unavailable.ts';
import { isStorable } from '../../../src/shared/storable.ts';
import type { ConnectedStore } from '../connections/open-connection.ts';
import type { Connector } from '../connectors/connector.ts';
import { keepDeliveries, type NewDelivery } from '../deliveries/delivery-rows.ts';
import { toStoredBody } from '../deliveries/stored-body.ts';
import { completeOrders } from '../orders/complete-orders.ts';
import { linkFirstOrder } from '../orders/link-first-order.ts';
import { mapPayload, type FinalMapping } from '../orders/map-order.ts';
import { findNumbers } from '../orders/order-numbers.ts';
import {
  checkMapping,
  isReady,
  storeOrders,
  type Checked,
  type ReadyOrder,
  type Storing,
} from '../orders/store-orders.ts';
import { NumberTaken } from '../orders/storing-orders.ts';

/** The topic of payloads that were read from the store. */
export const SYNC_TOPIC = 'sync';
/** Other orders wait while one transaction stores these. */
const TOGETHER = 50;

const waiting = query<{ connection_id: number; ids: string }, { external_id: string }>(
  (db, p, _given, dialect) =>
    db
      .selectFrom('store_deliveries')
      // The index of due deliveries has only the few that wait.
      .where('due_at', 'is not', null)
      .where('connection_id', '=', p.connection_id)
      .where(dialect.inJsonArray('external_id', p.ids, 'text'))
      .select((eb) => eb.ref('external_id').$castTo<string>().as('external_id')),
);

interface PayloadRead {
  readonly payload: unknown;
  readonly externalId: string | null;
  readonly checked: Checked;
}

export interface PageResult {
  readonly changed: number;
  /** Changed orders that no waiting delivery would have brought. */
  readonly missed: number;
}

/** Maps the payloads of a page. `stillMine` is called between requests and throws if the lease is lost. */
export async function mapPage(
  store: ConnectedStore,
  {
    payloads,
    observedAtMs,
    sinceMs,
  }: {
    payloads: readonly unknown[];
    observedAtMs: number;
    /** Orders that changed since then are read, also on other pages. */
    sinceMs: number | undefined;
  },
  stillMine: () => Promise<void>,
): Promise<PayloadRead[]> {
  const mapped = await Array.fromAsync(payloads, async (payload) => {
    await stillMine();
    const observed = await mapPayload(store, {
      payload,
      topic: SYNC_TOPIC,
      observedAtMs,
      isRead: true,
    });
    await linkFirstOrder(store, observed, SYNC_TOPIC, { isHistory: true, sinceMs });
    return { ...observed, payload };
  });
  await stillMine();
  const complete = await completeOrders(store, mapped);
  return complete.map((observed) => ({
    payload: observed.payload,
    externalId: externalIdOf(store.connector, observed.payload, observed.mapping),
    checked: checkMapping(store, observed),
  }));
}

/** The payloads of orders that are stored. */
export async function knownAmong(
  { site, connector, connection }: ConnectedStore,
  payloads: readonly unknown[],
): Promise<unknown[]> {
  const ids = payloads.map((payload) => connector.externalIdIn?.(payload) ?? '');
  const known = await findNumbers(site.database.read, connection.id, ids);
  return payloads.filter((_, i) => known.has(ids[i]!));
}

function externalIdOf(
  { externalIdIn }: Connector,
  payload: unknown,
  mapping: FinalMapping,
): string | null {
  const id = mapping.result === 'order' ? mapping.order.external_id : externalIdIn?.(payload);
  return id !== undefined && isStorable(id) ? id : null;
}

/** Stores the orders of a page in pieces. What cannot be stored goes to the inbox with its reason. */
export async function storePage(
  store: ConnectedStore,
  read: readonly PayloadRead[],
  { together = TOGETHER, ...storing }: Storing & { together?: number } = {},
): Promise<PageResult> {
  let changed = 0;
  let missed = 0;
  for (let i = 0; i < read.length; i += together) {
    const result = await storePiece(store, read.slice(i, i + together), storing);
    changed += result.changed;
    missed += result.missed;
  }
  return { changed, missed };
}

async function storePiece(
  store: ConnectedStore,
  read: readonly PayloadRead[],
  storing: Storing,
): Promise<PageResult> {
  const orders = read.filter(({ checked }) => isReady(checked));
  const ready = orders.flatMap(({ checked }) => (isReady(checked) ? checked : []));
  const failed = read.flatMap((one) =>
    one.checked.result === 'failed' ? toFailed(store, one, one.checked.reason) : [],
  );
  try {
    return await store.site.database.transaction(async (tx) => {
      const brought = await findWaiting(tx, store.connection.id, ready);
      const stored = await storeOrders(tx, store, ready, storing);
      const refused = orders.flatMap((one, i) =>
        stored[i]!.isRefused ? toFailed(store, one, stored[i]!.reason) : [],
      );
      const kept = [...failed, ...refused];
      if (kept.length > 0) await keepDeliveries(tx, kept);
      const changed = ready.filter((_, i) => stored[i]!.isNews ?? stored[i]!.isChanged);
      const missed = changed.filter(({ externalId }) => !brought.has(externalId));
      return { changed: changed.length, missed: missed.length };
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    if (error instanceof NumberTaken) return storePiece(store, read, storing);
    // One by one, so that a bad order stops no other.
    return read.length > 1
      ? storePage(store, read, { ...storing, together: 1 })
      : keepUnstored(store, read[0]!, error);
  }
}

async function keepUnstored(
  store: ConnectedStore,
  order: PayloadRead,
  error: unknown,
): Promise<PageResult> {
  const { site, connection } = store;
  site.log.error({ err: error, connection: connection.id }, 'an order of a store failed');
  const failed = toFailed(store, order, 'An unexpected error occurred. See the log.');
  await site.database.transaction((tx) => keepDeliveries(tx, [failed]));
  return { changed: 0, missed: 0 };
}

async function findWaiting(
  db: Reader,
  connection_id: number,
  ready: readonly ReadyOrder[],
): Promise<Set<string>> {
  if (ready.length === 0) return new Set();
  const ids = JSON.stringify(ready.map(({ externalId }) => externalId));
  const rows = await db.all(waiting, { connection_id, ids });
  return new Set(rows.map(({ external_id }) => external_id));
}

function toFailed(
  { site, connection }: ConnectedStore,
  { payload, externalId }: PayloadRead,
  reason: string,
): NewDelivery {
  const bytes = Buffer.from(JSON.stringify(payload) ?? 'null');
  return {
    connection_id: connection.id,
    topic: SYNC_TOPIC,
    external_id: externalId,
    dedupe_key: `sync ${createHash('sha256').update(bytes).digest('base64url')}`,
    headers: '{}',
    ...toStoredBody(bytes),
    state: 'failed',
    reason,
    due_at: null,
    received_at: site.clock(),
  };
}
