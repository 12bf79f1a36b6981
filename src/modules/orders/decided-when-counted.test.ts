import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { ann, byMaya, byTomas, DAY_MS, openStore } from '../../../test/support/two-affiliates.ts';
import { decideWaiting } from './resettle/decide-history.ts';

/** Until an order counts, everything about it is an estimate; when it first counts, it is decided, once. */
describe('renewals', () => {
  const subscription = (more: object = {}) => ({ subscription: { id: 'S', ...more } });

  test('are credited where the first payment is known to be one only later', async () => {
    const { put, earned, verify } = await openStore({ 'commission.renewals': 'always' });
    await put(11, { ...byMaya, status: 'pending' });
    await put(11, byMaya);
    await put(11, { ...byMaya, ...subscription({ payment: 1 }) });
    await put(12, subscription({ renewal: true }));
    assert.deepEqual(await earned(12), [['maya', 10, 'coupon']]);
    await verify();
  });

  test('that came before their first payment are credited with it, and keep what they had', async () => {
    const { put, earned, send, date, app } = await openStore({ 'commission.renewals': 'always' });
    const at = (days: number) => app.site.calendar.toLocal(Date.parse(`${date}Z`) - days * DAY_MS);
    await put(3, { date: at(10), ...subscription({ renewal: true }) });
    assert.deepEqual(await earned(3), []);
    await put(2, { date: at(5), ...byTomas, ...subscription({ renewal: true }) });
    await put(1, { date: at(30), ...byMaya, ...subscription({ payment: 1 }) });
    assert.deepEqual(await earned(1), [['maya', 10, 'coupon']]);
    assert.deepEqual(await earned(2), [['tomas', 10, 'coupon']]);
    assert.deepEqual(await earned(3), [['maya', 10, 'coupon']]);
    const { referrals } = await send('GET', '/orders/3/commission');
    assert.equal(referrals[0].credited_by, 'subscription');
  });

  test('are numbered by time, whatever the order in which a batch has them', async () => {
    const { send, earned, app, date, order } = await openStore();
    await send('POST', '/rewards/rules', { rate: { percent: 10 }, limit: { payments: 12 } });
    const count = 40;
    const orders = Array.from({ length: count }, (_, i) =>
      order({
        order_id: i + 1,
        date: app.site.calendar.toLocal(Date.parse(`${date}Z`) - (count - i) * DAY_MS),
        ...(i === 0 && byMaya),
        ...subscription(),
      }),
    );
    await send('POST', '/orders/batch', { orders: orders.toReversed() });
    for (let id = 1; id <= count; id++) {
      assert.deepEqual(await earned(id), [['maya', id <= 12 ? 10 : 0, 'coupon']], `order ${id}`);
    }
  });

  test('of more than fifty are credited by the job', async () => {
    const { put, send, earned, order, app, date } = await openStore({
      'commission.renewals': 'always',
    });
    const orders = Array.from({ length: 60 }, (_, i) =>
      order({ order_id: 100 + i, ...subscription({ renewal: true }) }),
    );
    await send('POST', '/orders/batch', { orders });
    const before = app.site.calendar.toLocal(Date.parse(`${date}Z`) - DAY_MS);
    await put(1, { date: before, ...byMaya, ...subscription({ payment: 1 }) });
    assert.deepEqual(await earned(159), []);
    app.advance(DAY_MS);
    await decideWaiting.run(app.site);
    for (const id of [100, 130, 159]) {
      assert.deepEqual(await earned(id), [['maya', 10, 'coupon']]);
    }
  });
});

describe('customers who stay', () => {
  const lifetime = { 'attribution.lifetime': true };

  test('are not credited for orders from before they were brought', async () => {
    const { put, earned } = await openStore(lifetime);
    await put(21, { ...byMaya, ...ann });
    await put(22, { ...ann, date: '2024-02-03T10:00:00', total: 5_000 });
    assert.deepEqual(await earned(22), []);
    await put(23, ann);
    assert.deepEqual(await earned(23), [['maya', 10, 'lifetime']]);
  });

  test('belong to the affiliate of the earliest order, also if that is learned later', async () => {
    const { app, key, put, earned } = await openStore(lifetime);
    await put(1, { ...byMaya, ...ann });
    await put(2, { ...byTomas, ...ann, date: '2024-02-03T10:00:00' });
    await put(3, ann);
    assert.deepEqual(await earned(3), [['tomas', 10, 'lifetime']]);
    assert.deepEqual(await earned(1), [['maya', 10, 'coupon']]);
    const { body } = await app.call('/events?event=customer.affiliate_changed', { key });
    assert.deepEqual([body[0].data.user_id, body[0].data.order_id], [idOf('tomas'), 2]);
  });

  test('pay one affiliate: the code of the version that counts decides alone', async () => {
    const { put, earned, unpaid, maya } = await openStore(lifetime);
    await put(1, { ...byMaya, ...ann });
    await put(2, { ...ann, status: 'pending' });
    assert.deepEqual(await earned(2), [['maya', 0, 'lifetime']]);
    await put(2, { ...ann, ...byTomas });
    assert.deepEqual(await earned(2), [['tomas', 10, 'coupon']]);
    assert.equal(await unpaid(maya), 10);
  });
});

