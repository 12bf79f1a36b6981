import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, refusal } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp();
const { app, maya } = payouts;

const withdraw = (coupon_ids: number[], key = maya) =>
  app.call(`${STORE}/withdrawals`, { method: 'POST', key, json: { coupon_ids } });

describe('POST /withdrawals', () => {
  test('opens a payout of each coupon, with the same time and the sum of all', async () => {
    const coupons = [await payouts.coupon(84.2), await payouts.coupon(0.15)];
    const { status, body } = await withdraw(coupons);
    assert.equal(status, 201);
    assert.deepEqual([body.amount, body.currency, body.refused], [84.35, 'USD', []]);
    const opened = body.payouts.map((one: any) => [one.coupon_id, one.amount, one.status]);
    assert.deepEqual(opened, [
      [coupons[0], 84.2, 'pending'],
      [coupons[1], 0.15, 'pending'],
    ]);
    assert.equal(new Set(body.payouts.map((one: any) => one.date)).size, 1);
    assert.deepEqual(await payouts.pools(coupons[0]!), [0, 84.2, 0]);
  });

  test('names the coupons that cannot be paid out, and pays the others', async () => {
    await app.set({ 'payouts.threshold': 50 });
    const [large, small] = [await payouts.coupon(60), await payouts.coupon(40)];
    const { body } = await withdraw([small, large]);
    assert.deepEqual(
      [body.amount, body.payouts.length, body.refused[0].coupon_id, body.refused[0].code],
      [60, 1, small, 'svc_api_below_threshold'],
    );
    assert.deepEqual(await payouts.pools(small), [40, 0, 0]);
    await app.set({ 'payouts.threshold': 0 });
  });

  test('refuses with the first error and all reasons if no coupon can be paid out', async () => {
    await app.set({ 'payouts.threshold': 50 });
    const [empty, small] = [await payouts.coupon(0), await payouts.coupon(40)];
    const alone = await withdraw([small]);
    assert.equal(refusal(alone), '400 svc_api_below_threshold');
    const both = await withdraw([empty, small, await payouts.coupon(40)]);
    const first = await withdraw([empty]);
    assert.equal(refusal(both), refusal(first));
    assert.notEqual(first.body.code, alone.body.code);
    assert.equal(both.body.message, `${first.body.message} ${alone.body.message}`);
    assert.deepEqual(await payouts.pools(small), [40, 0, 0]);
    await app.set({ 'payouts.threshold': 0 });
  });

  test('returns the open payout of a coupon instead of a second one', async () => {
    const coupon = await payouts.coupon(20);
    const [first, second] = [await withdraw([coupon]), await withdraw([coupon])];
    assert.equal(second.body.payouts[0].id, first.body.payouts[0].id);
  });

  test('does nothing at all if one coupon belongs to another affiliate', async () => {
    const own = await payouts.coupon(20);
    const foreign = await payouts.coupon(20, idOf('tomas'));
    assert.equal((await withdraw([own, foreign])).status, 404);
    assert.deepEqual(await payouts.pools(own), [20, 0, 0]);
  });

  test('takes each coupon once, and at least one', async () => {
    const coupon = await payouts.coupon(20);
    assert.equal((await withdraw([coupon, coupon])).status, 400);
    assert.equal((await withdraw([])).status, 400);
  });
});
