import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/shared/durations.ts';
import { openFakeStripe } from '../../../test/gateways/fake-stripe.ts';
import { openFakeWise } from '../../../test/gateways/fake-wise.ts';
import { idOf, PASSWORD, refusal } from '../../../test/support/harness.ts';
import { bankDetails, openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { followUp } from '../payment/follow-up.ts';

const [stripe, wise] = await Promise.all([openFakeStripe(), openFakeWise()]);
after(() => Promise.all([stripe.close(), wise.close()]));

const payouts = await openPayoutApp({
  config: {
    stripeKey: stripe.key,
    stripeUrl: stripe.url,
    wiseToken: wise.token,
    wiseUrl: wise.url,
  },
  settings: {
    'payouts.auto_accept': true,
    'payouts.details_hold_hours': 0,
    'payouts.wise_profile': wise.profile,
    'payouts.methods': ['stripe', 'wise', 'banktransfer'],
  },
});
const { app, admin, maya } = payouts;

const details = { stripe: { account: 'acct_1Mayatest0000000' }, wise: { target_account: 4_711 } };
const payBy = (method: keyof typeof details) =>
  payouts.setDetails('maya', { method_type: method, details: details[method] });

async function setStatus(status: 'active' | 'suspended'): Promise<void> {
  const path = `${STORE}/affiliates/${idOf('maya')}`;
  const reply = await app.call(path, { method: 'PATCH', key: admin, json: { status } });
  assert.equal(reply.status, 200, reply.text);
}

/** Runs a test while maya is suspended. */
async function whileSuspended(look: () => Promise<void>): Promise<void> {
  await setStatus('suspended');
  try {
    await look();
  } finally {
    await setStatus('active');
  }
}

async function follow(): Promise<void> {
  app.advance(2 * MINUTE_MS);
  await followUp.run(app.site);
}

describe('a suspended affiliate', () => {
  test('may read but not change anything, with credentials issued before the suspension', async () => {
    await payBy('stripe');
    const coupon = await payouts.coupon(20);
    const basic = await app.basic('maya');
    const session = await app.signIn('maya');
    for (const credential of [{ key: maya }, { basic }, { session }]) {
      assert.equal((await app.call(`/coupons/${coupon}`, credential)).status, 200);
    }
    const path = `${STORE}/affiliates/${idOf('maya')}/payout-details`;
    await whileSuspended(async () => {
      for (const credential of [{ key: maya }, { basic }, { session }]) {
        assert.equal((await app.call(`/coupons/${coupon}`, credential)).status, 200);
        assert.equal((await app.call(path, credential)).status, 200);
        for (const reply of await Promise.all([
          app.call('/payouts', { method: 'POST', ...credential, json: { coupon_id: coupon } }),
          app.call(path, { method: 'PUT', ...credential, json: bankDetails }),
          app.call(`${STORE}/registrations`, { method: 'POST', ...credential, json: {} }),
          app.call(`/coupons/${coupon}/stats?refresh=true`, credential),
        ])) {
          assert.equal(refusal(reply), '403 svc_api_suspended');
        }
      }
      const { body } = await app.call(path, { key: maya });
      assert.equal(body.method_type, 'stripe');
    });
    assert.equal((await payouts.request(coupon, maya)).status, 201, 'active again');
  });

  test('may sign in and out', async () => {
    await whileSuspended(async () => {
      const json = { login: 'maya', password: PASSWORD };
      assert.equal((await app.call('~/session', { method: 'POST', json })).status, 201);
      const session = await app.signIn('maya');
      assert.equal((await app.call('~/session', { method: 'DELETE', session })).status, 200);
    });
  });

  test('is paid only after a review: an admin may request the payout and mark it as paid', async () => {
    await payBy('stripe');
    const coupon = await payouts.coupon(20);
    const before = stripe.requests.length;
    await whileSuspended(async () => {
      const { status, body } = await payouts.request(coupon);
      assert.deepEqual([status, body.status, body.gateway_triggered], [201, 'pending', false]);
      assert.equal((await payouts.change(body.id, 'paid')).status, 200);
    });
    assert.equal(stripe.requests.length, before);
  });

  test('is not paid by the follow-up job: a payment that was never sent fails', async () => {
    await payBy('wise');
    const before = wise.payments.length;
    const coupon = await payouts.coupon(20);
    wise.next('server-error', 'begin');
    const { body } = await payouts.request(coupon, maya);
    assert.equal(body.status, 'processing');
    await whileSuspended(follow);
    assert.equal((await payouts.get(body.id)).status, 'failed');
    assert.deepEqual(await payouts.pools(coupon), [20, 0, 0]);
    assert.equal(wise.payments.length, before);
  });

  test('a payment that may have been sent is looked up but not attempted again', async () => {
    await payBy('stripe');
    const before = stripe.payments.length;
    const coupon = await payouts.coupon(20);
    stripe.next('reset-before');
    const { body } = await payouts.request(coupon, maya);
    await whileSuspended(follow);
    assert.equal((await payouts.get(body.id)).status, 'processing');
    assert.equal(stripe.payments.length, before);
    app.advance(60 * MINUTE_MS);
    await follow();
    assert.equal((await payouts.get(body.id)).status, 'paid', 'active again');
    assert.equal(stripe.payments.length, before + 1);
  });

  test('an affiliate suspended during its request is refused in the transaction', async () => {
    await payBy('stripe');
    const coupon = await payouts.coupon(20);
    // After the caller was checked, as on an instance whose cache is not up to date.
    await app.site.database.transaction((tx) =>
      tx.execute(`update affiliates set status = 'suspended' where user_id = ${idOf('maya')}`),
    );
    assert.equal(refusal(await payouts.request(coupon, maya)), '403 svc_api_suspended');
    assert.deepEqual(await payouts.pools(coupon), [20, 0, 0]);
    await setStatus('active');
  });
});
