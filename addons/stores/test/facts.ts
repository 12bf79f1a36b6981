import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import type { FilledStore } from '../../../test/growth/filled-store.ts';
import type { AddonFacts } from '../../../test/support/addon-facts.ts';
import type { TestApp } from '../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const KNOWN_RECEIVER = 'calls a store whose connection asked for a proof';

/** A kind of store that always answers, and has nothing. */
const emptyKind = `connectors: [{
  kind: 'empty', label: 'Empty store', headersKept: [],
  credentials: [{ name: 'token', label: 'Token', help: '', required: true }],
  verify: () => ({ outcome: 'genuine', topic: 'order', externalId: '1', dedupeKey: '1' }),
  toOrder: () => ({ result: 'ignored', reason: 'It is empty.' }),
  exampleDelivery: () => ({ headers: {}, body: Buffer.from('{}') }),
  changedSince: async () => ({ payloads: [], next: null }),
}]`;

async function connected(app: TestApp, json: object): Promise<{ id: number }> {
  const key = await app.key('admin', 'read,write,manage');
  const reply = await app.call(`${STORE}/connections`, { method: 'POST', key, json });
  assert.equal(reply.status, 201, reply.text);
  return { id: reply.body.id };
}

const empty = (app: TestApp, name: string) =>
  connected(app, { kind: 'empty', name, credentials: { token: 'token' } });

/** A connection that was not there before. */
async function connection(row: number, store: FilledStore) {
  const json = { kind: 'http', name: `Shop ${row}` };
  const { body } = await store.call(`${STORE}/connections`, { method: 'POST', json });
  return body as { id: number; webhook_secret: string };
}

