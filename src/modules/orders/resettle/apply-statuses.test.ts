import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../../test/support/eventually.ts';
import { openSecondProcess } from '../../../../test/support/second-process.ts';
import { openStore, openWithOrders, STORE } from '../../../../test/support/status-store.ts';
import { refreshSettings } from '../../../installation/refresh-settings.ts';
import { applyStatuses } from './apply-statuses.ts';

describe('the background job', () => {
  test('applies the new setting to all coupons without a request', async () => {
    const { store, coupon } = await openWithOrders({ jobs: 'all' });
    await store.set(['completed']);
    await eventually(async () => assert.deepEqual(await store.shown(coupon), [1, 100, 10, 10, 0]));
    const logged = () => store.app.logs.join('');
    await eventually(() => assert.match(logged(), /the figures of all orders are up to date/));
    assert.match(logged(), /order statuses changed: updating the figures/);
  });

  test('does nothing while the setting is unchanged', async () => {
    const { store, coupon } = await openWithOrders();
    const head = (await store.get('/events?per_page=1'))[0].id;
    await store.applyInBackground();
    assert.equal((await store.get('/events?per_page=1'))[0].id, head);
    assert.deepEqual(await store.shown(coupon), [2, 200, 20, 10, 10]);
    assert.doesNotMatch(store.app.logs.join(''), /order statuses changed/);
  });

  test('continues where a run stopped, and starts again with another setting', async () => {
    const store = await openStore();
    const coupon = await store.coupon('ANN');
    for (let i = 0; i < 4; i++) await store.order(['ANN'], 'on-hold');
    await store.set(['on-hold']);
    await applyStatuses.run(store.app.site);
    // As if a run had looked at the first three orders and its process had died.
    await store.app.site.database.transaction((tx) =>
      tx.execute(
        `update applied_statuses set position_order = 3, changed = 3,
           position = (select placed_at from orders where order_id = 3)`,
      ),
    );
    await applyStatuses.run(store.app.site);
    assert.deepEqual((await store.shown(coupon)).slice(0, 1), [1]);
    assert.match(store.app.logs.join(''), /"orders":4/);
    await store.set(['on-hold', 'completed']);
    await store.applyInBackground();
    assert.deepEqual(await store.shown(coupon), [4, 400, 40, 0, 40]);
    await store.verify();
  });

  test('two instances run concurrently while orders are ingested: everything is counted once', async () => {
    const store = await openStore();
    const beside = await openSecondProcess(store.app);
    const codes = ['A0', 'A1', 'A2'];
    const coupons = await Promise.all(codes.map((code) => store.coupon(code)));
    const statuses = ['on-hold', 'processing', 'completed'];
    const batch = (first: number, count: number) =>
      store.send('POST', '/orders/batch', {
        orders: Array.from({ length: count }, (_, i) => ({
          order_id: first + i,
          date: `2026-07-0${1 + (i % 5)}T10:00:00`,
          status: statuses[i % 3],
          total: 10,
          coupon_codes: [codes[i % 2]!, codes[2]!],
        })),
      });
    await batch(1_000, 600);
    await store.set(['on-hold', 'completed']);
    await refreshSettings(beside);
    await applyStatuses.run(store.app.site);
    await Promise.all([
      applyStatuses.run(store.app.site),
      applyStatuses.run(beside),
      store.refresh(coupons[0]!),
      ...Array.from({ length: 5 }, (_, i) => batch(2_000 + 30 * i, 30)),
      ...Array.from({ length: 20 }, (_, i) =>
        store.order([codes[2]!], 'on-hold', { total: 10 }, 5_000 + i),
      ),
    ]);
    // 400 + 100 of the batches, and the single ones.
    assert.deepEqual((await store.report('')).slice(0, 2), [520, 5_200]);
    const [, , all] = coupons;
    assert.deepEqual((await store.shown(all!)).slice(0, 3), [520, 5_200, 520]);
    for (const coupon of coupons) {
      const before = await store.shown(coupon);
      await store.refresh(coupon);
      assert.deepEqual(await store.shown(coupon), before, 'a rebuild gives the same');
    }
    await store.verify();
  });
});

describe('limits of a sum', () => {
  test('an order that no longer counts leaves more for later ones, and takes it when it counts again', async () => {
    const store = await openStore();
    await store.coupon('ANN');
    const limit = { amount: 15, per: 'affiliate', window: { kind: 'always' } };
    await store.send('POST', '/rewards/rules', { rate: { percent: 10 }, limit });
    const earns = async (status: string) => {
      const id = await store.order(['ANN'], status);
      return (await store.get(`${STORE}/orders/${id}`)).referrals[0].commission;
    };
    assert.equal(await earns('processing'), 10);
    await store.set(['completed']);
    await store.applyInBackground();
    assert.equal(await earns('completed'), 10);
    assert.equal(await earns('completed'), 5);
    await store.set(['processing', 'completed']);
    await store.applyInBackground();
    // 10 + 10 + 5: each keeps what was decided when it came in.
    assert.equal(await earns('completed'), 0);
    await store.verify();
  });

  test('an order that did not count when it came in uses the limit as soon as it does', async () => {
    const store = await openStore();
    await store.coupon('ANN');
    const limit = { amount: 15, per: 'affiliate', window: { kind: 'always' } };
    await store.send('POST', '/rewards/rules', { rate: { percent: 10 }, limit });
    const first = await store.order(['ANN'], 'on-hold');
    await store.set(['on-hold', 'completed']);
    await store.applyInBackground();
    const commissionOf = async (id: number) =>
      (await store.get(`${STORE}/orders/${id}`)).referrals[0].commission;
    assert.equal(await commissionOf(first), 10);
    assert.equal(await commissionOf(await store.order(['ANN'], 'completed')), 5);
    await store.verify();
  });
});
