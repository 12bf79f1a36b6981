import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { releaseHeld } from '../../../src/modules/orders/index.ts';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';

const payouts = await openPayoutApp({ settings: { 'payouts.details_required': false } });
const { app, admin } = payouts;

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

let lastOrder = 0;
let lastAffiliate = 0;

/** An affiliate at a company, with a coupon. */
async function join() {
  const login = `ann${++lastAffiliate}`;
  const email = `${login}@acme.shop`;
  const { id } = await send('POST', '/affiliates', { login, email });
  const coupon = await send('POST', '/coupons', { code: login, user_id: id });
  return { id, couponId: coupon.id as number, code: login };
}

async function put(id: number, code: string, changes: object = {}) {
  return send('PUT', `/orders/${id}`, {
    date: app.site.calendar.toLocal(app.site.clock()),
    status: 'completed',
    total: 100,
    coupon_codes: [code],
    ...changes,
  });
}

const suspicious = { customer: { email: 'colleague@acme.shop' } };
const openCases = (affiliateId: number) =>
  send('GET', `/cases?state=open&affiliate_id=${affiliateId}`);
const balance = (id: number) => send('GET', `/affiliates/${id}/balance`);
const couponOf = async (id: number) => (await app.call(`/coupons/${id}`, { key: admin })).body;
const decide = (id: number, decision: string, more: object = {}) =>
  send('POST', `/cases/${id}/decide`, { decision, ...more });

/** A held order of a new affiliate, with its case. */
async function hold(changes: object = {}) {
  const affiliate = await join();
  const orderId = ++lastOrder;
  await put(orderId, affiliate.code, { ...suspicious, ...changes });
  const [found] = await openCases(affiliate.id);
  return { ...affiliate, orderId, caseId: found.id as number };
}

test('a rule that notes opens a case and holds nothing', async () => {
  const { id, code, couponId } = await join();
  await put(++lastOrder, code, suspicious);
  const [found] = await openCases(id);
  assert.equal(found.rule, 'same_people');
  assert.equal(found.reason, 'The customer and the affiliate both have a mailbox at acme.shop.');
  assert.equal(found.held, 0);
  assert.equal((await couponOf(couponId)).unpaid_commission, 10);
  assert.deepEqual(await send('GET', `/affiliates/${id}/cases`), []);
});

