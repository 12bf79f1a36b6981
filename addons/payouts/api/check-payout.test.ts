import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { openPayoutApp, STORE, type PayoutApp } from '../../../test/support/payouts.ts';
import { tempFile } from '../../../test/support/temp-folder.ts';

const payouts = await openPayoutApp();
const { app, admin, maya } = payouts;
const tomas = await app.key('tomas', 'read,write');

const check = (coupon: number, key = maya, on: PayoutApp = payouts) =>
  on.app.call(`${STORE}/coupons/${coupon}/payout-check`, { key });

/** Asks for a check, then for the payout: the first problem is the refusal. Returns all codes. */
async function codes(coupon: number, key = maya, on: PayoutApp = payouts): Promise<string[]> {
  const { status, body } = await check(coupon, key, on);
  assert.equal(status, 200);
  const found: string[] = body.problems.map(({ code }: { code: string }) => code);
  assert.equal(body.possible, found.length === 0);
  const requested = await on.request(coupon, key);
  if (found.length === 0) assert.equal(requested.status, 201);
  else if (found[0] === 'svc_api_in_progress') {
    const isOwn = body.open_payout_id !== null;
    assert.equal(requested.status, isOwn ? 200 : 409);
  } else
    assert.deepEqual(
      [requested.body.code, requested.body.message],
      [found[0], body.problems[0].message],
    );
  return found;
}

describe('GET /coupons/{id}/payout-check', () => {
  test('a payout that is possible', async () => {
    const coupon = await payouts.coupon(84.2);
    const { body } = await check(coupon);
    assert.deepEqual(body, {
      coupon_id: coupon,
      possible: true,
      currency: 'USD',
      amount: 84.2,
      minimum: 0,
      method_type: 'banktransfer',
      method: 'Bank transfer',
      open_payout_id: null,
      possible_from: null,
      problems: [],
    });
    assert.deepEqual(await codes(coupon), []);
  });

  test('every broken rule in one response, the first as POST /payouts responds', async () => {
    await app.set({ 'payouts.threshold': 50 });
    const coupon = await payouts.coupon(0, idOf('tomas'));
    assert.deepEqual(await codes(coupon, tomas), [
      'svc_api_no_balance',
      'svc_api_below_threshold',
      'svc_api_no_payout_details',
    ]);
    await payouts.earn(coupon, 12.34);
    const { problems } = (await check(coupon, tomas)).body;
    assert.deepEqual(problems[0].data, { minimum: 50, missing: 37.66 });

    await app.set({ 'payouts.requests_enabled': false, 'payouts.methods': ['credit'] });
    await app.set({ 'payouts.invoice_methods': ['banktransfer'] });
    const own = await payouts.coupon(12);
    assert.deepEqual(await codes(own), [
      'svc_api_requests_disabled',
      'svc_api_below_threshold',
      'svc_api_method_disabled',
      'svc_api_invoice_required',
    ]);
    assert.deepEqual(await codes(own, admin), [
      'svc_api_below_threshold',
      'svc_api_invoice_required',
    ]);
    const unassigned = await payouts.coupon(60, null);
    assert.equal((await codes(unassigned, admin))[0], 'svc_api_no_affiliate');
    await app.set({ 'payouts.enabled': false });
    assert.equal((await codes(own))[0], 'svc_api_payouts_disabled');
    await app.set({
      'payouts.enabled': true,
      'payouts.requests_enabled': true,
      'payouts.methods': ['banktransfer', 'credit'],
      'payouts.invoice_methods': [],
      'payouts.threshold': 0,
    });
  });

  test('an open payout comes first; a former affiliate’s one concerns the former affiliate only', async () => {
    const { id, coupon_id } = await payouts.payoutAt('pending');
    assert.deepEqual(await codes(coupon_id), ['svc_api_in_progress', 'svc_api_no_balance']);
    const { body } = await check(coupon_id);
    assert.deepEqual([body.open_payout_id, body.problems[0].data], [id, { payout_id: id }]);
    const json = { user_id: idOf('tomas'), move_balance: true };
    await app.call(`${STORE}/coupons/${coupon_id}`, { method: 'PATCH', key: admin, json });
    assert.equal((await codes(coupon_id, tomas))[0], 'svc_api_no_balance');
    assert.equal((await check(coupon_id, tomas)).body.open_payout_id, null);
    assert.equal((await check(coupon_id, payouts.maya)).body.open_payout_id, id);
  });

  test('a suspended affiliate reads that it is', async () => {
    const coupon = await payouts.coupon(20, idOf('tomas'));
    const path = `${STORE}/affiliates/${idOf('tomas')}`;
    await app.call(path, { method: 'PATCH', key: admin, json: { status: 'suspended' } });
    assert.deepEqual(await codes(coupon, tomas), [
      'svc_api_suspended',
      'svc_api_no_payout_details',
    ]);
    await app.call(path, { method: 'PATCH', key: admin, json: { status: 'active' } });
  });

  test('the day on which enough is released from hold', async () => {
    await app.set({ 'commission.delay_days': 10, 'payouts.threshold': 15 });
    const coupon = await payouts.coupon(6);
    const { code } = (await app.call(`/coupons/${coupon}`, { key: admin })).body;
    const date = app.site.calendar.toLocal(app.site.clock());
    const json = { date, status: 'completed', subtotal: 100, total: 100, coupon_codes: [code] };
    assert.equal((await check(coupon)).body.possible_from, null);
    await app.call(`${STORE}/orders/1`, { method: 'PUT', key: admin, json });
    const { body } = await check(coupon);
    const until = app.site.calendar.dayOf(app.site.clock() + 10 * 24 * 60 * 60_000);
    assert.deepEqual([body.amount, body.possible_from], [6, until]);
    await app.set({ 'commission.delay_days': 0, 'payouts.threshold': 0 });
  });

  test('404 for the coupon of another affiliate', async () => {
    const coupon = await payouts.coupon(20);
    assert.equal((await check(coupon, await app.key('tomas', 'read'))).status, 404);
  });

  test('the refusal of an extension, if no rule forbids the payout', async () => {
    const file = tempFile(
      'refusing.js',
      `export default { name: 'refusing', refusePayout: ({ amount }) => amount > 100 ? 'Too much.' : undefined };`,
    );
    const own = await openPayoutApp({ config: { extensions: file } });
    assert.deepEqual(await codes(await own.coupon(200), own.maya, own), ['svc_api_not_created']);
    assert.deepEqual(await codes(await own.coupon(20), own.maya, own), []);
  });
});

test('the free edition has no payout check', async () => {
  const free = await openTestApp({ config: { edition: 'free' } });
  const key = await free.key('admin', 'read');
  assert.equal((await free.call(`${STORE}/coupons/1/payout-check`, { key })).status, 404);
  assert.equal((await free.call(`${STORE}/affiliates/3/balance`, { key })).status, 200);
});
