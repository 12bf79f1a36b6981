import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STORE } from '../../../../test/support/payouts.ts';
import { StoreApp, type ConnectedStore } from '../../test/store-app.ts';
import { delivery } from '../../test/woocommerce/recorded.ts';
import { signatureOf } from './verify.ts';

const stores = await StoreApp.open();
await stores.coupon('ADA10');
const shop = await stores.connect({ kind: 'woocommerce', url: 'https://shop.example' });
let version = 0;

const recorded = (position: string): Record<string, any> =>
  JSON.parse(delivery(position).body.toString()) as Record<string, any>;

async function deliver(store: ConnectedStore, order: Record<string, any>): Promise<void> {
  version += 1;
  const time = new Date(Date.UTC(2026, 10, 20, 10, 0, version)).toISOString().slice(0, 19);
  const body = Buffer.from(JSON.stringify({ ...order, date_modified_gmt: time }));
  const reply = await stores.app.call(store.receiver, {
    method: 'POST',
    json: body.toString(),
    headers: {
      'x-wc-webhook-topic': 'order.updated',
      'x-wc-webhook-signature': signatureOf(body, store.secret),
    },
  });
  assert.equal(reply.status, 200, reply.text);
  await stores.process();
}

const earnedBy = async (orderId: number): Promise<number[]> =>
  (await stores.order(orderId)).referrals.map((referral: any) => referral.commission);

const refund = (id: number, total: string, total_tax: string) => ({
  id,
  reason: '',
  total: `-${total}`,
  total_tax: `-${total_tax}`,
});

describe('a connection that only receives', () => {
  test('takes back the share of the order that was paid back, tax included', async () => {
    // 90.91 with tax and shipping, of which the products are 78.07.
    const order = { ...recorded('064'), id: 501, status: 'completed', refunds: [] };
    await deliver(shop, order);
    assert.deepEqual(await earnedBy(501), [7.81]);
    const parts = [
      refund(1, '30.30', '2.31'),
      refund(2, '15.15', '1.16'),
      refund(3, '45.46', '3.47'),
    ];
    await deliver(shop, { ...order, refunds: parts.slice(0, 2) });
    // 7.807 × 45.46 ÷ 90.91, the half.
    assert.deepEqual(await earnedBy(501), [3.9]);
    await deliver(shop, { ...order, refunds: parts });
    assert.deepEqual(await earnedBy(501), [0]);
  });

  test('counts a fee below zero as a discount', async () => {
    await deliver(shop, { ...recorded('049'), id: 502, status: 'completed' });
    assert.deepEqual(await earnedBy(502), [3.2]);
  });

  test('of prices that include tax, counts the products without it', async () => {
    await deliver(shop, { ...recorded('043'), id: 503, status: 'completed' });
    await deliver(shop, { ...recorded('047'), id: 504, status: 'completed' });
    // 15.22 + 19.43, and 16.63 with the tax of another country.
    assert.deepEqual([await earnedBy(503), await earnedBy(504)], [[3.47], [1.66]]);
    const half = { ...recorded('047'), id: 504, refunds: [refund(4, '12.20', '0.93')] };
    await deliver(shop, { ...half, status: 'completed' });
    // 1.663 × 12.19 ÷ 24.39.
    assert.deepEqual(await earnedBy(504), [0.83]);
  });
});

describe('an order of WooCommerce Subscriptions', () => {
  const renewal = (id: number, subscription = '70'): Record<string, any> => ({
    ...recorded('032'),
    id,
    status: 'completed',
    created_via: 'subscription',
    meta_data: [{ id: 1, key: '_subscription_renewal', value: subscription }],
    coupon_lines: [{ id: 1, code: 'ada10' }],
  });
  const set = (value: string) => stores.app.set({ 'commission.renewals': value });
  const isStored = async (id: number) =>
    (await stores.app.call(`${STORE}/orders/${id}`, { key: stores.key })).status === 200;

  test('that renews one earns if the setting says so', async () => {
    await deliver(shop, renewal(601));
    assert.deepEqual(await earnedBy(601), [0]);
    await set('always');
    await deliver(shop, renewal(603, '71'));
    const [earned] = await earnedBy(603);
    assert.ok(earned! > 0);
    // When the subscription began cannot be asked: the months count from the first payment that is known.
    await set('12');
    await deliver(shop, renewal(602, '72'));
    assert.deepEqual(await earnedBy(602), [earned]);
  });

  test('that has earned follows its refunds, whatever the setting says now', async () => {
    await set('once');
    const order = renewal(603, '71');
    await deliver(shop, {
      ...order,
      status: 'refunded',
      refunds: [refund(9, order['total'], '0')],
    });
    assert.deepEqual(await earnedBy(603), [0]);
  });

  test('that begins one, or switches it, is an order like any other', async () => {
    await deliver(shop, { ...renewal(604), created_via: 'checkout', meta_data: [] });
    const key = '_subscription_switch';
    const meta_data = [{ id: 1, key, value: '70' }];
    await deliver(shop, { ...renewal(605), created_via: 'checkout', meta_data });
    assert.deepEqual([await isStored(604), await isStored(605)], [true, true]);
  });
});
