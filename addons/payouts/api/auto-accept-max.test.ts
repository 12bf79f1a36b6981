import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { idOf } from '../../../test/support/harness.ts';
import { openPayoutApp, type PayoutApp } from '../../../test/support/payouts.ts';
import { tempFile } from '../../../test/support/temp-folder.ts';

/** A gateway that pays what its destination allows. */
const extensions = tempFile(
  'gateway.mjs',
  `export default { name: 'gateway', gateways: [{ method_type: 'till', label: 'Till',
    pay: async ({ details, payout_id }) => details.closed
      ? { status: 'failed', code: 'account_closed', reason: 'The account is closed.' }
      : { status: 'paid', transaction_id: 'T-' + payout_id },
    ask: async () => ({ status: 'unknown' }),
  }] };`,
);

async function open(): Promise<PayoutApp> {
  const payouts = await openPayoutApp({
    config: { extensions },
    settings: {
      'site.timezone': 'Asia/Tokyo',
      'payouts.auto_accept': true,
      'payouts.auto_accept_max': 200,
      'payouts.details_hold_hours': 0,
    },
  });
  for (const login of ['maya', 'tomas']) await pays(payouts, login);
  const { app } = payouts;
  // Noon in Tokyo, so that a few minutes do not end the day.
  app.advance(DAY_MS - ((app.site.clock() + 9 * 3_600_000 - DAY_MS / 2) % DAY_MS));
  return payouts;
}

async function pays(payouts: PayoutApp, login: string, closed = false): Promise<void> {
  const json = { method_type: 'till', details: closed ? { closed } : { open: true } };
  const reply = await payouts.setDetails(login, json);
  assert.equal(reply.status, 200, reply.text);
}

describe('payouts.auto_accept_max', () => {
  test('holds for the sum of an affiliate and day, to the cent', async () => {
    const payouts = await open();
    const request = async (amount: number, login = 'maya') =>
      (await payouts.request(await payouts.coupon(amount, idOf(login)))).body.status;
    assert.equal(await request(200.01), 'pending');
    assert.equal(await request(120), 'paid');
    assert.equal(await request(80.01), 'pending');
    assert.equal(await request(80), 'paid');
    assert.equal(await request(0.01), 'pending');
    assert.equal(await request(200, 'tomas'), 'paid', 'each affiliate has a sum');
    // The day ends at midnight in the time zone of the store.
    payouts.app.advance(DAY_MS / 2 - 60_000);
    assert.equal(await request(0.01), 'pending');
    payouts.app.advance(120_000);
    assert.equal(await request(200), 'paid');
    assert.equal(await request(0.01), 'pending');
    await payouts.assertClean();
  });

  test('a payout that failed does not count; one that an administrator cancels does', async () => {
    const payouts = await open();
    const request = async (amount: number) =>
      (await payouts.request(await payouts.coupon(amount))).body;
    await pays(payouts, 'maya', true);
    assert.equal((await request(150)).status, 'failed');
    await pays(payouts, 'maya');
    const paid = await request(150);
    assert.equal(paid.status, 'paid');
    assert.equal((await payouts.change(paid.id, 'cancel')).status, 200);
    assert.equal((await request(150)).status, 'pending');
  });

  test('what an administrator accepts does not count', async () => {
    const payouts = await open();
    const { body } = await payouts.request(await payouts.coupon(500));
    assert.equal((await payouts.change(body.id, 'paid')).status, 200);
    assert.equal((await payouts.request(await payouts.coupon(200))).body.status, 'paid');
  });

  test('requests for many coupons at the same time do not exceed it', async () => {
    const payouts = await open();
    const coupons = [];
    for (let i = 0; i < 12; i++) coupons.push(await payouts.coupon(60));
    const replies = await Promise.all(coupons.map((coupon) => payouts.request(coupon)));
    const statuses = replies.map(({ body }) => body.status).sort();
    const paid = Array<string>(3).fill('paid');
    assert.deepEqual(statuses, [...paid, ...Array<string>(9).fill('pending')]);
    await payouts.assertClean();
  });
});