describe('hold', () => {
  before(() => send('PATCH', '/review/rules/same_people', { action: 'hold' }));

  test('the commission is in review: pending in the API, in no payable balance', async () => {
    const { id, couponId, caseId } = await hold();
    const coupon = await couponOf(couponId);
    assert.deepEqual([coupon.unpaid_commission, coupon.pending_order_commission], [0, 10]);
    const { in_review, available, earned, awaiting, on_hold } = await balance(id);
    assert.deepEqual(
      { in_review, available, earned, awaiting, on_hold },
      {
        in_review: 10,
        available: 0,
        earned: 0,
        awaiting: 0,
        on_hold: 0,
      },
    );
    const [order] = await send('GET', `/affiliates/${id}/orders?state=in_review`);
    assert.equal(order.state, 'in_review');
    assert.equal(order.hold_until, null);
    assert.equal((await send('GET', `/cases/${caseId}`)).held, 10);
    assert.equal((await payouts.request(couponId)).body.code, 'svc_api_no_balance');
  });

  test('cleared, everything is released as usual', async () => {
    const { couponId, caseId, orderId, code } = await hold();
    await decide(caseId, 'clear', { note: 'Colleagues.' });
    const coupon = await couponOf(couponId);
    assert.deepEqual([coupon.unpaid_commission, coupon.pending_order_commission], [10, 0]);
    await put(orderId, code, {
      ...suspicious,
      refunds: [{ id: 1, amount: 50, date: '2026-01-01' }],
    });
    assert.equal((await couponOf(couponId)).unpaid_commission, 5);
  });

  test('rejected, the commission is void, whatever the order becomes', async () => {
    const { id, couponId, caseId, orderId, code } = await hold();
    await decide(caseId, 'reject');
    const coupon = await couponOf(couponId);
    assert.deepEqual([coupon.unpaid_commission, coupon.pending_order_commission], [0, 0]);
    await put(orderId, code, { ...suspicious, total: 200 });
    assert.equal((await couponOf(couponId)).unpaid_commission, 0);
    assert.equal((await balance(id)).in_review, 0);
    const { referrals } = await send('GET', `/orders/${orderId}/commission`);
    const { explanation, facts, amount } = referrals[0].steps.at(-1);
    assert.deepEqual(
      [explanation, facts, amount],
      ['The commission was rejected in a review.', { reason: 'rejected' }, 0],
    );
  });

  test('an undone decision holds what the order earns now', async () => {
    const { couponId, caseId, orderId, code } = await hold();
    await decide(caseId, 'reject');
    await put(orderId, code, { ...suspicious, total: 200 });
    const reopened = await send('POST', `/cases/${caseId}/reopen`);
    assert.deepEqual([reopened.state, reopened.held], ['open', 20]);
    await decide(caseId, 'clear');
    assert.equal((await couponOf(couponId)).unpaid_commission, 20);
  });

  test('an order that is refunded while its case is open holds less', async () => {
    const { caseId, orderId, code } = await hold();
    await put(orderId, code, {
      ...suspicious,
      refunds: [{ id: 1, amount: 50, date: '2026-01-01' }],
    });
    assert.equal((await send('GET', `/cases/${caseId}`)).held, 5);
    await put(orderId, code, { ...suspicious, status: 'cancelled' });
    assert.equal((await send('GET', `/cases/${caseId}`)).held, 0);
    await decide(caseId, 'clear');
  });

  test('a held order that is not payable yet earns when it is cleared and completed', async () => {
    const { couponId, caseId, orderId, code } = await hold({ status: 'processing' });
    assert.equal((await send('GET', `/cases/${caseId}`)).held, 0);
    await put(orderId, code, suspicious);
    assert.equal((await send('GET', `/cases/${caseId}`)).held, 10);
    assert.equal((await couponOf(couponId)).unpaid_commission, 0);
    await decide(caseId, 'clear');
    assert.equal((await couponOf(couponId)).unpaid_commission, 10);
  });

  test('an open payout that took the commission is refused, and paid once the case is cleared', async () => {
    const { couponId, caseId } = await hold();
    await decide(caseId, 'clear');
    const { body: payout } = await payouts.request(couponId);
    await send('POST', `/cases/${caseId}/reopen`);
    assert.equal(await payouts.select(payout.id, 'paid'), 'svc_api_payout_in_review');
    const tried = await send('POST', '/payouts/dry-run', { ids: [payout.id], status: 'paid' });
    assert.equal(tried.problems[0].code, 'svc_api_payout_in_review');
    await decide(caseId, 'clear');
    assert.equal(await payouts.select(payout.id, 'paid'), null);
    const coupon = await couponOf(couponId);
    assert.deepEqual([coupon.unpaid_commission, coupon.paid_commission], [0, 10]);
  });

  test('what was paid by hand or by the bank is recorded, and the history of the case says so', async () => {
    const { couponId, caseId } = await hold();
    await decide(caseId, 'clear');
    const { body: payout } = await payouts.request(couponId);
    await send('POST', `/cases/${caseId}/reopen`);
    const recorded = async () =>
      (await send('GET', `/cases/${caseId}`)).history
        .filter(({ action }: { action: string }) => action === 'payout_recorded')
        .map(({ note, name }: { note: string; name: string | null }) => [note, name]);
    assert.equal((await payouts.change(payout.id, 'created')).status, 200);
    const approved = [`Payout ${payout.id}: created`, 'admin'];
    assert.deepEqual(await recorded(), [approved]);
    const content = `payout_id,amount,outcome\n${payout.id},10,paid\n`;
    const file = { format: 'csv', content };
    const tried = await send('POST', '/payouts/results', { ...file, dry_run: true });
    assert.match(tried.matched[0].objection, new RegExp(`case ${caseId}\\.`));
    assert.deepEqual(await recorded(), [approved]);
    const { applied, matched, mismatches } = await send('POST', '/payouts/results', file);
    assert.deepEqual([applied, matched[0].status, mismatches], [true, 'paid', []]);
    assert.deepEqual(await recorded(), [approved, [`Payout ${payout.id}: paid`, 'admin']]);
    assert.deepEqual(await payouts.pools(couponId), [-10, 0, 10]);
    assert.equal((await send('GET', `/cases/${caseId}`)).held, 10);
    await decide(caseId, 'clear');
    assert.deepEqual(await payouts.pools(couponId), [0, 0, 10]);
    await payouts.assertClean();
  });

  test('without the commission in review, the rest is paid', async () => {
    const { couponId, caseId, code } = await hold();
    await put(++lastOrder, code);
    await decide(caseId, 'clear');
    const { body: payout } = await payouts.request(couponId);
    assert.equal(payout.amount, 20);
    await send('POST', `/cases/${caseId}/reopen`);
    await payouts.change(payout.id, 'cancel');
    const { body: second } = await payouts.request(couponId);
    assert.equal(second.amount, 10);
    assert.equal((await payouts.change(second.id, 'paid')).status, 200);
    await decide(caseId, 'reject');
    assert.equal((await couponOf(couponId)).unpaid_commission, 0);
  });

  test('a payout that was paid is not touched; a rejection is carried forward', async () => {
    const { couponId, caseId } = await hold();
    await decide(caseId, 'clear');
    const { body: payout } = await payouts.request(couponId);
    await payouts.change(payout.id, 'paid');
    const reopened = await send('POST', `/cases/${caseId}/reopen`);
    assert.equal(reopened.held, 0);
    assert.equal((await couponOf(couponId)).unpaid_commission, 0);
    await decide(caseId, 'reject');
    assert.equal((await couponOf(couponId)).unpaid_commission, -10);
  });

  test('once a payment comes back, or there is more of the commission, the open case holds it', async () => {
    for (const change of ['cancel', 'pending', 'more'] as const) {
      const { couponId, caseId, orderId, code } = await hold();
      await decide(caseId, 'clear');
      const { body: payout } = await payouts.request(couponId);
      await payouts.change(payout.id, 'paid');
      await send('POST', `/cases/${caseId}/reopen`);
      if (change === 'more') await put(orderId, code, { ...suspicious, total: 120 });
      else await payouts.change(payout.id, change);
      const expected = change === 'more' ? 12 : 10;
      assert.equal((await send('GET', `/cases/${caseId}`)).held, expected, change);
      if (change === 'pending') {
        assert.equal(await payouts.select(payout.id, 'paid'), 'svc_api_payout_in_review');
      }
      await decide(caseId, 'clear');
    }
    await payouts.assertClean();
  });

  test('what was paid out and taken back is held when it comes again', async () => {
    for (const reopenFirst of [true, false]) {
      const { couponId, caseId, orderId, code } = await hold();
      await decide(caseId, 'clear');
      const { body: paid } = await payouts.request(couponId);
      await payouts.change(paid.id, 'paid');
      if (reopenFirst) await send('POST', `/cases/${caseId}/reopen`);
      await put(orderId, code, { ...suspicious, status: 'cancelled' });
      assert.equal((await couponOf(couponId)).unpaid_commission, -10);
      await app.set({ 'commission.delay_days': 2 });
      await put(orderId, code, { ...suspicious, total: 50 });
      if (!reopenFirst) await send('POST', `/cases/${caseId}/reopen`);
      await app.set({ 'commission.delay_days': 0 });
      await put(++lastOrder, code, { total: 300 });
      await payouts.request(couponId);
      app.advance(3 * 24 * 60 * 60_000);
      await releaseHeld.run(app.site);
      assert.equal((await send('GET', `/cases/${caseId}`)).held, 5);
      assert.equal((await couponOf(couponId)).unpaid_commission, 0);
      await decide(caseId, 'clear');
      assert.equal((await couponOf(couponId)).unpaid_commission, 5);
    }
    await payouts.assertClean();
  });

  test('the waiting period runs while a case is open', async () => {
    await app.set({ 'commission.delay_days': 14 });
    const { id, caseId } = await hold();
    assert.equal((await balance(id)).in_review, 10);
    await decide(caseId, 'clear');
    assert.equal((await balance(id)).on_hold, 10);
    await send('POST', `/cases/${caseId}/reopen`);
    app.advance(15 * 24 * 60 * 60_000);
    await releaseHeld.run(app.site);
    assert.equal((await balance(id)).in_review, 10);
    await decide(caseId, 'clear');
    assert.equal((await balance(id)).available, 10);
    await app.set({ 'commission.delay_days': 0 });
  });
});

