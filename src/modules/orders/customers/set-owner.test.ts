import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../../test/support/harness.ts';
import { query } from '../../../db/statements/query.ts';
import { DAY_MS } from '../../../shared/durations.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({ settings: { 'attribution.lifetime': true } });
const admin = await app.key('admin', 'read,write,manage');
const call = (method: string, path: string, json?: unknown) =>
  app.call(STORE + path, { method, key: admin, json });

const newCoupon = async (code: string, login: string) =>
  (await call('POST', '/coupons', { code, user_id: idOf(login) })).body.id as number;
const maya = await newCoupon('MAYA10', 'maya');
const tomas = await newCoupon('TOM5', 'tomas');
await newCoupon('TOM6', 'tomas');

let lastOrder = 0;
/** Stores an order; resolves to its number and the coupon that it is credited to. */
async function order(customer: object | undefined, codes: string[] = []) {
  const id = ++lastOrder;
  const date = app.site.calendar.toLocal(app.site.clock());
  const json = { date, status: 'completed', total: 100, coupon_codes: codes, customer };
  const { status, body, text } = await call('PUT', `/orders/${id}`, json);
  assert.equal(status, 201, text);
  return { id, coupon: body.referrals[0]?.coupon_id as number | undefined };
}

const ownerOf = async (id: number) => (await call('GET', `/orders/${id}/customer`)).body;
const lastEvents = (event: string) =>
  app.call(`/events?event=${event}&after=0&per_page=100`, { key: admin });
const changes = async () =>
  (await lastEvents('customer.affiliate_changed')).body as {
    data: Record<string, number | null>;
  }[];

describe('GET /orders/{order_id}/customer', () => {
  test('says with whom the customer stays, since when and until when', async () => {
    await app.set({ 'attribution.lifetime_days': 30 });
    after(() => app.set({ 'attribution.lifetime_days': 0 }));
    const startMs = app.site.clock();
    const { id } = await order({ email: 'first@shop.example' }, ['MAYA10']);
    const { calendar } = app.site;
    const owner = await ownerOf(id);
    const { affiliate, ...rest } = owner;
    assert.equal(affiliate.id, idOf('maya'));
    assert.deepEqual(rest, {
      has_customer: true,
      lifetime: true,
      coupon_id: maya,
      coupon_code: 'MAYA10',
      since: calendar.toLocal(startMs - (startMs % 1000)),
      until: calendar.toLocal(startMs - (startMs % 1000) + 30 * DAY_MS),
      follows: true,
    });
    app.advance(31 * DAY_MS);
    assert.equal((await ownerOf(id)).follows, false);
    await app.set({ 'attribution.lifetime_days': 0 });
    const forEver = await ownerOf(id);
    assert.deepEqual([forEver.until, forEver.follows], [null, true]);
  });

  test('an order without a customer has no affiliate for later orders', async () => {
    const { id } = await order(undefined, ['MAYA10']);
    const { has_customer, coupon_id, follows } = await ownerOf(id);
    assert.deepEqual([has_customer, coupon_id, follows], [false, null, false]);
    assert.equal(refusal(await call('GET', '/orders/999999/customer')), '404 svc_api_not_found');
  });
});

