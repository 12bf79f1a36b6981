import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { MINUTE_MS, DAY_MS } from '../../../src/shared/durations.ts';
import { openFakePayPal } from '../../../test/gateways/fake-paypal.ts';
import { openFakeStripe } from '../../../test/gateways/fake-stripe.ts';
import { openFakeWise } from '../../../test/gateways/fake-wise.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { refusal } from '../../../test/support/harness.ts';
import { openPayoutApp } from '../../../test/support/payouts.ts';
import { tempFile } from '../../../test/support/temp-folder.ts';
import { followUp } from '../payment/follow-up.ts';

const [stripe, paypal, wise] = await Promise.all([
  openFakeStripe(),
  openFakePayPal(),
  openFakeWise(),
]);
after(() => Promise.all([stripe.close(), paypal.close(), wise.close()]));

const payouts = await openPayoutApp({
  config: {
    stripeKey: stripe.key,
    stripeUrl: stripe.url,
    paypalClientId: paypal.clientId,
    paypalSecret: paypal.secret,
    paypalUrl: paypal.url,
    wiseToken: wise.token,
    wiseUrl: wise.url,
  },
  settings: {
    'payouts.auto_accept': true,
    'payouts.details_hold_hours': 0,
    'payouts.wise_profile': wise.profile,
    'payouts.methods': ['banktransfer', 'credit', 'stripe', 'paypal', 'wise'],
  },
});
const { app } = payouts;

const destinations = {
  stripe: { account: 'acct_1Mayatest0000000' },
  paypal: { email: 'maya@pay.example' },
  wise: { target_account: 4_711 },
  credit: {},
  banktransfer: { account_holder: 'Maya O.', iban: 'DE89370400440532013000' },
};

async function payBy(method: keyof typeof destinations) {
  const json = { method_type: method, details: destinations[method] };
  const reply = await payouts.setDetails('maya', json);
  assert.equal(reply.status, 200, reply.text);
}

/** Requests a payout of this amount and returns its events. */
async function pay(method: keyof typeof destinations, amount = 50) {
  await payBy(method);
  const head = await feedHead(app.site);
  const coupon = await payouts.coupon(amount);
  const reply = await payouts.request(coupon);
  const events = (await payouts.events(head)).map(({ event }) => event);
  return { ...reply, coupon, events };
}

/** Runs the follow-up job as if it were due. */
async function follow(afterMs: number) {
  app.advance(afterMs);
  await followUp.run(app.site);
}

