import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

/** Which payment of its subscription an order is, where the store does not say so. */
const STORE = '/svc/store/v1';
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const send = async (method: string, path: string, json: unknown): Promise<any> => {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
};
await send('POST', '/coupons', { code: 'MAYA10', user_id: idOf('maya') });
// Each payment earns its number.
for (const n of [2, 3, 4, 5]) {
  const order = { payment: 'renewal', payments: { from: n, to: n } };
  await send('POST', '/rewards/rules', { order, rate: { percent: n } });
}
await send('POST', '/rewards/rules', { order: { payment: 'first' }, rate: { percent: 1 } });

let lastOrder = 0;
const date = app.site.calendar.toLocal(app.site.clock());
function orderOf(subscription: object) {
  const json = { date, status: 'completed', total: 100, coupon_codes: ['MAYA10'], subscription };
  return { order_id: ++lastOrder, ...json };
}

async function paid(subscription: object): Promise<number> {
  const { order_id, ...json } = orderOf(subscription);
  return (await send('PUT', `/orders/${order_id}`, json)).referrals[0].commission;
}

test('renewals are counted from a known first payment', async () => {
  assert.equal(await paid({ id: 'A', payment: 1 }), 1);
  assert.equal(await paid({ id: 'A', renewal: true }), 2);
  assert.equal(await paid({ id: 'A', renewal: true }), 3);
  // What the store does say goes before, and is counted from.
  assert.equal(await paid({ id: 'A', payment: 4 }), 4);
  assert.equal(await paid({ id: 'A', renewal: true }), 5);
});

test('the first one that is known is never the first payment', async () => {
  assert.equal(await paid({ id: 'B', renewal: true }), 2);
  assert.equal(await paid({ id: 'B', renewal: true }), 3);
});

test('a renewal is credited like the first payment that is left, when those before are cancelled with it', async () => {
  await send('POST', '/coupons', { code: 'TOM5', user_id: idOf('tomas') });
  const begin = (code: string) => ({ ...orderOf({ id: 'D' }), coupon_codes: [code] });
  const [first, second, third] = [begin('MAYA10'), begin('TOM5'), begin('MAYA10')];
  for (const orders of [[first], [second], [third]])
    await send('POST', '/orders/batch', { orders });
  const renewed = async (cancelled: object[]) => {
    const renewal = { ...orderOf({ id: 'D', renewal: true }), coupon_codes: [] };
    const orders = [...cancelled.map((one) => ({ ...one, status: 'cancelled' })), renewal];
    const { results } = await send('POST', '/orders/batch', { orders });
    assert.ok(results.every(({ status }: { status: number }) => status < 300));
    const { body } = await app.call(`${STORE}/orders/${renewal.order_id}`, { key: admin });
    return body.referrals.map(({ user_id }: { user_id: number }) => user_id);
  };
  assert.deepEqual(await renewed([]), [idOf('maya')]);
  assert.deepEqual(await renewed([first]), [idOf('tomas')]);
  assert.deepEqual(await renewed([second]), [idOf('maya')]);
});

test('in one batch each sees those before it, and the same order again is the same payment', async () => {
  const first = orderOf({ id: 'C' });
  const orders = [first, orderOf({ id: 'C', renewal: true }), orderOf({ id: 'C', renewal: true })];
  await send('POST', '/orders/batch', { orders });
  const [, second] = orders;
  const { order_id, ...json } = { ...second!, status: 'completed', total: 200 };
  const again = await send('PUT', `/orders/${order_id}`, json);
  assert.equal(again.referrals[0].commission, 4);
  assert.equal(await paid({ id: 'C', renewal: true }), 4);
});
