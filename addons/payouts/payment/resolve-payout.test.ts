import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { MINUTE_MS } from '../../../src/shared/durations.ts';
import { openFakeStripe } from '../../../test/gateways/fake-stripe.ts';
import { openFakeWise } from '../../../test/gateways/fake-wise.ts';
import { feedHead } from '../../../test/support/feed-head.ts';
import { idOf, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { followUp } from './follow-up.ts';

const [wise, stripe] = await Promise.all([openFakeWise(), openFakeStripe()]);
after(() => Promise.all([wise.close(), stripe.close()]));

const payouts = await openPayoutApp({
  config: {
    wiseToken: wise.token,
    wiseUrl: wise.url,
    stripeKey: stripe.key,
    stripeUrl: stripe.url,
  },
  settings: {
    'payouts.auto_accept': true,
    'payouts.details_hold_hours': 0,
    'payouts.wise_profile': wise.profile,
    'payouts.methods': ['wise', 'stripe'],
  },
});
const { app, admin } = payouts;

const details = { wise: { target_account: 4_711 }, stripe: { account: 'acct_1Mayatest0000000' } };

async function request(method: keyof typeof details, amount = 50) {
  await payouts.setDetails('maya', { method_type: method, details: details[method] });
  const coupon = await payouts.coupon(amount);
  const { body } = await payouts.request(coupon, payouts.maya);
  return { coupon, id: body.id as number, body };
}

/** A payout whose gateway gave no clear answer. */
async function unclear() {
  stripe.next('reset-before');
  const one = await request('stripe');
  assert.equal(one.body.status, 'processing');
  return one;
}

const resolve = (id: number, json: object, key = admin) =>
  app.call(`${STORE}/payouts/${id}/resolve`, { method: 'POST', key, json });

const unresolved = async () =>
  (await app.call(`${STORE}/payouts/unresolved?per_page=100`, { key: admin })).body as any[];

async function follow(afterMs: number) {
  app.advance(afterMs);
  await followUp.run(app.site);
}

async function unknownSince(id: number): Promise<string | null> {
  const { body } = await app.call(`${STORE}/payouts/${id}/timeline`, { key: payouts.admin });
  return body.outcome_unknown_since;
}

describe('a Wise transfer whose answer was lost, that no list shows, when a new quote is refused', () => {
  test('stays in processing, is paid once, and the administrators are notified', async () => {
    const payments = wise.payments.length;
    wise.next('reset-after');
    const { id, coupon, body } = await request('wise');
    assert.equal(body.status, 'processing');
    assert.notEqual(await unknownSince(id), null);

    wise.hide(true);
    wise.next('decline', 'begin');
    await follow(2 * MINUTE_MS);
    assert.equal((await payouts.get(id)).status, 'processing');
    const again = await payouts.request(coupon, payouts.maya);
    assert.deepEqual([again.status, again.body.id], [200, id], 'no second payout can be had');

    const told = (await unresolved()).find((one) => one.id === id);
    const reason =
      'A repeated attempt was refused: Wise refused the transfer (RECIPIENT_INACTIVE).';
    assert.equal(told.reason, reason);
    assert.deepEqual([told.attempts, told.in_progress], [1, false]);
    assert.notEqual(told.date_reported, null);
    const isAbout = ({ text }: { text: string }) =>
      new RegExp(`/console/payouts/${id}\\b`).test(text);
    const mails = (await outbox(app.site)).filter(isAbout);
    assert.deepEqual(
      mails.map(({ to_address }) => to_address),
      ['admin@test.example'],
    );
    assert.ok(mails[0]!.text.includes(reason));
    assert.ok(app.logs.some((line) => line.includes(`payouts/${id}/resolve`)));

    wise.next('decline', 'begin');
    await follow(61 * MINUTE_MS);
    const later = (await outbox(app.site)).filter(isAbout);
    assert.equal(later.length, 1, 'they are notified once');

    wise.hide(false);
    wise.crowd(150);
    await follow(61 * MINUTE_MS);
    const found = await payouts.get(id);
    assert.deepEqual([found.status, await unknownSince(id)], ['created', null]);
    assert.equal(found.transaction_id, wise.payments.at(-1)!.id);
    assert.equal(wise.payments.length, payments + 1);
    assert.deepEqual(await payouts.pools(coupon), [0, 50, 0]);
  });

  test('a quote that is refused before anything was sent fails the payout immediately', async () => {
    wise.next('decline', 'begin');
    const { coupon, body } = await request('wise');
    assert.equal(body.status, 'failed');
    assert.deepEqual(await payouts.pools(coupon), [50, 0, 0]);
  });

  test('so does one that is refused after a quote without an answer', async () => {
    const payments = wise.payments.length;
    wise.next('server-error', 'begin');
    const { id, coupon, body } = await request('wise');
    assert.equal(body.status, 'processing');
    wise.next('decline', 'begin');
    await follow(2 * MINUTE_MS);
    assert.equal((await payouts.get(id)).status, 'failed');
    assert.deepEqual(await payouts.pools(coupon), [50, 0, 0]);
    assert.equal(wise.payments.length, payments);
  });
});

test('a gateway that does not answer: the administrators are notified after a while', async () => {
  const { id } = await unclear();
  const isTold = async () => (await unresolved()).find((one) => one.id === id).date_reported;
  for (const minutes of [2, 6]) {
    assert.equal(await isTold(), null);
    stripe.next('server-error', 'ask');
    await follow(minutes * MINUTE_MS);
  }
  assert.notEqual(await isTold(), null);
  assert.equal((await resolve(id, { outcome: 'failed' })).status, 200);
});

describe('POST /payouts/{id}/resolve', () => {
  for (const [outcome, pools, event] of [
    ['paid', [0, 0, 50], 'payout.paid'],
    ['created', [0, 50, 0], 'payout.created'],
    ['failed', [50, 0, 0], 'payout.failed'],
  ] as const) {
    test(`${outcome}: money, event and mail follow, and the gateway is not asked again`, async () => {
      const { id, coupon } = await unclear();
      const head = await feedHead(app.site);
      const note = 'Looked up at the gateway.';
      const reply = await resolve(id, { outcome, transaction_id: `hand-${id}`, note });
      assert.equal(reply.status, 200, reply.text);
      const { status, transaction_id } = reply.body;
      assert.deepEqual([status, transaction_id], [outcome, `hand-${id}`]);
      assert.equal(await unknownSince(id), null);
      assert.equal(reply.body.date_paid !== null, outcome === 'paid');
      assert.deepEqual(await payouts.pools(coupon), pools);
      const [told, ...more] = await payouts.events(head);
      assert.deepEqual([told.event, told.user_id, more], [event, idOf('admin'), []]);
      assert.ok(told.info.includes(note));
      const mails = (await outbox(app.site)).filter(
        ({ to_address }) => to_address === 'maya@test.example',
      );
      assert.match(mails.at(-1)!.subject, /^Your payout of \$50\.00/);
      assert.ok(!mails.at(-1)!.text.includes(note), 'the note is for admins');
      assert.ok(!(await unresolved()).some((one) => one.id === id));

      const before = stripe.requests.length;
      await follow(61 * MINUTE_MS);
      assert.equal(stripe.requests.length, before);

      const again = await resolve(id, { outcome });
      assert.deepEqual([again.status, again.body.status], [200, outcome]);
      assert.equal((await payouts.events(head)).length, 1, 'again: nothing changes');
      await payouts.assertClean();
    });
  }

  test('failed: the balance can be paid again', async () => {
    const { id, coupon } = await unclear();
    await resolve(id, { outcome: 'failed' });
    const { status, body } = await payouts.request(coupon, payouts.maya);
    assert.deepEqual([status, body.status], [201, 'paid']);
  });

  test('409 svc_api_in_progress while the gateway is being called', async () => {
    const { id } = await unclear();
    let during: Promise<string> | undefined;
    stripe.interrupt(
      'recorded',
      async () => {
        during = resolve(id, { outcome: 'failed' }).then(refusal);
        await during;
      },
      'pay',
    );
    await follow(2 * MINUTE_MS);
    assert.equal(await during, '409 svc_api_in_progress');
    assert.equal((await payouts.get(id)).status, 'paid');
  });

  test('400 svc_api_invalid_transition in every other status', async () => {
    for (const status of ['pending', 'created', 'paid', 'cancel']) {
      await app.set({ 'payouts.auto_accept': false });
      const { id } = await payouts.payoutAt(status);
      await app.set({ 'payouts.auto_accept': true });
      const outcome = status === 'paid' ? 'failed' : 'paid';
      assert.equal(refusal(await resolve(id, { outcome })), '400 svc_api_invalid_transition');
      assert.equal((await payouts.get(id)).status, status);
    }
  });

  test('16 concurrent requests with two different outcomes: one decision counts', async () => {
    const { id, coupon } = await unclear();
    const head = await feedHead(app.site);
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, i) => resolve(id, { outcome: i % 2 ? 'paid' : 'failed' })),
    );
    const { status } = await payouts.get(id);
    for (const reply of replies) {
      if (reply.status === 200) assert.equal(reply.body.status, status);
      else assert.match(refusal(reply), /^(409 svc_api_conflict|400 svc_api_invalid_transition)$/);
    }
    assert.equal((await payouts.events(head)).length, 1);
    assert.deepEqual(await payouts.pools(coupon), status === 'paid' ? [0, 0, 50] : [50, 0, 0]);
    await payouts.assertClean();
  });

  test('404: no such payout; 403: for its affiliate, and without the scope', async () => {
    const outcome = 'failed';
    assert.equal(refusal(await resolve(9_999, { outcome })), '404 svc_api_not_found');
    const { id } = await unclear();
    assert.equal(refusal(await resolve(id, { outcome }, payouts.maya)), '403 svc_api_forbidden');
    const write = await app.key('admin', 'read,write');
    assert.equal(refusal(await resolve(id, { outcome }, write)), '403 svc_api_insufficient_scope');
    assert.equal(refusal(await resolve(id, { outcome: 'cancel' })), '400 rest_invalid_param');
    assert.equal((await payouts.get(id)).status, 'processing');
  });
});
