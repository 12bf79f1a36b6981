import { objectOf, objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { StoreError, type CheckReport, type ConnectReport, type StoreApi } from '../connector.ts';
import { idIn, queryShopify, userErrorIn } from './client.ts';
import { hasScope, readShop } from './scopes.ts';

/** Every change of an order comes as an update too; the others arrive earlier. */
const TOPICS = [
  'orders/create',
  'orders/updated',
  'orders/cancelled',
  'orders/delete',
  'refunds/create',
] as const;

/** Without the second and the third, Shopify does not say whose an order is and what was bought. */
const SCOPES_NEEDED = ['read_orders', 'read_customers', 'read_products'];

const LIST = `query Webhooks($uri: String!, $after: String) {
  webhookSubscriptions(first: 50, uri: $uri, after: $after) {
    nodes { id topic uri }
    pageInfo { hasNextPage endCursor }
  }
}`;

const CREATE = `mutation CreateWebhook($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) {
    userErrors { field message }
  }
}`;

const DELETE = `mutation DeleteWebhook($id: ID!) {
  webhookSubscriptionDelete(id: $id) { userErrors { field message } }
}`;

/** The id of the store, which stays when its domain changes. */
export async function accountOf(store: StoreApi): Promise<string | undefined> {
  return idIn((await readShop(store)).shop['id']);
}

export async function connect(store: StoreApi): Promise<ConnectReport> {
  const { shop, scopes } = await readShop(store);
  const warnings = [...planWarnings(shop), ...checkScopes(scopes)];
  const steps = [stepOf(shop), 'The app may read orders.'];
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
  const { shop, scopes } = await readShop(store);
  const warnings = [...planWarnings(shop), ...checkScopes(scopes)];
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
    const data = await queryShopify(store, DELETE, { id });
    const message = userErrorIn(objectOf(data['webhookSubscriptionDelete']));
    if (message) throw new StoreError('failed', `Shopify refused to delete a webhook: ${message}`);
  }
}

function stepOf(shop: Json): string {
  const name = textOf(shop['name']) ?? 'the shop';
  return `Shopify answers: ${name}, prices in ${textOf(shop['currencyCode']) ?? 'its currency'}.`;
}

/** Plans on which an app of one's own gets no names and addresses of customers. */
const PLANS_WITHOUT_CUSTOMERS = /^(basic|starter)\b/i;

function planWarnings(shop: Json): string[] {
  const plan = textOf(objectOf(shop['plan'])['publicDisplayName']) ?? '';
  if (!PLANS_WITHOUT_CUSTOMERS.test(plan)) return [];
  return [
    `On the plan "${plan}", Shopify shows an app of your own no names and email addresses of customers. Own orders of ` +
      'affiliates and throw-away mailboxes are then not recognised by them.',
  ];
}

/** Throws if the app may not read orders; resolves to what it may not do otherwise. */
function checkScopes(scopes: ReadonlySet<string>): string[] {
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
  return warnings;
}

async function createMissing(store: StoreApi): Promise<string[]> {
  const existing = new Set((await listOwn(store)).map(({ topic }) => topic));
  const missing = TOPICS.filter((topic) => !existing.has(enumOf(topic)));
  for (const topic of missing) {
    const data = await queryShopify(store, CREATE, {
      topic: enumOf(topic),
      uri: store.receiverUrl,
    });
    const message = userErrorIn(objectOf(data['webhookSubscriptionCreate']));
    if (message) {
      throw new StoreError(
        'failed',
        `Shopify refused ${store.receiverUrl} as the address of a webhook: ${message}`,
      );
    }
  }
  return missing;
}

async function listOwn(store: StoreApi): Promise<{ id: string; topic: string }[]> {
  const own: { id: string; topic: string }[] = [];
  let after: string | null = null;
  do {
    const data = await queryShopify(store, LIST, { uri: store.receiverUrl, after });
    const { nodes, pageInfo } = objectOf(data['webhookSubscriptions']);
    const { hasNextPage, endCursor } = objectOf(pageInfo);
    if (typeof hasNextPage !== 'boolean') {
      throw new StoreError('failed', 'Shopify did not answer with webhooks.');
    }
    for (const { id, topic, uri } of objectsOf(nodes)) {
      if (uri === store.receiverUrl) own.push({ id: textOf(id) ?? '', topic: textOf(topic) ?? '' });
    }
    after = hasNextPage ? (textOf(endCursor) ?? null) : null;
  } while (after !== null);
  return own;
}

/** The name of a topic in GraphQL: deliveries write it with small letters and a slash. */
function enumOf(topic: string): string {
  return topic.replace('/', '_').toUpperCase();
}
