import { StoreError, type CheckReport, type ConnectReport, type StoreApi } from '../connector.ts';
import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { callShopify, readShopify, unexpected } from './client.ts';
import { hasScope, readScopes } from './scopes.ts';

/** Every change of an order comes as an update too; the others arrive earlier. */
const TOPICS = [
  'orders/create',
  'orders/updated',
  'orders/cancelled',
  'orders/delete',
  'refunds/create',
] as const;

const SCOPES_NEEDED = ['read_orders'];

/** The id of the store, which stays when its domain changes. */
export async function accountOf(store: StoreApi): Promise<string | undefined> {
  return textOf((await readShop(store))['id']);
}

export async function connect(store: StoreApi): Promise<ConnectReport> {
  const shop = await readShop(store);
  const steps = [stepOf(shop), 'The app may read orders.'];
  const warnings = [...planWarnings(shop), ...(await checkScopes(store))];
  const created = await createMissing(store);
  steps.push(
    created.length === 0
      ? 'The webhooks already exist.'
      : `Created ${created.length} webhooks: ${created.join(', ')}.`,
  );
  return { steps, warnings, webhooksActive: true };
}

/** Shopify removes a webhook whose deliveries failed for hours; it is created again. */
export async function check(store: StoreApi): Promise<CheckReport> {
  const shop = await readShop(store);
  const warnings = [...planWarnings(shop), ...(await checkScopes(store))];
  const notes = [stepOf(shop), ...warnings];
  const created = await createMissing(store);
  notes.push(
    created.length === 0
      ? 'All webhooks are active.'
      : `Created webhooks that Shopify had removed: ${created.join(', ')}.`,
  );
  return { webhooksActive: true, notes, warnings };
}

export async function disconnect(store: StoreApi): Promise<void> {
  for (const { id } of await listOwn(store)) {
    const response = await callShopify(store, {
      method: 'DELETE',
      url: `/webhooks/${encodeURIComponent(id)}.json`,
    });
    if (response.status >= 300 && response.status !== 404) throw unexpected(response.status);
  }
}

async function readShop(store: StoreApi): Promise<Json> {
  return objectOf((await readShopify(store, { url: '/shop.json' }))['shop']);
}

function stepOf(shop: Json): string {
  const name = textOf(shop['name']) ?? 'the shop';
  return `Shopify answers: ${name}, prices in ${textOf(shop['currency']) ?? 'its currency'}.`;
}

/** Plans on which an app of one's own gets no names and addresses of customers. */
const PLANS_WITHOUT_CUSTOMERS = new Set(['basic', 'starter']);

function planWarnings(shop: Json): string[] {
  const plan = textOf(shop['plan_name'])?.toLowerCase() ?? '';
  if (!PLANS_WITHOUT_CUSTOMERS.has(plan)) return [];
  return [
    `On the plan "${plan}", Shopify shows an app of your own no names and email addresses of customers. Own orders of ` +
      'affiliates and throw-away mailboxes are then not recognised by them.',
  ];
}

/** Throws if the app may not read orders; resolves to what it may not do otherwise. */
async function checkScopes(store: StoreApi): Promise<string[]> {
  const scopes = await readScopes(store);
  const has = (scope: string) => hasScope(scopes, scope);
  const missing = SCOPES_NEEDED.filter((scope) => !has(scope));
  if (missing.length > 0) {
    throw new StoreError(
      'credentials',
      `The app lacks the scope ${missing.join(', ')}: add it in Shopify and install the app again.`,
    );
  }
  const warnings: string[] = [];
  if (!has('read_all_orders')) {
    warnings.push(
      'Orders older than 60 days need the scope "read_all_orders", which Shopify grants on request: without it they are ' +
        'neither imported nor compared. What Shopify sends about them counts.',
    );
  }
  if (!scopes.has('write_discounts')) {
    warnings.push('Codes are not created in Shopify, because the app lacks "write_discounts".');
  }
  if (!has('read_products')) {
    warnings.push(
      'Rules for categories and tags do not find the products, because the app lacks "read_products".',
    );
  }
  return warnings;
}

async function createMissing(store: StoreApi): Promise<string[]> {
  const existing = new Set((await listOwn(store)).map(({ topic }) => topic));
  const missing = TOPICS.filter((topic) => !existing.has(topic));
  for (const topic of missing) {
    const { status } = await callShopify(store, {
      method: 'POST',
      url: '/webhooks.json',
      json: { webhook: { topic, address: store.receiverUrl, format: 'json' } },
    });
    if (status === 422) {
      throw new StoreError(
        'failed',
        `Shopify refused ${store.receiverUrl} as the address of a webhook. It must be reachable over HTTPS.`,
      );
    }
    if (status >= 300) throw unexpected(status);
  }
  return missing;
}

async function listOwn(store: StoreApi): Promise<{ id: string; topic: string }[]> {
  const answer = await readShopify(store, {
    url: '/webhooks.json',
    query: { address: store.receiverUrl, limit: 250 },
  });
  return objectsOf(answer['webhooks'])
    .filter(({ address }) => address === store.receiverUrl)
    .map(({ id, topic }) => ({ id: textOf(id) ?? '', topic: textOf(topic) ?? '' }));
}
