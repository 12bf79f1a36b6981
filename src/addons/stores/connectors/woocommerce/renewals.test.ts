import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directShop } from '../../../../../test/stores/direct-shop.ts';
import { delivery } from '../../../../../test/stores/woocommerce/recorded.ts';
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
const contextOf = (renewals: string): MappingContext => ({
  canAsk: true,
  isComplete: false,
  codeParameters: ['ref'],
  settings: { renewals },
  currency: 'USD',
});

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

async function resultOf(rule: string, subscription: object | StoreError): Promise<string> {
  const context = contextOf(rule);
  assert.equal(toOrder(renewal, context, 'order.updated').result, 'ask');
  const whole = await fetchOrder(shopWith(subscription), '23');
  return toOrder(whole, { ...context, isComplete: true }, 'order.updated').result;
}

test('the subscription is read, and says whether a renewal earns', async () => {
  const since = (start_date_gmt: string, more: object = {}) => ({
    id: 70,
    start_date_gmt,
    ...more,
  });
  assert.equal(await resultOf('12', since('2025-11-16T00:00:00')), 'order');
  assert.equal(await resultOf('12', since('2025-11-15T00:00:00')), 'ignored');
  assert.equal(await resultOf('once', since('2026-10-15T00:00:00')), 'ignored');
  // The payment at the end of a free trial is the first one.
  const trial = since('2026-10-15T00:00:00', { trial_end_date_gmt: '2026-11-15T09:00:00' });
  assert.equal(await resultOf('once', trial), 'order');
  assert.equal(await resultOf('12', new StoreError('failed', 'No route')), 'ignored');
  await assert.rejects(resultOf('12', new StoreError('unreachable', 'Down')), /Down/);
  assert.equal(await resultOf('always', since('2020-10-15T00:00:00')), 'order');
  const receiving = { ...contextOf('always'), canAsk: false };
  assert.equal(toOrder(renewal, receiving, 'order.updated').result, 'order');
});
