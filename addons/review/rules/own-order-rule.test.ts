import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { openPayoutApp, STORE } from '../../../test/support/payouts.ts';
import { statementsOf } from '../../../test/support/statements.ts';

const { app, admin } = await openPayoutApp();

async function send(method: string, path: string, json?: unknown) {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const act = (action: string) => send('PATCH', '/review/rules/own_order', { action });

let made = 0;
let affiliate: { id: number; code: string; email: string; customerId: string };

/** An affiliate who is paid to an account of Zoë Le Grand. */
async function newAffiliate() {
  const login = `own${++made}`;
  const email = `${login}@test.example`;
  const { id } = await send('POST', '/affiliates', { login, email });
  await send('POST', '/coupons', { code: login, user_id: id });
  await send('PUT', `/affiliates/${id}/payout-details`, {
    method_type: 'banktransfer',
    details: { account_holder: 'Zoë LE GRAND', iban: 'DE89370400440532013000' },
  });
  return { id: id as number, code: login, email, customerId: `customer-${made}` };
}

async function put(customer: object, orderId = ++made) {
  const date = app.site.calendar.toLocal(app.site.clock());
  const coupon_codes = [affiliate.code];
  const order = { date, status: 'completed', total: 100, coupon_codes, customer };
  const stored = await send('PUT', `/orders/${orderId}`, order);
  return stored.referrals[0].commission as number;
}

async function cases() {
  const found = await send('GET', `/cases?affiliate_id=${affiliate.id}`);
  return found.map(({ rule, state, reason, held }: Record<string, unknown>) => {
    assert.equal(rule, 'own_order');
    return [state, held, reason];
  });
}

beforeEach(async () => {
  affiliate = await newAffiliate();
  await act('reject');
});

const BY_ID =
  "The store's customer id of this order is one with which the affiliate has ordered before.";
const BY_NAME = "The customer has the name of the holder of the affiliate's payout account.";

describe('by the customer id', () => {
  /** Later orders use other addresses. */
  async function orderWithOwnMailbox() {
    const { email, customerId: id } = affiliate;
    await put({ id, email });
  }

  test('rejects at once, again and again, and never the orders of others', async () => {
    await orderWithOwnMailbox();
    const { customerId: id } = affiliate;
    assert.equal(await put({ id, email: 'other@private.example' }), 0);
    assert.equal(await put({ id, email: 'third@private.example' }), 0);
    assert.equal(await put({ id: 'another', email: 'other@private.example' }), 10);
    assert.deepEqual(await cases(), []);
  });

  test('also where rules ask who customers are, so that ids follow the last address', async () => {
    await app.set({ 'attribution.lifetime': true });
    await orderWithOwnMailbox();
    const { customerId: id } = affiliate;
    for (const name of ['a', 'b', 'b']) {
      assert.equal(await put({ id, email: `${name}@private.example` }), 0);
    }
    await app.set({ 'attribution.lifetime': false });
  });

  test('holds with the action hold, and says why', async () => {
    await act('hold');
    await orderWithOwnMailbox();
    await put({ id: affiliate.customerId, email: 'other@private.example' });
    const found = await cases();
    assert.deepEqual(found[0], ['open', 10, BY_ID]);
    assert.equal(found.length, 2);
  });

  test('off, and without the add-on, ids are not compared', async () => {
    await act('off');
    await orderWithOwnMailbox();
    assert.equal(await put({ id: affiliate.customerId, email: 'other@private.example' }), 10);
    await act('reject');
    await put({ id: affiliate.customerId, email: affiliate.email });
    await app.set({ 'addons.disabled': ['review'] });
    assert.equal(await put({ id: affiliate.customerId, email: 'other@private.example' }), 10);
    await app.set({ 'addons.disabled': [] });
  });
});

describe('by the name of the holder of the payout account', () => {
  test('holds, and never rejects at once', async () => {
    await put({ email: 'other@private.example', name: 'Le  Grand, Zoe' });
    assert.deepEqual(await cases(), [['open', 10, BY_NAME]]);
  });

  test('notes with the action note', async () => {
    await act('note');
    await put({ name: 'zoe le grand' });
    assert.deepEqual(await cases(), [['open', 0, BY_NAME]]);
  });

  test('sees nothing in other names, in a part of it, and in orders without one', async () => {
    for (const name of ['Zoe Grand', 'Zoe', '', undefined])
      await put({ email: 'a@b.example', name });
    assert.deepEqual(await cases(), []);
  });

  test('an order with the own mailbox too is rejected at once', async () => {
    assert.equal(await put({ email: affiliate.email, name: 'Zoë Le Grand' }), 0);
    assert.deepEqual(await cases(), []);
  });

  test('sees nothing where affiliates may earn on their own orders', async () => {
    await app.set({ 'attribution.allow_self': true });
    await put({ name: 'Zoë Le Grand' });
    assert.deepEqual(await cases(), []);
    await app.set({ 'attribution.allow_self': false });
  });

  test('the name is not stored, and reading holders costs a statement only if there is one', async () => {
    const orderId = ++made;
    await put({ name: 'Quentin Unusual' }, orderId);
    const { text } = await app.call(`${STORE}/orders/${orderId}`, { key: admin });
    assert.doesNotMatch(text, /Quentin/);
    const plain = await statementsOf(app.site.database, () => put({ email: 'a@b.example' }));
    const named = await statementsOf(app.site.database, () =>
      put({ email: 'a@b.example', name: 'Quentin Unusual' }),
    );
    assert.equal(named - plain, 1);
  });
});

test('sees the own order of one of several affiliates who share a commission', async () => {
  await app.set({ 'attribution.several': 'share' });
  await act('note');
  const other = affiliate;
  affiliate = await newAffiliate();
  const date = app.site.calendar.toLocal(app.site.clock());
  const coupon_codes = [other.code, affiliate.code];
  const customer = { email: affiliate.email };
  const order = { date, status: 'completed', total: 100, coupon_codes, customer };
  await send('PUT', `/orders/${++made}`, order);
  assert.equal((await cases()).length, 1);
  await app.set({ 'attribution.several': 'each' });
});