describe('auto-accept', () => {
  test('store credit: paid immediately', async () => {
    const { status, body, coupon, events } = await pay('credit');
    assert.equal(status, 201);
    assert.deepEqual([body.status, body.gateway_triggered], ['paid', true]);
    assert.equal(body.transaction_id, `credit-${body.id}`);
    assert.notEqual(body.date_paid, null);
    assert.deepEqual(events, ['payout.requested', 'payout.paid']);
    assert.deepEqual(await payouts.pools(coupon), [0, 0, 50]);
  });

  test('Stripe: paid, with the transfer as its transaction', async () => {
    const { body, coupon } = await pay('stripe', 12.34);
    assert.deepEqual([body.status, body.gateway_triggered], ['paid', true]);
    const payment = stripe.payments.at(-1)!;
    assert.equal(body.transaction_id, payment.id);
    assert.equal(payment.amount, 1234);
    assert.equal(payment.destination, destinations.stripe.account);
    assert.deepEqual(await payouts.pools(coupon), [0, 0, 12.34]);
  });

  test('PayPal: created first, paid when PayPal reports success', async () => {
    const { body, coupon, events } = await pay('paypal');
    assert.deepEqual([body.status, body.gateway_triggered], ['created', true]);
    assert.deepEqual(events, ['payout.requested', 'payout.created']);
    assert.deepEqual(await payouts.pools(coupon), [0, 50, 0]);
    await follow(5 * MINUTE_MS);
    assert.equal((await payouts.get(body.id)).status, 'created');
    paypal.settle(body.transaction_id, 'SUCCESS');
    await follow(15 * MINUTE_MS);
    assert.equal((await payouts.get(body.id)).status, 'paid');
    assert.deepEqual(await payouts.pools(coupon), [0, 0, 50]);
  });

  test('Wise: created, funded by hand, paid when Wise has sent it', async () => {
    const { body } = await pay('wise');
    assert.deepEqual([body.status, body.gateway_triggered], ['created', true]);
    wise.settle(body.transaction_id, 'outgoing_payment_sent');
    await follow(5 * MINUTE_MS);
    assert.equal((await payouts.get(body.id)).status, 'paid');
  });

  test('a bank transfer is always paid by hand', async () => {
    const { body } = await pay('banktransfer');
    assert.deepEqual([body.status, body.gateway_triggered], ['pending', false]);
  });

  test("an affiliate's first payout needs a review if the setting says so", async () => {
    const own = await openPayoutApp({
      settings: {
        'payouts.auto_accept': true,
        'payouts.first_by_hand': true,
        'payouts.details_hold_hours': 0,
      },
    });
    await own.setDetails('maya', { method_type: 'credit', details: {} });
    const first = (await own.request(await own.coupon(10))).body;
    assert.equal(first.status, 'pending');
    assert.equal((await own.request(await own.coupon(10))).body.status, 'pending');
    await own.change(first.id, 'paid');
    assert.equal((await own.request(await own.coupon(10))).body.status, 'paid');
  });

  test('not within the hold time after a change of details', async () => {
    const own = await openPayoutApp({
      settings: { 'payouts.auto_accept': true },
    });
    await own.setDetails('maya', { method_type: 'credit', details: {} });
    const request = async (key?: string) =>
      (await own.request(await own.coupon(10), key)).body.status;
    for (const key of [own.admin, own.maya]) assert.equal(await request(key), 'pending');
    own.app.advance(DAY_MS - MINUTE_MS);
    assert.equal(await request(own.maya), 'pending');
    own.app.advance(2 * MINUTE_MS);
    assert.equal(await request(own.maya), 'paid');
    await own.setDetails('maya', {
      method_type: 'banktransfer',
      details: destinations.banktransfer,
    });
    await own.setDetails('maya', { method_type: 'credit', details: {} });
    assert.equal(await request(own.maya), 'pending');
    await own.app.set({ 'payouts.details_hold_hours': 0 });
    assert.equal(await request(own.maya), 'paid');
    // An instance whose clock is behind that of the one that saved the details.
    own.app.advance(-5);
    assert.equal(await request(own.maya), 'paid');
  });

  test('off: no gateway is called', async () => {
    await app.set({ 'payouts.auto_accept': false });
    const before = stripe.requests.length;
    assert.equal((await pay('stripe')).body.status, 'pending');
    assert.equal(stripe.requests.length, before);
    await app.set({ 'payouts.auto_accept': true });
  });

  test('a status changed by hand calls no gateway', async () => {
    const { body } = await pay('paypal');
    const about = () => paypal.requests.filter((path) => path.includes(body.transaction_id));
    for (const status of ['pending', 'paid', 'cancel', 'created']) {
      assert.equal((await payouts.change(body.id, status)).status, 200);
    }
    await follow(DAY_MS);
    assert.deepEqual(about(), [], 'nor is it asked any more');
  });
});

