import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';

/** Attribution of an order that is known stays; only what is new to the order is looked up. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

const send = async (method: string, path: string, json: unknown) => {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
};

let made = 0;
const newCode = () => `KNOWN${++made}`;
const newCoupon = (code: string, login = 'maya') =>
  send('POST', '/coupons', { code, user_id: idOf(login) });
const disable = (id: number) => send('PATCH', `/coupons/${id}`, { status: 'disabled' });

let lastOrder = 0;
const newOrderId = () => ++lastOrder;
const refunds = [{ id: 1, amount: 10 }];

async function put(id: number, codes: string[], changes: object = {}) {
  const order = { date: '2026-03-29T12:00:00', status: 'completed', total: 100 };
  const { referrals } = await send('PUT', `/orders/${id}`, {
    ...order,
    coupon_codes: codes,
    ...changes,
  });
  return referrals.map((referral: any) => [referral.coupon_id, referral.commission]);
}

async function newClick(click: object): Promise<number> {
  return (await send('POST', '/clicks', click)).ids[0];
}

async function verify() {
  const { body } = await app.call(`${STORE}/ledger/verify`, { key: admin });
  assert.deepEqual(body.differences, []);
}

describe('a code that another coupon has since taken', () => {
  test('the coupon that was credited keeps the order, disabled or not', async () => {
    const code = newCode();
    const [first, second] = [await newCoupon(code), await newCoupon(code, 'tomas')];
    const id = newOrderId();
    await put(id, [code]);
    await disable(first.id);
    assert.deepEqual(await put(id, [code.toLowerCase()], { refunds }), [[first.id, 9]]);
    const moved = { order_id: id, date: '2026-03-30T12:00:00', status: 'completed', total: 50 };
    const batch = { orders: [{ ...moved, coupon_codes: [code] }] };
    const { results } = await send('POST', '/orders/batch', batch);
    assert.deepEqual(
      results[0].referrals.map((referral: any) => referral.coupon_id),
      [first.id],
    );
    assert.deepEqual(await put(newOrderId(), [code]), [[second.id, 10]], 'a new order goes on');
    await verify();
  });

  test('a deleted coupon with a successor of the same code', async () => {
    const code = newCode();
    const first = await newCoupon(code);
    const id = newOrderId();
    await put(id, [code]);
    await send('DELETE', `/coupons/${first.id}`, undefined);
    await newCoupon(code, 'tomas');
    assert.deepEqual(await put(id, [code], { refunds }), [[first.id, 9]]);
  });

  test('reassigned: the affiliate who was credited stays', async () => {
    const code = newCode();
    const coupon = await newCoupon(code);
    const id = newOrderId();
    await put(id, [code], { status: 'pending' });
    await send('PATCH', `/coupons/${coupon.id}`, { user_id: idOf('tomas') });
    await put(id, [code], { status: 'processing' });
    const { body } = await app.call(`${STORE}/orders/${id}`, { key: admin });
    assert.equal(body.referrals[0].user_id, idOf('maya'));
  });

  test('removed and added again: the order goes to the coupon that was credited first', async () => {
    const code = newCode();
    const first = await newCoupon(code);
    const id = newOrderId();
    await put(id, [code]);
    await put(id, []);
    await disable(first.id);
    await newCoupon(code, 'tomas');
    assert.deepEqual(await put(id, [code]), [[first.id, 10]]);
    await verify();
  });

  test('an order credited through a link does not credit another coupon of a code used later', async () => {
    const code = newCode();
    const first = await newCoupon(code);
    const click_id = await newClick({ code, date: '2026-03-28T12:00:00' });
    const id = newOrderId();
    assert.deepEqual(await put(id, [], { click_id }), [[first.id, 10]]);
    await disable(first.id);
    await newCoupon(code, 'tomas');
    assert.deepEqual(await put(id, [code], { click_id }), [[first.id, 10]]);
  });
});

describe('a field that led to no coupon when the order was new', () => {
  test('a code: a coupon that is created later is not credited', async () => {
    const [code, other] = [newCode(), newCode()];
    const id = newOrderId();
    await put(id, [code]);
    await newCoupon(code);
    assert.deepEqual(await put(id, [code], { refunds }), []);
    const added = await newCoupon(other);
    assert.deepEqual(await put(id, [code, other]), [[added.id, 10]], 'a code that is new to it is');
  });

  test('a code added to the order again is new to it again', async () => {
    const code = newCode();
    const id = newOrderId();
    await put(id, [code]);
    const coupon = await newCoupon(code);
    assert.deepEqual(await put(id, []), []);
    assert.deepEqual(await put(id, [code]), [[coupon.id, 10]]);
  });

  test('a code of a suspended affiliate: reinstated, only new orders earn', async () => {
    const code = newCode();
    const coupon = await newCoupon(code, 'tomas');
    const suspend = (status: string) => send('PATCH', `/affiliates/${idOf('tomas')}`, { status });
    await suspend('suspended');
    const id = newOrderId();
    assert.deepEqual(await put(id, [code]), []);
    await suspend('active');
    assert.deepEqual(await put(id, [code], { refunds }), []);
    assert.deepEqual(await put(newOrderId(), [code]), [[coupon.id, 10]]);
  });

  test('a click of a disabled coupon that is enabled later; a click new to the order counts', async () => {
    const coupon = await newCoupon(newCode());
    const old = await newClick({ coupon_id: coupon.id, date: '2026-03-27T12:00:00' });
    await disable(coupon.id);
    const id = newOrderId();
    assert.deepEqual(await put(id, [], { click_id: old }), []);
    await send('PATCH', `/coupons/${coupon.id}`, { status: 'active' });
    assert.deepEqual(await put(id, [], { click_id: old, refunds }), []);
    const click_id = await newClick({ coupon_id: coupon.id, date: '2026-03-28T12:00:00' });
    assert.deepEqual(await put(id, [], { click_id }), [[coupon.id, 10]]);
  });

  test('a visitor who clicks later; another visitor, who had clicked before, counts', async () => {
    const coupon = await newCoupon(newCode());
    const [late, early] = [`late ${coupon.id}`, `early ${coupon.id}`];
    const id = newOrderId();
    assert.deepEqual(await put(id, [], { visitor: late }), []);
    for (const visitor of [late, early]) {
      await newClick({ coupon_id: coupon.id, visitor, date: '2026-03-28T12:00:00' });
    }
    assert.deepEqual(await put(id, [], { visitor: late, refunds }), [], 'not looked up again');
    assert.deepEqual(await put(id, [], { visitor: early }), [[coupon.id, 10]]);
    assert.deepEqual(await put(id, []), [[coupon.id, 10]], 'it stays without the visitor');
  });

  test('the code of a link: a coupon that is created later is not credited', async () => {
    const [code, other] = [newCode(), newCode()];
    const id = newOrderId();
    assert.deepEqual(await put(id, [], { referral_code: code }), []);
    const [first, second] = [await newCoupon(code), await newCoupon(other)];
    const same = { referral_code: ` ${code.toLowerCase()}`, refunds };
    assert.deepEqual(await put(id, [], same), [], 'the same code in another case');
    assert.deepEqual(await put(id, [], { referral_code: other }), [[second.id, 10]]);
    assert.deepEqual(await put(id, [], { referral_code: code }), [[second.id, 10]], 'once only');
    assert.deepEqual(await put(newOrderId(), [], { referral_code: code }), [[first.id, 10]]);
  });

  test('a customer: the lifetime rule, switched on later, is for new orders', async () => {
    const coupon = await newCoupon(newCode());
    const customer = { email: `lifetime-${coupon.id}@shop.example` };
    const [before, stranger] = [newOrderId(), newOrderId()];
    await put(before, [], { customer });
    await put(stranger, []);
    await put(newOrderId(), [coupon.code], { customer });
    await app.set({ 'attribution.lifetime': true });
    assert.deepEqual(await put(before, [], { customer, refunds }), []);
    assert.deepEqual(await put(newOrderId(), [], { customer }), [[coupon.id, 10]]);
    assert.deepEqual(await put(stranger, [], { customer }), [[coupon.id, 10]], 'new to the order');
    await app.set({ 'attribution.lifetime': false });
    assert.deepEqual(await put(stranger, [], { customer, refunds }), [[coupon.id, 9]], 'it stays');
  });
});
