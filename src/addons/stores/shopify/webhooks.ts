import { ShopError, type CheckReport, type ConnectReport, type Shop } from '../connector.ts';
import { objectOf, objectsOf, textOf } from '../mapping/payload.ts';
import { callShopify, readShopify, unexpected } from './client.ts';

/** Every change of an order comes as an update too; the others arrive earlier. */
const TOPICS = [
  'orders/create',
  'orders/updated',
  'orders/cancelled',
  'orders/delete',
  'refunds/create',
] as const;

const SCOPES_NEEDED = ['read_orders'];

/** The id of the shop, which stays when its domain changes. */
export async function accountOf(shop: Shop): Promise<string | undefined> {
  return textOf(objectOf((await readShopify(shop, { url: '/shop.json' }))['shop'])['id']);
}

export async function connect(shop: Shop): Promise<ConnectReport> {
  const steps = [await shopStep(shop), 'The app may read orders.'];
  const warnings = await checkScopes(shop);
  const created = await createMissing(shop);
  steps.push(
    created.length === 0
      ? 'The webhooks exist already.'
      : `Created ${created.length} webhooks: ${created.join(', ')}.`,
  );
  return { steps, warnings, webhooksActive: true };
}

/** Shopify removes a webhook whose deliveries failed for hours; it is created again. */
export async function check(shop: Shop): Promise<CheckReport> {
  const notes = [await shopStep(shop), ...(await checkScopes(shop))];
  const created = await createMissing(shop);
  notes.push(
    created.length === 0
      ? 'All webhooks are active.'
      : `Created webhooks that Shopify had removed: ${created.join(', ')}.`,
  );
  return { webhooksActive: true, notes };
}

export async function disconnect(shop: Shop): Promise<void> {
  for (const { id } of await listOwn(shop)) {
    const response = await callShopify(shop, {
      method: 'DELETE',
      url: `/webhooks/${encodeURIComponent(id)}.json`,
    });
    if (response.status >= 300 && response.status !== 404) throw unexpected(response.status);
  }
}

async function shopStep(shop: Shop): Promise<string> {
  const answer = objectOf((await readShopify(shop, { url: '/shop.json' }))['shop']);
  const name = textOf(answer['name']) ?? 'the shop';
  return `Shopify answers: ${name}, prices in ${textOf(answer['currency']) ?? 'its currency'}.`;
}

/** Throws if the app may not read orders; resolves to what it may not do otherwise. */
async function checkScopes(shop: Shop): Promise<string[]> {
  const answer = await readShopify(shop, { url: '/admin/oauth/access_scopes.json' });
  const scopes = new Set(objectsOf(answer['access_scopes']).map(({ handle }) => textOf(handle)));
  // Writing includes reading.
  const has = (scope: string) => scopes.has(scope) || scopes.has(scope.replace(/^read_/, 'write_'));
  const missing = SCOPES_NEEDED.filter((scope) => !has(scope));
  if (missing.length > 0) {
    throw new ShopError(
      'credentials',
      `The app lacks the scope ${missing.join(', ')}: add it in Shopify and install the app again.`,
    );
  }
  const warnings: string[] = [];
  if (!has('read_all_orders')) {
    warnings.push('Orders older than 60 days need the scope "read_all_orders".');
  }
  if (!scopes.has('write_discounts')) {
    warnings.push('Codes are not created in Shopify, because the app lacks "write_discounts".');
  }
  return warnings;
}

async function createMissing(shop: Shop): Promise<string[]> {
  const existing = new Set((await listOwn(shop)).map(({ topic }) => topic));
  const missing = TOPICS.filter((topic) => !existing.has(topic));
  for (const topic of missing) {
    const { status } = await callShopify(shop, {
      method: 'POST',
      url: '/webhooks.json',
      json: { webhook: { topic, address: shop.receiverUrl, format: 'json' } },
    });
    if (status === 422) {
      throw new ShopError(
        'failed',
        `Shopify refused ${shop.receiverUrl} as the address of a webhook. It must be reachable over HTTPS.`,
      );
    }
    if (status >= 300) throw unexpected(status);
  }
  return missing;
}

async function listOwn(shop: Shop): Promise<{ id: string; topic: string }[]> {
  const answer = await readShopify(shop, {
    url: '/webhooks.json',
    query: { address: shop.receiverUrl, limit: 250 },
  });
  return objectsOf(answer['webhooks'])
    .filter(({ address }) => address === shop.receiverUrl)
    .map(({ id, topic }) => ({ id: textOf(id) ?? '', topic: textOf(topic) ?? '' }));
}