describe('a gateway that refuses', () => {
  test('the payout fails immediately, with the reason, and the amount is unpaid again', async () => {
    stripe.next('decline');
    const { status, body, coupon, events } = await pay('stripe');
    assert.equal(status, 201);
    assert.deepEqual([body.status, body.gateway_triggered], ['failed', true]);
    assert.ok(body.gateway_notice);
    assert.deepEqual(events, ['payout.requested', 'payout.failed']);
    assert.deepEqual(await payouts.pools(coupon), [50, 0, 0]);
    assert.equal((await payouts.request(coupon)).body.status, 'paid', 'the next try may work');
  });

  test('a gateway that cannot be asked: a created payout gets a failure reason, a paid one does not', async () => {
    const paid = await pay('stripe');
    const onItsWay = await pay('wise');
    for (const service of [stripe, wise]) service.goAway(true);
    await follow(DAY_MS + MINUTE_MS);
    for (const service of [stripe, wise]) service.goAway(false);
    const [one, two] = [await payouts.get(paid.body.id), await payouts.get(onItsWay.body.id)];
    assert.deepEqual([one.status, one.failure_reason], ['paid', null]);
    assert.deepEqual([two.status, two.failure_reason.code], ['created', 'unreachable']);
  });

  test('late: a created or paid payout fails, with a ledger line and an event', async () => {
    const onItsWay = await pay('paypal');
    paypal.settle(onItsWay.body.transaction_id, 'RETURNED');
    const paid = await pay('stripe');
    stripe.reverse(paid.body.transaction_id);
    const head = await feedHead(app.site);
    await follow(DAY_MS + MINUTE_MS);
    for (const { body, coupon } of [onItsWay, paid]) {
      const now = await payouts.get(body.id);
      assert.deepEqual([now.status, now.date_paid], ['failed', null]);
      assert.deepEqual(await payouts.pools(coupon), [50, 0, 0]);
      const ledger = await app.call(`/svc/store/v1/coupons/${coupon}/ledger`, {
        key: payouts.admin,
      });
      assert.deepEqual([ledger.body[0].kind, ledger.body[0].to], ['payout', 'unpaid']);
    }
    const told = (await payouts.events(head)).map(({ event }) => event);
    assert.deepEqual(told, ['payout.failed', 'payout.failed']);
  });
});

describe('a gateway without a clear answer', () => {
  for (const behaviour of [
    'server-error',
    'reset-before',
    'reset-after',
    'malformed',
    'huge',
  ] as const) {
    test(`${behaviour}: processing, then settled by asking; one payment`, async () => {
      const before = stripe.payments.length;
      stripe.next(behaviour);
      const { status, body, coupon } = await pay('stripe');
      assert.equal(status, 201);
      assert.deepEqual([body.status, body.gateway_triggered], ['processing', true]);
      assert.deepEqual(await payouts.pools(coupon), [0, 50, 0]);
      const again = await payouts.request(coupon);
      assert.deepEqual([again.status, again.body.status], [200, 'processing']);
      for (const to of ['paid', 'cancel', 'pending', 'created']) {
        const reply = await payouts.change(body.id, to);
        assert.equal(refusal(reply), '400 svc_api_invalid_transition');
      }
      await follow(MINUTE_MS);
      assert.equal((await payouts.get(body.id)).status, 'paid');
      assert.equal(stripe.payments.length, before + 1);
      assert.deepEqual(await payouts.pools(coupon), [0, 0, 50]);
    });
  }

  test('a failed question is repeated, with growing intervals', async () => {
    stripe.next('reset-after');
    const { body } = await pay('stripe');
    stripe.next('server-error', 'ask');
    await follow(MINUTE_MS);
    assert.equal((await payouts.get(body.id)).status, 'processing');
    await follow(0);
    assert.equal((await payouts.get(body.id)).status, 'processing', 'not due yet');
    await follow(5 * MINUTE_MS);
    assert.equal((await payouts.get(body.id)).status, 'paid');
  });

  test('two workers ask once', async () => {
    stripe.next('reset-before');
    const { body } = await pay('stripe');
    const before = stripe.payments.length;
    app.advance(MINUTE_MS);
    await Promise.all([followUp.run(app.site), followUp.run(app.site), followUp.run(app.site)]);
    assert.equal((await payouts.get(body.id)).status, 'paid');
    assert.equal(stripe.payments.length, before + 1);
  });

  test('credentials that were removed: the payout waits for new ones', async () => {
    const gateway = `{ method_type: 'cash', label: 'Cash', pay: async () => { throw new Error('x'); },
      ask: async () => ({ status: 'unknown' }) }`;
    const extensions = tempFile(
      'cash.mjs',
      `export default { name: 'c', gateways: [${gateway}] };`,
    );
    const own = await openPayoutApp({
      config: { extensions },
      settings: { 'payouts.auto_accept': true, 'payouts.details_hold_hours': 0 },
    });
    await own.setDetails('maya', { method_type: 'cash', details: { desk: 4 } });
    const { body } = await own.request(await own.coupon(5));
    assert.deepEqual([body.status, body.method], ['processing', 'Cash']);
    await own.app.site.database.transaction((tx) =>
      tx.execute(`update payouts set method_type = 'gone'`),
    );
    own.app.advance(MINUTE_MS);
    await followUp.run(own.app.site);
    assert.equal((await own.get(body.id)).status, 'processing');
    assert.ok(own.app.logs.some((line) => line.includes('no longer set up')));
  });
});

