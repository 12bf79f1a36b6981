import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directShop } from '../../test/direct-shop.ts';
import { delivery } from '../../test/woocommerce/recorded.ts';
import { StoreError, type MappingContext, type StoreApi } from '../connector.ts';
import { fetchOrder } from './changed-orders.ts';
import { toOrder } from './to-order.ts';

const recorded = JSON.parse(delivery('032').body.toString()) as Record<string, unknown>;
const renewal = {
  ...recorded,
  created_via: 'subscription',
  date_created_gmt: '2026-11-15T10:00:00',
  meta_data: [{ id: 1, key: '_subscription_renewal', value: '70' }],
};
const context: MappingContext = {
  canAsk: true,
  isComplete: false,
  codeParameters: ['ref'],
  settings: {},
  currency: 'USD',
};

/** A shop with the renewal and its subscription; an error for a plugin that is inactive. */
function shopWith(subscription: object | StoreError): StoreApi {
  const answer = (json: unknown) => ({ status: 200, headers: {}, json, text: '' });
  return {
    ...directShop({ url: 'https://shop.example', credentials: {}, nowMs: 0 }),
    request: ({ url }) => {
      if (!url.includes('/subscriptions/70')) return Promise.resolve(answer(renewal));
      if (subscription instanceof StoreError) return Promise.reject(subscription);
      return Promise.resolve(answer(subscription));
    },
  };
}

const subscriptionIn = (payload: unknown, change: Partial<MappingContext>) => {
  const mapped = toOrder(payload, { ...context, ...change }, 'order.updated');
  return mapped.result === 'order' ? mapped.order.subscription : mapped.result;
};

async function readWith(subscription: object | StoreError): Promise<unknown> {
  assert.equal(subscriptionIn(renewal, {}), 'ask');
  const whole = await fetchOrder(shopWith(subscription), '23');
  return subscriptionIn(whole, { isComplete: true });
}

test('the subscription is read, and says when it began', async () => {
  const subscription = { id: 70, start_date_gmt: '2025-11-16T00:00:00' };
  const started_at = '2025-11-16T00:00:00.000Z';
  assert.deepEqual(await readWith(subscription), { id: '70', renewal: true, started_at });
  // The payment at the end of a free trial is the first one.
  const trial = { ...subscription, trial_end_date_gmt: '2026-11-15T09:00:00' };
  assert.deepEqual(await readWith(trial), { id: '70', payment: 1, started_at });
  const unread = { id: '70', renewal: true };
  assert.deepEqual(await readWith(new StoreError('failed', 'No route')), unread);
  await assert.rejects(readWith(new StoreError('unreachable', 'Down')), /Down/);
  assert.deepEqual(subscriptionIn(renewal, { canAsk: false }), unread);
});

test('a renewal that does not name its subscription is one all the same', () => {
  const { id } = renewal as { id?: unknown };
  const unnamed = subscriptionIn({ ...renewal, meta_data: [] }, {});
  assert.deepEqual(unnamed, { id: String(id), renewal: true });
});
