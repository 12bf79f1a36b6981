import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { DAY, figuresOf, openStore, openWithOrders } from '../../../test/support/status-store.ts';
import { releaseHeld } from '../orders/resettle/release-held.ts';

/** After the statuses that count or grant have changed, figures follow and granted money stays. */

describe('refresh=true after orders.counted_statuses changed', () => {
  test('applies the setting to all-time figures, ranges, the affiliate and the report', async () => {
    const { store, coupon } = await openWithOrders();
    const { status_counts } = await store.get(`/coupons/${coupon}/stats`);
    for (const [counted, orders, waiting] of [
      [['on-hold', 'completed'], 2, 10],
      [['completed'], 1, 0],
      [['pending', 'processing', 'on-hold', 'completed', 'cancelled'], 5, 40],
      [['processing', 'completed'], 2, 10],
    ] as const) {
      await store.set([...counted]);
      const rebuilt = await store.refresh(coupon);
      assert.equal(rebuilt.source, 'live');
      const expected = [orders, orders * 100, orders * 10];
      assert.deepEqual(figuresOf(rebuilt), expected, counted.join());
      assert.deepEqual(rebuilt.status_counts, status_counts);
      assert.deepEqual(await store.shown(coupon), [...expected, 10, waiting]);
      assert.deepEqual(await store.shown(coupon, `?${DAY}`), [...expected, 10, waiting]);
      assert.deepEqual(await store.report(), expected);
      assert.deepEqual(await store.report(''), expected);
      const { totals } = await store.get(`/affiliates/${idOf('maya')}/stats`);
      assert.deepEqual(figuresOf(totals), expected);
      const listed = await store.get(`/coupons/${coupon}/orders?${DAY}`);
      const earned = listed.reduce((sum: number, row: any) => sum + row.commission, 0);
      assert.equal(earned, orders * 10);
    }
    await store.verify();
  });

  test('the report applies it without another request', async () => {
    const { store, coupon } = await openWithOrders();
    await store.set(['completed']);
    assert.deepEqual(await store.report(), [1, 100, 10]);
    assert.deepEqual(await store.shown(coupon), [1, 100, 10, 10, 0]);
  });

  test('granted commission stays, also of orders that no longer count', async () => {
    const { store, coupon } = await openWithOrders();
    await store.set([]);
    assert.deepEqual(figuresOf(await store.refresh(coupon)), [0, 0, 0]);
    assert.deepEqual(await store.shown(coupon), [0, 0, 0, 10, 0]);
    await store.set(['processing', 'completed']);
    await store.refresh(coupon);
    assert.deepEqual(await store.shown(coupon), [2, 200, 20, 10, 10]);
    await store.verify();
  });

  test('an order with several coupons is counted once by the report', async () => {
    const store = await openStore();
    const [ann, bob] = [await store.coupon('ANN'), await store.coupon('BOB', 'tomas')];
    const id = await store.order(['ANN', 'BOB'], 'on-hold');
    await store.order(['BOB'], 'on-hold');
    await store.set(['on-hold']);
    await store.refresh(ann);
    assert.deepEqual(await store.shown(ann), [1, 100, 10, 0, 10]);
    await store.refresh(bob);
    assert.deepEqual(await store.shown(bob), [2, 200, 20, 0, 20]);
    assert.deepEqual(await store.report(), [2, 200, 30]);
    // A coupon that was taken off does not come back with the setting.
    await store.order(['BOB'], 'on-hold', {}, id);
    await store.set(['processing']);
    await store.set(['on-hold']);
    await store.refresh(ann);
    assert.deepEqual(await store.shown(ann), [0, 0, 0, 0, 0]);
  });

  test("an affiliate's own order counts and earns nothing", async () => {
    const store = await openStore();
    const coupon = await store.coupon('ANN');
    await store.order(['ANN'], 'on-hold', { customer: { email: 'maya@test.example' } });
    await store.set(['on-hold']);
    await store.refresh(coupon);
    assert.deepEqual(await store.shown(coupon), [1, 100, 0, 0, 0]);
  });

  test('shares of the upline follow', async () => {
    const store = await openStore();
    const [above, coupon] = [await store.coupon('UP', 'tomas'), await store.coupon('ANN')];
    await store.send('PUT', `/affiliates/${idOf('maya')}/parent`, { parent_id: idOf('tomas') });
    await store.order(['ANN'], 'on-hold');
    await store.order(['ANN'], 'completed');
    const shares = async () => {
      const body = await store.get(`/coupons/${above}/stats`);
      return [body.upline_commission, body.unpaid_commission, body.pending_order_commission];
    };
    assert.deepEqual(await shares(), [5, 5, 0]);
    await store.set(['on-hold', 'completed']);
    await store.refresh(coupon);
    assert.deepEqual(await shares(), [10, 5, 5]);
    await store.set(['processing']);
    await store.refresh(coupon);
    assert.deepEqual(await shares(), [0, 5, 0]);
    await store.refresh(above);
    assert.deepEqual(await shares(), [0, 5, 0], 'a rebuild of the coupon above gives the same');
    await store.verify();
  });

  test('emits what changed: a commission that is awaiting, one that no longer is, and no grant', async () => {
    const { store, coupon } = await openWithOrders();
    const head = (await store.get('/events?per_page=1'))[0].id;
    await store.set(['on-hold', 'completed']);
    await store.refresh(coupon);
    const events = await store.get(`/events?after=${head}&per_page=100`);
    assert.deepEqual(
      // The review may open a case.
      events
        .filter(({ kind }: any) => kind !== 'case')
        .map(({ event, user_id, data }: any) => [event, user_id, data.status]),
      [
        ['settings.updated', 0, undefined],
        ['referral.reversed', 0, 'processing'],
        ['referral.updated', 0, 'on-hold'],
      ],
    );
  });
});

describe('after commission.granted_statuses changed', () => {
  test('granted commission stays, and the setting grants nothing', async () => {
    const { store, coupon } = await openWithOrders();
    await store.set(['processing', 'completed'], ['processing']);
    await store.refresh(coupon);
    await store.applyInBackground();
    assert.deepEqual(await store.shown(coupon), [2, 200, 20, 10, 10]);
    await store.verify();
  });

  test('a later refund takes back its part of a grant, and the setting takes nothing of the rest', async () => {
    const store = await openStore();
    const coupon = await store.coupon('ANN');
    const id = await store.order(['ANN'], 'completed');
    await store.set(['processing', 'completed'], ['processing']);
    await store.order(['ANN'], 'completed', { refunds: [{ id: 1, amount: 40 }] }, id);
    assert.deepEqual(await store.shown(coupon), [1, 60, 6, 6, 0]);
    // Another status is settled by the setting in force.
    await store.order(['ANN'], 'cancelled', {}, id);
    assert.deepEqual(await store.shown(coupon), [0, 0, 0, 0, 0]);
  });

  test('a held commission is still released', async () => {
    const store = await openStore();
    await store.app.set({ 'commission.delay_days': 1 });
    const coupon = await store.coupon('ANN');
    await store.order(['ANN'], 'completed');
    await store.set(['processing'], ['processing']);
    await store.refresh(coupon);
    assert.deepEqual(await store.shown(coupon), [0, 0, 0, 0, 10]);
    store.app.advance(25 * 60 * 60_000);
    await releaseHeld.run(store.app.site);
    assert.deepEqual(await store.shown(coupon), [0, 0, 0, 10, 0]);
    await store.verify();
  });
});
