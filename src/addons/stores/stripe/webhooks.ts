import { ShopError, type CheckReport, type ConnectReport, type Shop } from '../connector.ts';
import { objectsOf, textOf, type Json } from '../mapping/payload.ts';
import {
  callStripe,
  changeStripe,
  findStripe,
  listAllStripe,
  listStripe,
  numbered,
  STRIPE_VERSION,
} from './client.ts';
import { idOf } from './purchase.ts';
import { eventTypes } from './to-order.ts';

const ENDPOINTS = '/v1/webhook_endpoints';

/** A restricted key may not be allowed to read its account. Payments of tests are not those of the shop. */
export async function accountOf(shop: Shop): Promise<string | undefined> {
  try {
    const id = idOf(await findStripe(shop, '/v1/account'));
    const isTest = /^.k_test_/.test(shop.credentials['secret_key'] ?? '');
    return id === undefined ? undefined : `${id}${isTest ? ' test' : ''}`;
  } catch (error) {
    if (error instanceof ShopError && error.code === 'credentials') return undefined;
    throw error;
  }
}

export async function connect(shop: Shop): Promise<ConnectReport> {
  // Reconciling needs events, so this is what the key must be able to read.
  await listStripe(shop, '/v1/events', { limit: 1 });
  const { secret, note } = await ensureWebhook(shop);
  const steps = ['Stripe accepts the key.', note];
  return { steps, webhooksActive: true, ...(secret !== undefined && { secret }) };
}

export async function check(shop: Shop): Promise<CheckReport> {
  const { steps, ...report } = await connect(shop);
  return { ...report, notes: steps };
}

export async function disconnect(shop: Shop): Promise<void> {
  for (const endpoint of await listOwn(shop)) await remove(shop, endpoint);
}

/**
 * One webhook that is enabled and sends all events. Stripe shows its secret only when it is created, so one whose
 * secret is not known is replaced.
 */
async function ensureWebhook(shop: Shop): Promise<{ secret?: string; note: string }> {
  const [first, ...others] = await listOwn(shop);
  for (const endpoint of others) await remove(shop, endpoint);
  if (first && shop.secret === '') await remove(shop, first);
  if (!first || shop.secret === '') {
    const created = await changeStripe(shop, ENDPOINTS, {
      url: shop.receiverUrl,
      description: 'Tributary',
      api_version: STRIPE_VERSION,
      ...numbered('enabled_events', eventTypes),
    });
    return { secret: textOf(created['secret']) ?? '', note: 'Created the webhook in Stripe.' };
  }
  const events = new Set(Array.isArray(first['enabled_events']) ? first['enabled_events'] : []);
  const isWhole = events.has('*') || eventTypes.every((type) => events.has(type));
  if (first['status'] === 'enabled' && isWhole) return { note: 'The webhook is active.' };
  await changeStripe(shop, `${ENDPOINTS}/${idOf(first)}`, {
    disabled: 'false',
    ...(!isWhole && numbered('enabled_events', eventTypes)),
  });
  return { note: 'The webhook was disabled or incomplete and is active again.' };
}

async function listOwn(shop: Shop): Promise<readonly Json[]> {
  return objectsOf(await listAllStripe(shop, ENDPOINTS, {})).filter(
    ({ url }) => url === shop.receiverUrl,
  );
}

async function remove(shop: Shop, endpoint: Json): Promise<void> {
  await callStripe(shop, { method: 'DELETE', url: `${ENDPOINTS}/${idOf(endpoint)}` });
}
