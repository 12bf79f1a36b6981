import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../../../test/support/eventually.ts';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';
import { query } from '../../db/statements/query.ts';
import { lockCoupon } from './coupon-rows.ts';

const app = await openTestApp({
  settings: { 'payouts.details_required': false },
  config: { currency: 'EUR' },
});
const admin = await app.key('admin', 'read,write');
const STORE = '/svc/store/v1';
const post = (path: string, json: unknown) => app.call(path, { method: 'POST', key: admin, json });
const change = (id: number, json: unknown) =>
  app.call(`${STORE}/coupons/${id}`, { method: 'PATCH', key: admin, json });
const ownerOf = async (id: number) =>
  (await app.call(`/coupons/${id}`, { key: admin })).body.user_id;

let made = 0;
async function newCoupon(): Promise<{ id: number; code: string }> {
  const code = `HAND${++made}`;
  return (await post(`${STORE}/coupons`, { code, user_id: idOf('maya') })).body;
}

let orders = 0;
function order(code: string, status = 'completed', date = '2026-07-01T10:00:00') {
  const json = { date, status, total: 100, coupon_codes: [code] };
  return app.call(`${STORE}/orders/${++orders}`, { method: 'PUT', key: admin, json });
}

describe('changing the owner of a coupon with a balance', () => {
  test('is 409 svc_api_balance_open with the unpaid amount, and nothing changes', async () => {
    const { id, code } = await newCoupon();
    await order(code);
    for (const user_id of [idOf('tomas'), null]) {
      const reply = await change(id, { user_id, status: 'disabled' });
      assert.equal(refusal(reply), '409 svc_api_balance_open');
      assert.match(reply.body.message, /\b10 EUR unpaid/);
      assert.deepEqual(reply.body.data, {
        status: 409,
        unpaid_commission: 10,
        pending_order_commission: 0,
        pending_payout_commission: 0,
        currency: 'EUR',
      });
    }
    const { body } = await app.call(`/coupons/${id}`, { key: admin });
    assert.deepEqual([body.user_id, body.status], [idOf('maya'), 'active']);
  });

  test('is 409 while a payout is open, while an order awaits, and for a negative balance', async () => {
    const { id, code } = await newCoupon();
    await order(code);
    assert.equal((await post('/payouts', { coupon_id: id })).status, 201);
    const open = await change(id, { user_id: idOf('tomas') });
    assert.equal(refusal(open), '409 svc_api_balance_open');
    assert.match(open.body.message, /\b10 EUR in open payouts/);

    const awaiting = await newCoupon();
    await order(awaiting.code, 'processing');
    const waits = await change(awaiting.id, { user_id: idOf('tomas') });
    assert.equal(refusal(waits), '409 svc_api_balance_open');
    assert.match(waits.body.message, /\b10 EUR awaiting/);

    const owing = await newCoupon();
    await post(`${STORE}/coupons/${owing.id}/adjustments`, { amount: -3.5, note: 'Slip' });
    const negative = await change(owing.id, { user_id: null });
    assert.equal(refusal(negative), '409 svc_api_balance_open');
    assert.match(negative.body.message, /-3\.5 EUR unpaid/);
  });

  test('moves the money with move_balance; the event has the amount and the previous owner', async () => {
    const { id, code } = await newCoupon();
    await order(code);
    await post('/payouts', { coupon_id: id });
    await order(code);
    await order(code, 'processing');
    const reply = await change(id, { user_id: idOf('tomas'), move_balance: true });
    assert.equal(reply.status, 200);
    assert.deepEqual(
      [
        reply.body.user_id,
        reply.body.unpaid_commission,
        reply.body.pending_order_commission,
        reply.body.pending_payout_commission,
      ],
      [idOf('tomas'), 10, 10, 0],
    );
    const [event] = (await app.call('/events?event=coupon&per_page=1', { key: admin })).body;
    assert.deepEqual(event.data, {
      coupon_id: id,
      user_id: idOf('tomas'),
      changed: ['user_id'],
      balance: {
        from_user_id: idOf('maya'),
        unpaid_commission: 10,
        pending_order_commission: 10,
        currency: 'EUR',
      },
    });
    assert.match(event.info, /10 EUR unpaid, 10 EUR awaiting/);
    // The payout stays with the affiliate it was requested for.
    const [payout] = (await app.call(`/payouts?coupon_id=${id}`, { key: admin })).body;
    assert.equal(payout.user.id, idOf('maya'));
  });

  test('needs move_balance for a coupon without an owner as well', async () => {
    const { id, code } = await newCoupon();
    await order(code);
    assert.equal((await change(id, { user_id: null, move_balance: true })).status, 200);
    assert.equal(refusal(await change(id, { user_id: idOf('tomas') })), '409 svc_api_balance_open');
    assert.equal((await change(id, { user_id: idOf('tomas'), move_balance: true })).status, 200);
  });

  test('needs no move_balance without a balance or without a new owner', async () => {
    const { id, code } = await newCoupon();
    assert.equal((await change(id, { user_id: idOf('tomas') })).status, 200);
    const [event] = (await app.call('/events?event=coupon&per_page=1', { key: admin })).body;
    assert.equal(Object.hasOwn(event.data, 'balance'), false);
    await order(code);
    const same = await change(id, { user_id: idOf('tomas'), status: 'disabled' });
    assert.equal(same.status, 200);
  });

  test('is 400 for an unknown affiliate, before the balance is checked', async () => {
    const { id, code } = await newCoupon();
    await order(code);
    assert.equal(refusal(await change(id, { user_id: 999 })), '400 svc_api_invalid_user');
  });

  test('is not part of DELETE, which disables the coupon and keeps owner and balance', async () => {
    const { id, code } = await newCoupon();
    await order(code);
    const reply = await app.call(`${STORE}/coupons/${id}`, { method: 'DELETE', key: admin });
    assert.deepEqual(reply.body, { deleted: false });
    const { body } = await app.call(`/coupons/${id}`, { key: admin });
    assert.deepEqual([body.user_id, body.unpaid_commission], [idOf('maya'), 10]);
  });

  test('credits a concurrent order to the old owner, who then keeps the coupon, or to the new one', async () => {
    for (let round = 0; round < 30; round++) {
      const { id, code } = await newCoupon();
      // An order from before the change would belong to the old owner in any case.
      const now = app.site.calendar.toLocal(app.site.clock());
      const both = [
        () => order(code, 'completed', now),
        () => change(id, { user_id: idOf('tomas') }),
      ];
      const inTurn = round % 2 === 0 ? both : both.toReversed();
      const replies = await Promise.all(inTurn.map((send) => send()));
      const [ordered, changed] = round % 2 === 0 ? replies : replies.toReversed();
      assert.equal(ordered!.status, 201);
      const [referral] = ordered!.body.referrals;
      const owner = await ownerOf(id);
      assert.equal(referral.user_id, owner, `credited to ${referral.user_id}, owned by ${owner}`);
      assert.equal(changed!.status, owner === idOf('tomas') ? 200 : 409, changed!.text);
    }
  });

  test('gives an adjustment that waits for it to the new owner', async () => {
    const { id } = await newCoupon();
    const isHeld = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const handOver = app.site.database.transaction(async (tx) => {
      await lockCoupon(tx, id);
      await tx.execute(`update coupons set user_id = ${idOf('tomas')} where id = ${id}`);
      isHeld.resolve();
      await letGo.promise;
    });
    await isHeld.promise;
    const adjusting = post(`${STORE}/coupons/${id}/adjustments`, { amount: 5, note: 'Thanks' });
    await untilBlocked();
    letGo.resolve();
    await handOver;
    assert.equal((await adjusting).status, 201);
    const { body } = await app.call('/events?event=commission.added&per_page=1', { key: admin });
    assert.deepEqual([body[0].data.coupon_id, body[0].data.user_id], [id, idOf('tomas')]);
  });

  test('pays a concurrent payout to the owner of the money', async () => {
    for (let round = 0; round < 15; round++) {
      const { id, code } = await newCoupon();
      await order(code);
      const [requested, changed] = await Promise.all([
        post('/payouts', { coupon_id: id }),
        change(id, { user_id: idOf('tomas'), move_balance: true }),
      ]);
      // The account that the request was for may have nothing any more.
      if (refusal(requested) === '400 svc_api_no_balance') continue;
      assert.equal(requested.status, 201, requested.text);
      assert.equal(changed.status, 200, changed.text);
      const event = await lastMove(id);
      // A payout requested before the change belongs to the old owner, a later one to the new owner.
      const wasFirst = requested.body.user.id === idOf('maya');
      assert.equal(event.data.balance?.unpaid_commission, wasFirst ? undefined : 10);
    }
  });
});

const blocked = query<object, { sessions: number }>((db) =>
  db.selectNoFrom(
    sql<number>`(select count(*) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock')`.as('sessions'),
  ),
);

/** Waits until one session waits for the lock of another; on SQLite the next writer always waits. */
async function untilBlocked(): Promise<void> {
  if (app.databaseUrl === '') return;
  await eventually(async () => {
    const { sessions } = (await app.site.database.read.first(blocked, {}))!;
    assert.equal(Number(sessions), 1);
  });
}

async function lastMove(id: number) {
  const { body } = await app.call('/events?event=coupon.updated&per_page=1', { key: admin });
  assert.equal(body[0].object_id, id);
  return body[0];
}