describe('PUT /orders/{order_id}/customer', () => {
  test('later orders follow, orders so far stay, and an event says so', async () => {
    const customer = { email: 'moves@shop.example' };
    const { id } = await order(customer, ['MAYA10']);
    const before = (await call('GET', `/orders/${id}`)).body;
    const { body, status } = await call('PUT', `/orders/${id}/customer`, {
      user_id: idOf('tomas'),
    });
    assert.equal(status, 200);
    assert.deepEqual([body.affiliate.id, body.coupon_id], [idOf('tomas'), tomas]);
    assert.deepEqual((await call('GET', `/orders/${id}`)).body, before);
    assert.equal((await order(customer)).coupon, tomas);
    const event = (await changes()).at(-1)!;
    assert.deepEqual(event.data, {
      order_id: id,
      user_id: idOf('tomas'),
      coupon_id: tomas,
      previous_user_id: idOf('maya'),
      previous_coupon_id: maya,
    });
  });

  test('the same affiliate again changes nothing', async () => {
    const { id } = await order({ email: 'same@shop.example' }, ['MAYA10']);
    const [owner, events] = [await ownerOf(id), await changes()];
    app.advance(DAY_MS);
    const { body } = await call('PUT', `/orders/${id}/customer`, { user_id: idOf('maya') });
    assert.deepEqual([body, await changes()], [owner, events]);
  });

  test('the days start again with an affiliate whose time had ended', async () => {
    await app.set({ 'attribution.lifetime_days': 10 });
    const customer = { email: 'ended@shop.example' };
    const { id } = await order(customer, ['MAYA10']);
    app.advance(11 * DAY_MS);
    assert.equal((await order(customer)).coupon, undefined);
    await call('PUT', `/orders/${id}/customer`, { user_id: idOf('maya') });
    assert.equal((await order(customer)).coupon, maya);
    await app.set({ 'attribution.lifetime_days': 0 });
  });

  test('refuses someone without an active coupon, and an order without a customer', async () => {
    const { id } = await order({ email: 'stays@shop.example' }, ['MAYA10']);
    const [owner, events] = [await ownerOf(id), await changes()];
    for (const user_id of [idOf('manager'), 999_999]) {
      const refused = await call('PUT', `/orders/${id}/customer`, { user_id });
      assert.equal(refusal(refused), '400 svc_api_invalid_user');
      assert.deepEqual(Object.keys(refused.body.data.params), ['user_id']);
    }
    const { id: anonymous } = await order(undefined, ['MAYA10']);
    for (const path of [`/orders/${anonymous}/customer`, '/orders/999999/customer']) {
      const json = { user_id: idOf('maya') };
      assert.equal(refusal(await call('PUT', path, json)), '404 svc_api_not_found');
      assert.equal(refusal(await call('DELETE', path)), '404 svc_api_not_found');
    }
    assert.deepEqual([await ownerOf(id), await changes()], [owner, events]);
  });

  test('a change beside incoming orders is not lost', async () => {
    await app.set({ 'attribution.lifetime_extends': true });
    const customer = { email: 'busy@shop.example' };
    const { id } = await order(customer, ['MAYA10']);
    app.advance(1000);
    let isChanged = false;
    const send = async () => {
      for (let i = 0; i < 8; i++) {
        const wasChanged = isChanged;
        const { coupon } = await order(customer);
        // What was sent after the answer belongs to the new affiliate.
        if (wasChanged) assert.equal(coupon, tomas);
        else assert.ok(coupon === maya || coupon === tomas);
      }
    };
    const change = async () => {
      const json = { user_id: idOf('tomas') };
      assert.equal((await call('PUT', `/orders/${id}/customer`, json)).status, 200);
      isChanged = true;
    };
    await Promise.all([send(), send(), change(), send(), send()]);
    assert.equal((await ownerOf(id)).coupon_id, tomas);
    assert.equal((await order(customer)).coupon, tomas);
    await app.set({ 'attribution.lifetime_extends': false });
  });
});

describe('DELETE /orders/{order_id}/customer', () => {
  test('the customer is free until a coupon brings them again', async () => {
    const customer = { id: 'C-77' };
    const { id } = await order(customer, ['MAYA10']);
    const { body } = await call('DELETE', `/orders/${id}/customer`);
    assert.deepEqual([body.affiliate, body.coupon_id, body.since], [null, null, null]);
    assert.equal((await order(customer)).coupon, undefined);
    await order(customer, ['TOM5']);
    assert.equal((await order(customer)).coupon, tomas);
    const events = await changes();
    assert.deepEqual(
      [events.at(-1)!.data.user_id, events.at(-1)!.data.previous_coupon_id],
      [null, maya],
    );
    await call('DELETE', `/orders/${id}/customer`);
    const { length } = await changes();
    await call('DELETE', `/orders/${id}/customer`);
    assert.equal((await changes()).length, length);
  });

  test('a manager may, an affiliate may not', async () => {
    const { id } = await order({ email: 'roles@shop.example' }, ['MAYA10']);
    const path = `${STORE}/orders/${id}/customer`;
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const key = await app.key('maya', 'read,write');
      const json = method === 'PUT' ? { user_id: idOf('maya') } : undefined;
      assert.equal((await app.call(path, { method, key, json })).status, 403);
    }
    const key = await app.key('manager', 'read,write,manage');
    assert.equal((await app.call(path, { method: 'DELETE', key })).status, 200);
  });
});

test('no address of a customer is stored', async () => {
  const events = query<object, { data: string; info: string }>((db) =>
    db.selectFrom('events').select(['data', 'info']),
  );
  const rows = await app.site.database.read.all(events, {});
  assert.ok(rows.length > 0);
  assert.ok(rows.every(({ data, info }) => !`${data}${info}`.includes('shop.example')));
});