describe('an unpaid version leaves nothing behind', () => {
  test('a code that is taken off again does not block the link', async () => {
    const { put, earned, verify } = await openStore();
    const link = { referral_code: 'TOM5' };
    await put(1, { ...byMaya, ...link, status: 'pending' });
    assert.deepEqual(await earned(1), [['maya', 0, 'coupon']]);
    await put(1, { ...link, status: 'pending' });
    assert.deepEqual(await earned(1), [['tomas', 0, 'link']]);
    await put(1, link);
    assert.deepEqual(await earned(1), [['tomas', 10, 'link']]);
    await verify();
  });

  test('an own address that is corrected does not void the order', async () => {
    const { app, put, earned } = await openStore();
    const key = await app.key('admin', 'read');
    const { email } = (await app.call(`/affiliates/${idOf('maya')}`, { key })).body.user;
    await put(1, { ...byMaya, customer: { email }, status: 'pending' });
    await put(1, { ...byMaya, ...ann });
    assert.deepEqual(await earned(1), [['maya', 10, 'coupon']]);
    await put(2, { ...byMaya, customer: { email } });
    assert.deepEqual(await earned(2), [['maya', 0, 'coupon']]);
  });

  test('an abandoned checkout does not take the first order of its customer', async () => {
    const { send, put, earned } = await openStore();
    await send('POST', '/rewards/rules', { order: { customer: 'first' }, rate: { percent: 50 } });
    await put(11, { ...byMaya, ...ann, status: 'pending' });
    await put(12, { ...byMaya, ...ann, status: 'pending' });
    await put(11, { ...byMaya, ...ann, status: 'cancelled' });
    await put(12, { ...byMaya, ...ann });
    assert.deepEqual(await earned(12), [['maya', 50, 'coupon']]);
    await put(13, { ...byMaya, ...ann });
    assert.deepEqual(await earned(13), [['maya', 10, 'coupon']]);
  });
});

describe('a limit of a sum', () => {
  const limit = { amount: 15, per: 'affiliate', window: { kind: 'month' } };

  async function openLimited() {
    const store = await openStore();
    await store.send('POST', '/rewards/rules', { rate: { percent: 10 }, limit });
    return store;
  }

  test('holds for orders that are unpaid first', async () => {
    const { put, unpaid, maya, verify } = await openLimited();
    for (let id = 1; id <= 5; id++) await put(id, { ...byMaya, status: 'pending' });
    for (let id = 1; id <= 5; id++) await put(id, byMaya);
    assert.equal(await unpaid(maya), 15);
    await verify();
  });

  test('holds for twenty orders at once', async () => {
    const { put, unpaid, maya, verify } = await openLimited();
    const ids = Array.from({ length: 20 }, (_, i) => i + 1);
    await Promise.all(ids.map((id) => put(id, byMaya)));
    assert.equal(await unpaid(maya), 15);
    await verify();
  });

  test('has what an order no longer earns, and is read again when one counts again', async () => {
    const { put, earned } = await openLimited();
    await put(1, byMaya);
    await put(2, byMaya);
    await put(1, { ...byMaya, refunds: [{ id: 1, amount: 50 }] });
    await put(3, byMaya);
    assert.deepEqual(
      [await earned(2), await earned(3)],
      [[['maya', 5, 'coupon']], [['maya', 5, 'coupon']]],
    );
    await put(2, { ...byMaya, status: 'cancelled' });
    await put(4, byMaya);
    assert.deepEqual(await earned(4), [['maya', 5, 'coupon']]);
    await put(2, byMaya);
    assert.deepEqual(await earned(2), [['maya', 0, 'coupon']], 'others have it');
  });
});

test('steps count neither own orders nor those that stopped counting', async () => {
  const { app, send, put, earned, key } = await openStore();
  const window = { kind: 'month' };
  const steps = [
    { from: 0, percent: 10 },
    { from: 1_000, percent: 20 },
  ];
  const rate = { steps: { by: 'sales', counts: 'counted', window, steps } };
  await send('POST', '/rewards/rules', { rate });
  const { email } = (await app.call(`/affiliates/${idOf('tomas')}`, { key })).body.user;
  await put(1, { ...byTomas, total: 1_000, customer: { email } });
  await put(2, byTomas);
  assert.deepEqual(await earned(2), [['tomas', 10, 'coupon']]);
  await put(3, { ...byTomas, total: 1_000, status: 'processing' });
  await put(4, byTomas);
  assert.deepEqual(await earned(4), [['tomas', 20, 'coupon']]);
  await put(3, { ...byTomas, total: 1_000, status: 'failed' });
  await put(5, byTomas);
  assert.deepEqual(await earned(5), [['tomas', 10, 'coupon']]);
});

test('a coupon that changed hands credits who had it when the order was placed', async () => {
  const { app, send, put, earned, maya, date } = await openStore();
  app.advance(2 * DAY_MS);
  await send('PATCH', `/coupons/${maya.id}`, { user_id: idOf('tomas'), move_balance: false });
  await put(1, byMaya);
  assert.deepEqual(await earned(1), [['maya', 10, 'coupon']]);
  const later = app.site.calendar.toLocal(Date.parse(`${date}Z`) + 3 * DAY_MS);
  await put(2, { ...byMaya, date: later });
  assert.deepEqual(await earned(2), [['tomas', 10, 'coupon']]);
});
