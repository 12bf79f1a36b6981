import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { releaseHeld } from '../orders/resettle/release-held.ts';

const payouts = await openPayoutApp({ config: { timezone: 'Europe/Berlin' } });
const { app, admin, maya } = payouts;
let orders = 1000;

async function order(code: string, status: string, more: object = {}): Promise<number> {
  const id = ++orders;
  const json = { status, subtotal: 100, total: 100, coupon_codes: [code], ...more };
  const path = `${STORE}/orders/${id}`;
  const date = app.site.calendar.toLocal(app.site.clock());
  const reply = await app.call(path, { method: 'PUT', key: admin, json: { date, ...json } });
  assert.equal(reply.status, 201, reply.text);
  return id;
}

async function codeOf(coupon: number): Promise<string> {
  return (await app.call(`/coupons/${coupon}`, { key: admin })).body.code;
}

const balanceOf = (login: string, key = admin) =>
  app.call(`${STORE}/affiliates/${idOf(login)}/balance`, { key });

describe('GET /affiliates/{id}/balance', () => {
  test('adds up over coupons with money in every place', async () => {
    await app.set({ 'commission.delay_days': 14 });
    const held = await payouts.coupon(0);
    await order(await codeOf(held), 'completed');
    await order(await codeOf(held), 'processing');
    const { coupon_id: paidOnce } = await payouts.payoutAt('paid', 50);
    await payouts.earn(paidOnce, -30);
    await payouts.payoutAt('created', 20);
    await payouts.coupon(7.5);

    const { status, body } = await balanceOf('maya', maya);
    assert.equal(status, 200);
    const until = app.site.calendar.dayOf(app.site.clock() + 14 * DAY_MS);
    const { coupons, ...sums } = body;
    assert.deepEqual(sums, {
      user_id: idOf('maya'),
      currency: 'USD',
      earned: 57.5,
      on_hold: 10,
      available: 7.5,
      on_its_way: 20,
      paid: 50,
      taken_back: 30,
      awaiting: 10,
      in_review: 0,
      holds: [{ until, amount: 10 }],
    });
    assert.deepEqual(
      coupons.map((coupon: any) => [coupon.earned, coupon.available, coupon.taken_back]),
      [
        [10, 0, 0],
        [20, 0, 30],
        [20, 0, 0],
        [7.5, 7.5, 0],
      ],
    );

    app.advance(14 * DAY_MS);
    await releaseHeld.run(app.site);
    const later = (await balanceOf('maya')).body;
    assert.deepEqual(
      [later.earned, later.on_hold, later.available, later.awaiting, later.holds],
      [57.5, 0, 17.5, 10, []],
    );
  });

  test('a share of another affiliate’s order is on hold with the order', async () => {
    await app.set({ 'commission.delay_days': 3 });
    await payouts.coupon(0, idOf('tomas'));
    const parent = { parent_id: idOf('tomas') };
    const path = `${STORE}/affiliates/${idOf('maya')}/parent`;
    assert.equal((await app.call(path, { method: 'PUT', key: admin, json: parent })).status, 200);
    await order(await codeOf(await payouts.coupon(0)), 'completed');
    const { body } = await balanceOf('tomas');
    assert.deepEqual([body.earned, body.on_hold, body.awaiting], [5, 5, 0]);
    assert.equal(body.holds.length, 1);
    app.advance(3 * DAY_MS);
    await releaseHeld.run(app.site);
    const later = (await balanceOf('tomas')).body;
    assert.deepEqual([later.earned, later.on_hold, later.available], [5, 0, 5]);
  });

  test('404 for anyone but admins and the affiliate', async () => {
    const tomas = await app.key('tomas', 'read');
    assert.equal((await balanceOf('maya', tomas)).status, 404);
    assert.equal((await balanceOf('carla')).status, 404);
  });
});