describe("an extension's gateway", () => {
  test('pays under the idempotency key of the payout, with the saved details', async () => {
    const extensions = tempFile(
      'cash.mjs',
      `const paid = new Map();
      const pay = async (p) => {
        paid.set(p.idempotency_key, JSON.stringify(p));
        return { status: 'paid', transaction_id: p.details.desk + ':' + paid.size, notice: 'Bring a bag.' };
      };
      export default { name: 'c', gateways: [
        { method_type: 'cash', label: 'Cash at the desk', pay, ask: async () => ({ status: 'absent' }) },
      ] };`,
    );
    const own = await openPayoutApp({
      config: { extensions },
      settings: { 'payouts.auto_accept': true, 'payouts.details_hold_hours': 0 },
    });
    await own.setDetails('maya', { method_type: 'cash', details: { desk: 'A' } });
    const { status, body } = await own.request(await own.coupon(5));
    assert.equal(status, 201);
    assert.deepEqual(
      [body.status, body.method_type, body.method, body.transaction_id, body.gateway_notice],
      ['paid', 'cash', 'Cash at the desk', 'A:1', 'Bring a bag.'],
    );
  });

  test('while it is being called a second request gets 409, afterwards 200', async () => {
    const extensions = tempFile(
      'slow.mjs',
      `let done; const waiting = new Promise((resolve) => { done = resolve; });
      globalThis.finishSlowGateway = done;
      export default { name: 's', gateways: [{ method_type: 'slow', label: 'Slow',
        pay: async () => { await waiting; return { status: 'created', transaction_id: 's1' }; },
        ask: async () => ({ status: 'unknown' }) }] };`,
    );
    const own = await openPayoutApp({
      config: { extensions },
      settings: {
        'payouts.auto_accept': true,
        'payouts.auto_accept_max': 200,
        'payouts.details_hold_hours': 0,
      },
    });
    await own.setDetails('maya', { method_type: 'slow', details: {} });
    const coupon = await own.coupon(5);
    // Either of the two may be the first: its reply waits for the gateway, so the other one's comes before.
    const requests = [own.request(coupon), own.request(coupon)];
    assert.equal((await Promise.race(requests)).status, 409);
    await eventually(async () => {
      const { body } = await own.app.call(`/payouts?coupon_id=${coupon}`, { key: own.admin });
      assert.equal(body[0]?.status, 'processing', 'stored before the gateway is called');
    });
    // Other requests are served during the call, because the call is not inside a transaction.
    assert.equal((await own.request(await own.coupon(300))).status, 201);
    (globalThis as any).finishSlowGateway();
    const paid = (await Promise.all(requests)).filter(({ status }) => status !== 409);
    assert.deepEqual(
      paid.map(({ status, body }) => [status, body.status]),
      [[201, 'created']],
    );
    const again = await own.request(coupon);
    assert.deepEqual([again.status, again.headers.get('x-svc-existing')], [200, '1']);
  });
});

test('the ledger agrees with the payouts after all tests', () => payouts.assertClean());
