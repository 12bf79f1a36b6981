import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, type Reply } from '../support/harness.ts';

/**
 * The way of a sale, walked over HTTP alone: a coupon is created, its affiliate reads the link, a
 * shopper follows it, the store sends the order, the commission is granted, requested and paid.
 */
const app = await openTestApp();
const STORE = '/svc/store/v1';
const store = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'read,write');

async function send(method: string, path: string, json: object, key = store): Promise<any> {
  const reply = await app.call(path, { method, key, json });
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body;
}

async function read(path: string, key = store): Promise<any> {
  const reply = await app.call(path, { key });
  assert.equal(reply.status, 200, `${path}: ${reply.text}`);
  return reply.body;
}

let lastCode = 0;
/** A coupon of maya's that earns ten percent. */
async function newCoupon(): Promise<{ id: number; code: string }> {
  const json = { code: `Walk ${++lastCode}ä/50%`.replace(' ', '-'), user_id: idOf('maya') };
  return send('POST', `${STORE}/coupons`, json);
}

/** Follows a link like a browser, and returns the landing page. */
async function follow(link: string, cookie?: string): Promise<{ landing: URL; cookie: string }> {
  assert.ok(link.startsWith(app.site.publicUrl), link);
  const path = link.slice(app.site.publicUrl.length);
  const reply = await app.call(`~${path}`, { ...(cookie && { headers: { cookie } }) });
  assert.equal(reply.status, 302);
  return { landing: new URL(reply.headers.get('location')!), cookie: cookieOf(reply) };
}

const cookieOf = (reply: Reply) => reply.headers.getSetCookie()[0]!.split(';')[0]!;

const today = () => app.site.calendar.toLocal(app.site.clock());

let lastOrder = 0;
/** The store sends an order of 100, with what it knows about where the shopper came from. */
async function order(origin: object, id = ++lastOrder): Promise<any> {
  const json = { date: today(), status: 'completed', total: 100, currency: 'USD', ...origin };
  return send('PUT', `${STORE}/orders/${id}`, json);
}

/** The order is credited to the coupon by its link, and everything that shows it says the same. */
async function assertCredited(
  orderId: number,
  coupon: { id: number },
  by: { credited_by: string; click_id: number | null },
): Promise<void> {
  const stored = await read(`${STORE}/orders/${orderId}`);
  assert.deepEqual(stored.referrals, [
    {
      coupon_id: coupon.id,
      user_id: idOf('maya'),
      commission: 10,
      state: 'granted',
      credited_via: 'link',
    },
  ]);
  const { referrals } = await read(`${STORE}/orders/${orderId}/commission`, maya);
  const { credited_via, credited_by, click_id } = referrals[0];
  assert.deepEqual({ credited_via, credited_by, click_id }, { credited_via: 'link', ...by });

  const stats = await read(`/coupons/${coupon.id}/stats`, maya);
  assert.deepEqual([stats.orders_count, stats.total_commission], [1, 10]);
  const [listed] = await read(`/coupons/${coupon.id}/orders`, maya);
  assert.deepEqual([listed.order_id, listed.credited_via], [orderId, 'link']);
  const [entry] = await read(`${STORE}/coupons/${coupon.id}/ledger`, maya);
  assert.deepEqual([entry.order_id, entry.amount], [orderId, 10]);
}

async function clickStats(coupon: { id: number }): Promise<[number, number]> {
  const { clicks, conversions } = await read(`/clicks/stats?coupon_id=${coupon.id}`, maya);
  return [clicks, conversions];
}

