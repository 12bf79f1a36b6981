import { objectsOf, textOf, type Json } from '../../mapping/payload.ts';
import { StoreError, type CheckReport, type ConnectReport, type StoreApi } from '../connector.ts';
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

/** A restricted key may not be allowed to read its account. Payments of tests are not those of the store. */
export async function accountOf(store: StoreApi): Promise<string | undefined> {
  try {
    const id = idOf(await findStripe(store, '/v1/account'));
    const isTest = /^.k_test_/.test(store.credentials['secret_key'] ?? '');
    return id === undefined ? undefined : `${id}${isTest ? ' test' : ''}`;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'credentials') return undefined;
    throw error;
  }
}

export async function connect(store: StoreApi): Promise<ConnectReport> {
  // Reconciling needs events, so this is what the key must be able to read.
  await listStripe(store, '/v1/events', { limit: 1 });
  const { secret, note } = await ensureWebhook(store);
  const steps = ['Stripe accepts the key.', note];
  return { steps, webhooksActive: true, ...(secret !== undefined && { secret }) };
}

export async function check(store: StoreApi): Promise<CheckReport> {
  const { steps, ...report } = await connect(store);
  return { ...report, notes: steps };
}

export async function disconnect(store: StoreApi): Promise<void> {
  for (const endpoint of await listOwn(store)) await remove(store, endpoint);
}

/**
 * One webhook that is enabled and sends all events. Stripe shows its secret only when it is created, so one whose
 * secret is not known is replaced.
 */
async function ensureWebhook(store: StoreApi): Promise<{ secret?: string; note: string }> {
  const [first, ...others] = await listOwn(store);
  for (const endpoint of others) await remove(store, endpoint);
  if (first && store.secret === '') await remove(store, first);
  if (!first || store.secret === '') {
    const created = await changeStripe(store, ENDPOINTS, {
      url: store.receiverUrl,
      description: 'Tributary',
      api_version: STRIPE_VERSION,
      ...numbered('enabled_events', eventTypes),
    });
    return { secret: textOf(created['secret']) ?? '', note: 'Created the webhook in Stripe.' };
  }
  const events = new Set(Array.isArray(first['enabled_events']) ? first['enabled_events'] : []);
  const isWhole = events.has('*') || eventTypes.every((type) => events.has(type));
  if (first['status'] === 'enabled' && isWhole) return { note: 'The webhook is active.' };
  await changeStripe(store, `${ENDPOINTS}/${idOf(first)}`, {
    disabled: 'false',
    ...(!isWhole && numbered('enabled_events', eventTypes)),
  });
  return { note: 'The webhook was disabled or incomplete and is active again.' };
}

async function listOwn(store: StoreApi): Promise<readonly Json[]> {
  return objectsOf(await listAllStripe(store, ENDPOINTS, {})).filter(
    ({ url }) => url === store.receiverUrl,
  );
}

async function remove(store: StoreApi, endpoint: Json): Promise<void> {
  await callStripe(store, { method: 'DELETE', url: `${ENDPOINTS}/${idOf(endpoint)}` });
}