test('the cases of an order are those about it and those on which its commission depends', async () => {
  await send('PATCH', '/review/rules/same_people', { action: 'note' });
  const noted = await hold();
  await send('PATCH', '/review/rules/same_people', { action: 'hold' });
  const { orderId, caseId, id } = await hold();
  const of = async (order: number) =>
    (await send('GET', `/cases?order_id=${order}`)).map((one: { id: number }) => one.id);
  assert.deepEqual(await of(orderId), [caseId]);
  assert.deepEqual(await of(noted.orderId), [noted.caseId]);
  assert.deepEqual(await of(orderId + 1), []);
  const [found] = await openCases(id);
  assert.deepEqual(found.affiliate, { id, name: `ann${lastAffiliate}` });
});

test('the overview says how many cases are open, and what they hold', async () => {
  const { needs } = await send('GET', '/overview');
  const open = await send('GET', '/cases?state=open&per_page=100');
  const held = open.reduce((sum: number, one: { held: number }) => sum + one.held, 0);
  assert.ok(held > 0);
  const { count, amount } = needs.find((one: { name: string }) => one.name === 'cases_open');
  assert.deepEqual({ count, amount }, { count: open.length, amount: held });
});

test('a decision and a change of its order at the same moment: both count', async () => {
  await send('PATCH', '/review/rules/same_people', { action: 'hold' });
  for (let round = 1; round <= 8; round += 1) {
    const { couponId, caseId, orderId, code } = await hold();
    const decision = round % 2 === 0 ? 'clear' : 'reject';
    await Promise.all([
      put(orderId, code, { ...suspicious, total: 200 }),
      decide(caseId, decision),
      put(orderId, code, { ...suspicious, total: 300 }),
    ]);
    await put(orderId, code, { ...suspicious, total: 400 });
    const { unpaid_commission } = await couponOf(couponId);
    assert.equal(unpaid_commission, decision === 'clear' ? 40 : 0);
  }
});

test('the ledger and the figures agree after all of this', () => payouts.assertClean());