describe('from the link to the bank', () => {
  test('over the referral link: link, click, order, commission, payout, bank reference', async () => {
    const coupon = await newCoupon();
    const { referral_url } = await read(`/coupons/${coupon.id}`, maya);
    const { landing } = await follow(
      `${referral_url}?utm_source=news&utm_source=b%26c&campaign=may`,
    );
    assert.equal(landing.origin, 'https://store.example');
    assert.deepEqual(landing.searchParams.getAll('utm_source'), ['news', 'b&c']);
    assert.equal(landing.searchParams.get('ref'), coupon.code);
    assert.deepEqual(await clickStats(coupon), [1, 0]);

    const click_id = Number(landing.searchParams.get('click_id'));
    const { order_id } = await order({ click_id });
    await assertCredited(order_id, coupon, { credited_by: 'click_id', click_id });
    assert.deepEqual(await clickStats(coupon), [1, 1]);

    const details = { account_holder: 'Maya Okafor', iban: 'DE89370400440532013000' };
    const detailsPath = `${STORE}/affiliates/${idOf('maya')}/payout-details`;
    await send('PUT', detailsPath, { method_type: 'banktransfer', details }, maya);
    const payout = await send('POST', '/payouts', { coupon_id: coupon.id }, maya);
    assert.deepEqual([payout.amount, payout.status], [10, 'pending']);

    const path = `${detailsPath}?payout_id=${payout.id}`;
    const masked = await app.call(path, { key: store });
    assert.ok(!masked.text.includes(details.iban), 'masked unless it is revealed');
    const revealed = await app.call(`${path}&reveal=true`, { key: store });
    assert.ok(revealed.text.includes(details.iban), revealed.text);
    const transaction_id = 'SEPA-2026-0329-1';
    await send('POST', `/payouts/${payout.id}/status`, { status: 'paid', transaction_id });
    const paid = await read(`/payouts/${payout.id}`, maya);
    assert.deepEqual([paid.status, paid.transaction_id], ['paid', transaction_id]);
    const { unpaid_commission, paid_commission } = await read(`/coupons/${coupon.id}`, maya);
    assert.deepEqual([unpaid_commission, paid_commission], [0, 10]);
  });

  test('by the visitor of the link, whom the store reads from the landing address', async () => {
    const coupon = await newCoupon();
    const { referral_url } = await read(`/coupons/${coupon.id}`, maya);
    const first = await follow(referral_url);
    const visitor = first.landing.searchParams.get('visitor');
    assert.match(visitor!, /^[\w-]{22}$/);
    const { landing } = await follow(referral_url, first.cookie);
    assert.equal(
      landing.searchParams.get('visitor'),
      visitor,
      'the same browser, the same visitor',
    );

    const { order_id } = await order({ visitor });
    const click_id = Number(landing.searchParams.get('click_id'));
    await assertCredited(order_id, coupon, { credited_by: 'visitor', click_id });
    assert.deepEqual(await clickStats(coupon), [1, 1], 'the same visitor counts once an hour');
  });

  test('over POST /clicks with a visitor of the store, and an order of that visitor', async () => {
    const [other, coupon] = [await newCoupon(), await newCoupon()];
    const visitor = 'session 4711';
    const { ids } = await send('POST', `${STORE}/clicks`, [
      { code: other.code, visitor, date: '2026-01-01T12:00:00' },
      { code: 'no such code', visitor },
      { code: coupon.code, visitor, date: '2026-01-02T12:00:00' },
      { code: other.code, visitor, date: '2026-01-04T12:00:00' },
    ]);
    assert.deepEqual([ids.length, ids[1]], [4, null]);

    const { order_id } = await order({ visitor, date: '2026-01-03T12:00:00' });
    await assertCredited(order_id, coupon, { credited_by: 'visitor', click_id: ids[2] });
    assert.deepEqual(await clickStats(coupon), [1, 1]);
    assert.deepEqual(await clickStats(other), [2, 0]);
    const stored = await app.call(`${STORE}/orders/${order_id}`, { key: store });
    assert.ok(!stored.text.includes(visitor), 'never in clear');
  });

  test('by the code of the link, which a store keeps where links lead straight to it', async () => {
    await app.set({ 'attribution.link': 'store' });
    const coupon = await newCoupon();
    const { referral_url } = await read(`/coupons/${coupon.id}`, maya);
    await app.set({ 'attribution.link': 'redirect' });
    const link = new URL(referral_url);
    assert.equal(link.origin, 'https://store.example');

    const referral_code = link.searchParams.get('ref')!.toLowerCase();
    const { order_id, ...stored } = await order({ referral_code });
    assert.equal(stored.referral_code, referral_code);
    await assertCredited(order_id, coupon, { credited_by: 'referral_code', click_id: null });
  });
});