export const facts: AddonFacts = {
  extensionHook: emptyKind,
  sendsHereBy: 'stores.allow_private',
  personalColumns: {
    store_approvals: 'of the store',
    store_connections: 'of the store',
    store_coupons: 'of the store',
    store_deliveries: 'of customers of connected stores, removed after stores.keep_days',
    store_orders: 'of the store',
    store_syncs: 'of the store',
  },
  decodes: {
    'addons/stores/deliveries/stored-body.ts': 'what a store has delivered',
    'addons/stores/connectors/woocommerce/verify.ts': 'a signature',
  },
  withoutProof: {
    'DELETE /svc/store/v1/connections/{id}': 'ends a receiver, and gives nothing',
    'POST /svc/store/v1/connections/{id}/check': KNOWN_RECEIVER,
    'POST /svc/store/v1/connections/{id}/deliveries/{delivery_id}/retry': KNOWN_RECEIVER,
    'POST /svc/store/v1/connections/{id}/import': KNOWN_RECEIVER,
    'POST /svc/store/v1/connections/{id}/reconcile': KNOWN_RECEIVER,
    'POST /svc/store/v1/connections/{id}/test-order': 'tries an order, and stores nothing',
  },
  asksForProof: {
    'private stores': [`${STORE}/settings`, { 'stores.allow_private': true }, 'PATCH'],
  },
  screens: { console: ['/console/stores'] },
  consoleGuides: {
    '/console/stores?connect=woocommerce': 'woocommerce',
    '/console/stores?connect=shopify': 'shopify',
    '/console/stores?connect=stripe': 'stripe',
    '/console/stores?connect=http': 'http-store',
    '/console/stores': 'owner#stores',
  },
  posts: {
    'store:post_connections': {
      'a store': (fresh) => ({ json: { kind: 'http', name: fresh('store') } }),
    },
    'store:post_connection-requests': {
      'a store to approve': (fresh) => ({
        json: { kind: 'woocommerce', name: fresh('store'), url: 'https://shop.example' },
      }),
    },
    'store:post_connections_id_check': {
      'a store': async (fresh, _send, app) => ({ values: await empty(app, fresh('store')) }),
    },
    'store:post_connections_id_reconcile': {
      'a store': async (fresh, _send, app) => ({
        values: await empty(app, fresh('store')),
        json: {},
      }),
    },
    'store:post_connections_id_import': {
      'a store': async (fresh, _send, app) => ({
        values: await empty(app, fresh('store')),
        json: {},
      }),
    },
    'store:post_connections_id_test-order': {
      'a code': async (fresh, _send, app) => ({
        values: await connected(app, { kind: 'http', name: fresh('store') }),
        json: { code: 'NOBODY' },
      }),
    },
    'store:post_connections_id_deliveries_delivery_id_retry': {
      'a delivery': async (fresh, _send, app) => {
        const { id } = await empty(app, fresh('store'));
        assert.equal((await app.call(`~/connect/empty/${id}`, { method: 'POST' })).status, 200);
        const key = await app.key('admin', 'read,write,manage');
        const { body } = await app.call(`${STORE}/connections/${id}/deliveries`, { key });
        return { values: { id, delivery_id: body[0].id } };
      },
    },
  },
  setUp: { store_connections: [`${STORE}/connections`, { kind: 'http', name: 'Shop' }] },
  notFilled: {
    store_approvals: 'one row while an administrator connects a shop',
    store_connections: 'one row for each shop, set up by an administrator',
    store_syncs: 'two rows for each shop',
  },
  tablesOfOrders: ['store_orders'],
  filledWith: ({ nowMs, rare, due }) => ({
    'store_coupons.active': '1',
    'store_coupons.due_at': due(nowMs - 1_000),
    'store_deliveries.due_at': 'null',
    'store_deliveries.is_base64': '0',
    'store_deliveries.state': rare('done', 'ignored'),
    'store_deliveries.topic': `'order.updated'`,
  }),
  grows: {
    'GET /svc/store/v1/connections/{id}/deliveries': {
      stepsPerRow: 0.7,
      because: 'counts the deliveries of the connection, a fifth of all, along an index',
    },
  },
  growthCases: {
    'DELETE /svc/store/v1/connections/{id}': async (row, store) => ({
      params: { id: (await connection(row, store)).id },
    }),
    'GET /svc/store/v1/connection-requests/{id}': (row, { db }) => {
      db.exec(`insert or ignore into store_approvals (id, kind, name, url, state_hash, created_at, expires_at)
        values (${row}, 'woocommerce', 'Shop', 'https://shop.example', '${row}', 0, 0)`);
      return {};
    },
    // The connections of the filled store are of a kind that has none.
    'GET /svc/store/v1/connections/{id}/plugin': () => ({ refusal: 404 }),
    'POST /connect/{kind}/keys': () => ({ params: { kind: 'woocommerce' }, refusal: 404 }),
    'POST /connect/{kind}/{connection_id}': async (row, store) => {
      const body = await connection(row, store);
      const json = JSON.stringify({
        external_id: `new ${row}`,
        date: '2026-01-20T14:05:09Z',
        date_modified: '2026-01-20T15:00:00Z',
        status: 'completed',
        total: 100,
        coupon_codes: [`CODE${row}`],
      });
      const signature = createHmac('sha256', body.webhook_secret).update(json).digest('hex');
      return {
        params: { kind: 'http', connection_id: body.id },
        json,
        headers: { 'x-tributary-signature': `sha256=${signature}` },
      };
    },
    'POST /svc/store/v1/connection-requests': () => ({ refusal: 409 }),
    'POST /svc/store/v1/connections/{id}/import': () => ({ refusal: 409 }),
    'POST /svc/store/v1/connections/{id}/reconcile': () => ({ refusal: 409 }),
  },
  repeatsOnPostgres: [
    'addons/stores/connections/list-kinds.test.ts',
    'addons/stores/connections/store-command.test.ts',
    'addons/stores/connectors/stripe/whole-way.test.ts',
    'addons/stores/connectors/woocommerce/figures.test.ts',
    'addons/stores/connectors/woocommerce/plugin/get-plugin.test.ts',
    'addons/stores/orders/complete-links.test.ts',
    'addons/stores/orders/store-orders.test.ts',
    'addons/stores/test/absent-answers.test.ts',
    'addons/stores/test/order-details.test.ts',
  ],
  runs: {
    leftOnSqlite: {
      'tries every control of the screen of stores, which test/browser/every-screen.test.ts opens':
        [
          'addons/stores/test/browser/connect-shopify.test.ts',
          'addons/stores/test/browser/console-stores.test.ts',
        ],
    },
    differsOnPostgres: {
      'transactions meet: locks and races': ['addons/stores/deliveries/receive-delivery.test.ts'],
      'jobs of several instances claim rows': ['addons/stores/sync/sync.test.ts'],
    },
    longHistories: ['addons/stores/test/store-histories.test.ts'],
  },
  /** A connected store that was read once. */
  async showMetrics(site) {
    const { createConnection } = await import('../connections/create-connection.ts');
    const { saveSync, startSync } = await import('../sync/sync-rows.ts');
    const values = { kind: 'http', name: 'Shop' };
    const { id } = await invoke<{ id: number }>(site, createConnection, values);
    const nowMs = site.clock();
    await site.database.transaction(async (tx) => {
      const key = { connection_id: id, task: 'reconcile' as const };
      const run = await startSync(tx, key, { sinceMs: nowMs, dueMs: nowMs });
      await saveSync(tx, { ...run, finished_at: nowMs });
    });
  },
};
