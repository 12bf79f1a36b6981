import type { Transaction } from '../../src/db/database.ts';
import type { DemoPart } from '../../src/kernel/declare/demo.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { findOrder } from '../../src/modules/orders/index.ts';
import { MINUTE_MS } from '../../src/shared/durations.ts';
import { newSecret, RECEIVES_ONLY } from './connections/claim-store.ts';
import {
  countMissedOrders,
  insertConnection,
  noteLastDelivery,
  noteLastOrder,
  saveConnection,
  type ConnectionRow,
} from './connections/connection-rows.ts';
import { listConnections } from './connections/list-connections.ts';
import { encryptFor } from './connections/secret.ts';
import { hostAndFolderOf } from './connections/store-identity.ts';
import { findConnector } from './connectors/connectors.ts';
import { deliveryList, keepDeliveries, settleDeliveries } from './deliveries/delivery-rows.ts';
import { saveSync, startSync } from './sync/sync-rows.ts';

/** After the last orders, so that they are what the store has sent. */
const DAYS_AGO = 0.1 / 24;
const CONNECTED_MS_AGO = 60 * 24 * 60 * MINUTE_MS;
const DELIVERIES = 15;
/** Of these, the deliveries of the second store. */
const WHOLESALE = 3;
/** Where the search for the newest order begins; the demo has fewer. */
const ORDER_ID_MAX = 3_000;

/**
 * Three stores: one that works, one that does not answer, and one that only receives and has sent an order in a
 * currency without a rate. None of them exists, so none is called: nothing of them is due.
 */
export function openDemoStores(): Promise<DemoPart> {
  return Promise.resolve({
    happenings: (site) =>
      site.registry.isActive(listConnections)
        ? [{ daysAgo: DAYS_AGO, happen: () => connectStores(site) }]
        : [],
  });
}

async function connectStores(site: Site): Promise<void> {
  const orders = await newestOrders(site);
  await site.database.transaction(async (tx) => {
    const store = await connect(tx, site, {
      kind: 'woocommerce',
      name: 'Online shop',
      url: 'https://shop.willow-and-wick.example',
      keys: { consumer_key: 'ck_demo000000', consumer_secret: 'cs_demo000000' },
      state: 'connected',
    });
    await countMissedOrders(tx, store.id, 2);
    await finishReading(tx, store.id, site.clock() - 4 * MINUTE_MS);
    await keepStored(tx, store.id, 'order.updated', {
      orders: orders.slice(WHOLESALE),
      bodyOf: (orderId) => ({ id: orderId }),
      newestMs: site.clock() - MINUTE_MS,
    });

    const wholesale = await connect(tx, site, {
      kind: 'shopify',
      name: 'Wholesale',
      url: 'https://willow-wholesale.myshopify.com',
      keys: { access_token: 'shpat_demo000000', client_secret: 'shpss_demo000000' },
      state: 'degraded',
      reason: 'The store answered 503.',
    });
    await finishReading(tx, wholesale.id, site.clock() - 190 * MINUTE_MS);
    await keepStored(tx, wholesale.id, 'orders/edited', {
      orders: orders.slice(0, WHOLESALE),
      bodyOf: (orderId) => ({ order_edit: { order_id: orderId } }),
      newestMs: site.clock() - 200 * MINUTE_MS,
    });

    const stall = await connect(tx, site, {
      kind: 'http',
      name: 'Market stall',
      url: '',
      keys: {},
      state: 'receiving',
      reason: RECEIVES_ONLY,
    });
    await keepWithoutRate(tx, site, stall.id);
  });
}

async function newestOrders(site: Site): Promise<number[]> {
  const found: number[] = [];
  for (let id = ORDER_ID_MAX; id > 0 && found.length < DELIVERIES; id -= 1) {
    if (await findOrder(site.database.read, { order_id: id })) found.push(id);
  }
  return found.toReversed();
}

interface DemoStore {
  kind: string;
  name: string;
  url: string;
  keys: Record<string, string>;
  state: ConnectionRow['state'];
  reason?: string;
}

async function connect(tx: Transaction, site: Site, store: DemoStore): Promise<ConnectionRow> {
  const { kind, name, url, keys, state, reason = '' } = store;
  const row = await insertConnection(tx, {
    kind,
    name,
    url,
    host: hostAndFolderOf(url),
    account: null,
    state,
    created_at: site.clock() - CONNECTED_MS_AGO,
  });
  const hasKeys = Object.keys(keys).length > 0;
  const connection: ConnectionRow = {
    ...row,
    reason,
    failing_since: state === 'degraded' ? site.clock() : null,
    secret: encryptFor(site, 'secret', row.id, newSecret(findConnector(site, kind)!)),
    credentials: hasKeys ? encryptFor(site, 'credentials', row.id, JSON.stringify(keys)) : '',
    webhooks_active: hasKeys ? 1 : null,
  };
  await saveConnection(tx, connection);
  return connection;
}

/** The store was read completely at this time, and is not read again. */
async function finishReading(tx: Transaction, id: number, atMs: number): Promise<void> {
  const key = { connection_id: id, task: 'reconcile' as const };
  const sync = await startSync(tx, key, { sinceMs: atMs, dueMs: atMs });
  await saveSync(tx, { ...sync, due_at: null, finished_at: atMs });
}

interface Sent {
  orders: readonly number[];
  bodyOf: (orderId: number) => unknown;
  newestMs: number;
}

/** Deliveries of orders that the demo has. They only name the order, so another try would ask the store. */
async function keepStored(
  tx: Transaction,
  id: number,
  topic: string,
  { orders, bodyOf, newestMs }: Sent,
): Promise<void> {
  const deliveries = orders.map((orderId, position) => ({
    connection_id: id,
    topic,
    external_id: String(orderId),
    dedupe_key: `demo ${orderId}`,
    headers: '{}',
    body: JSON.stringify(bodyOf(orderId)),
    is_base64: 0,
    state: 'done' as const,
    reason: '',
    due_at: null,
    received_at: newestMs - (orders.length - 1 - position) * 37 * MINUTE_MS,
  }));
  await keepDeliveries(tx, deliveries);
  const rows = await deliveryList.page(tx, { connection_id: id }, { limit: DELIVERIES, offset: 0 });
  const settled = rows.map((row) => ({ ...row, attempts: 1, order_id: Number(row.external_id) }));
  await settleDeliveries(tx, settled);
  await noteLastDelivery(tx, { id, at: newestMs });
  await noteLastOrder(tx, { id, at: newestMs });
}

/** An order in a currency that has no rate yet: it fails, until a rate is entered and it is tried again. */
async function keepWithoutRate(tx: Transaction, site: Site, id: number): Promise<void> {
  const now = site.clock();
  const order = {
    external_id: 'STALL-118',
    date: new Date(now - 20 * MINUTE_MS).toISOString(),
    date_modified: new Date(now - 20 * MINUTE_MS).toISOString(),
    status: 'completed',
    currency: 'GBP',
    total: 48,
    coupon_codes: ['MAYA10'],
  };
  await keepDeliveries(tx, [
    {
      connection_id: id,
      topic: 'order',
      external_id: order.external_id,
      dedupe_key: `demo ${order.external_id}`,
      headers: '{}',
      body: JSON.stringify(order),
      is_base64: 0,
      state: 'received',
      reason: '',
      due_at: now,
      received_at: now,
    },
  ]);
}
