import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, refusal } from '../../../test/support/harness.ts';
import { bankDetails, openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { tempFile } from '../../../test/support/temp-folder.ts';
import { followUp } from '../payment/follow-up.ts';

/** A gateway that does what the destination says. */
const extensions = tempFile(
  'gateway.mjs',
  `let asked = 0;
  export default { name: 'gateway', gateways: [{ method_type: 'till', label: 'Till',
    pay: async ({ details, payout_id }) => details.answer === 'refuse'
      ? { status: 'failed', code: 'account_closed', reason: 'The account is closed.' }
      : details.answer === 'silent' ? { status: 'unknown', reason: 'No answer.' }
      : { status: 'paid', transaction_id: 'T-' + payout_id },
    ask: async () => (asked++ < 2 ? { status: 'unknown', reason: 'Not yet.' } : { status: 'paid', transaction_id: 'T-0' }),
  }] };`,
);
const payouts = await openPayoutApp({
  config: { extensions },
  settings: { 'payouts.auto_accept': true, 'payouts.details_hold_hours': 0 },
});
const { app, admin } = payouts;
const manager = await app.key('manager', 'read,write');

const till = (answer: string) =>
  payouts.setDetails('maya', { method_type: 'till', details: { answer, secret: 'acct-4711' } });
const retry = (id: number, key = admin) =>
  app.call(`${STORE}/payouts/${id}/retry`, { method: 'POST', key });
const timeline = async (id: number) => {
  const { body, text, status } = await app.call(`${STORE}/payouts/${id}/timeline`, { key: admin });
  assert.equal(status, 200, text);
  assert.doesNotMatch(text, /acct-4711/);
  return body.entries as any[];
};

async function failedPayout(amount = 50): Promise<{ id: number; coupon_id: number }> {
  await till('refuse');
  const { body } = await payouts.request(await payouts.coupon(amount));
  assert.equal(body.status, 'failed');
  return body;
}

describe('POST /payouts/{id}/retry', () => {
  test('pays what is owed with a new payout that refers to the failed one', async () => {
    const failed = await failedPayout();
    await payouts.earn(failed.coupon_id, 5);
    await till('pay');
    const { status, body } = await retry(failed.id, manager);
    assert.equal(status, 201);
    assert.deepEqual([body.status, body.amount, body.gateway_triggered], ['paid', 55, true]);
    assert.deepEqual(await payouts.pools(failed.coupon_id), [0, 0, 55]);
    const listed = await app.call(`${STORE}/payouts?sort=-created`, { key: admin });
    assert.deepEqual(
      listed.body.map(({ id, status: now, retry_of, retried_by }: any) => [
        id,
        now,
        retry_of,
        retried_by,
      ]),
      [
        [body.id, 'paid', failed.id, null],
        [failed.id, 'failed', null, body.id],
      ],
    );
    const again = await retry(failed.id);
    assert.equal(refusal(again), '409 svc_api_already_retried');
    assert.equal(again.body.data.payout_id, body.id);
    await payouts.assertClean();
  });

  test('once, whatever is sent at the same time', async () => {
    const failed = await failedPayout();
    await till('pay');
    const replies = await Promise.all(
      [admin, manager, admin, manager].map((key) => retry(failed.id, key)),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    assert.deepEqual(await payouts.pools(failed.coupon_id), [0, 0, 50]);
    await payouts.assertClean();
  });

  test('not while another payout has the amount, nor without a balance, nor to another affiliate', async () => {
    const paid = await failedPayout(10);
    await till('pay');
    await payouts.request(paid.coupon_id);
    assert.equal(refusal(await retry(paid.id)), '400 svc_api_no_balance');

    const open = await failedPayout(20);
    await payouts.setDetails('maya', bankDetails);
    const { body: pending } = await payouts.request(open.coupon_id);
    const refused = await retry(open.id);
    assert.equal(refusal(refused), '409 svc_api_in_progress');
    assert.equal(refused.body.data.payout_id, pending.id);
    assert.equal(refusal(await retry(pending.id)), '400 svc_api_invalid_transition');

    const moved = await failedPayout(30);
    const json = { user_id: idOf('tomas'), move_balance: true };
    await app.call(`${STORE}/coupons/${moved.coupon_id}`, { method: 'PATCH', key: admin, json });
    assert.equal(refusal(await retry(moved.id)), '400 svc_api_no_balance');
    assert.equal(refusal(await retry(987_654)), '404 svc_api_not_found');
    assert.equal((await retry(moved.id, payouts.maya)).status, 403);
  });
});

describe('GET /payouts/{id}/timeline', () => {
  test('statuses, ledger, events, gateway calls and mails, in order', async () => {
    await till('silent');
    const { body } = await payouts.request(await payouts.coupon(50));
    assert.equal(body.status, 'processing');
    for (let minute = 0; minute < 4; minute++) {
      app.advance(10 * 60_000);
      await followUp.run(app.site);
    }
    assert.equal((await payouts.get(body.id)).status, 'paid');
    app.advance(1_000);
    await payouts.change(body.id, 'cancel');
    const entries = await timeline(body.id);
    assert.deepEqual(
      entries.map(({ at }) => at),
      entries.map(({ at }) => at).toSorted(),
    );
    assert.deepEqual(
      entries.map(({ kind, data }) => [
        kind,
        data.status ?? data.act ?? data.event ?? data.template ?? `${data.from} to ${data.to}`,
      ]),
      [
        ['status', 'processing'],
        ['ledger', 'unpaid to pending_payout'],
        ['event', 'payout.requested'],
        ['gateway', 'pay'],
        ['mail', 'payout-requested'],
        ['gateway', 'ask'],
        ['status', 'paid'],
        ['ledger', 'pending_payout to paid'],
        ['event', 'payout.paid'],
        ['gateway', 'ask'],
        ['mail', 'payout-paid'],
        ['status', 'cancel'],
        ['ledger', 'paid to unpaid'],
        ['event', 'payout.cancelled'],
        ['mail', 'payout-cancelled'],
      ],
    );
    const polled = entries.filter(({ data }) => data.act === 'ask');
    assert.deepEqual(
      polled.map(({ data }) => [data.outcome, data.times, data.reason]),
      [
        ['unknown', 2, 'Not yet.'],
        ['paid', 1, ''],
      ],
    );
  });

  test('shows the mails to the administrators, and a failure', async () => {
    const { id } = await failedPayout();
    const call = (await timeline(id)).find(({ kind }) => kind === 'gateway');
    assert.deepEqual([call.data.outcome, call.data.code], ['failed', 'account_closed']);
    await payouts.setDetails('tomas', bankDetails);
    const { body } = await payouts.request(await payouts.coupon(5, idOf('tomas')));
    const mails = (await timeline(body.id)).filter(({ kind }) => kind === 'mail');
    assert.deepEqual(mails.map(({ data }) => data.template).sort(), [
      'payout-requested',
      'payout-to-review',
    ]);
    assert.equal((await app.call(`${STORE}/payouts/987654/timeline`, { key: admin })).status, 404);
  });
});
