import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

/** Which of `coupon_codes`, `click_id`, `visitor` and `referral_code` an order is credited by. */
const app = await openTestApp();
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';

async function send(method: string, path: string, json: unknown): Promise<any> {
  const reply = await app.call(STORE + path, { method, key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

let made = 0;
const newCoupon = (login = 'maya') =>
  send('POST', '/coupons', { code: `LINK${++made}`, user_id: idOf(login) });

async function newClick(coupon: { id: number }, visitor?: string): Promise<number> {
  const click = { coupon_id: coupon.id, visitor, date: '2026-03-28T12:00:00' };
  return (await send('POST', '/clicks', click)).ids[0];
}

let lastOrder = 0;
const base = { date: '2026-03-29T12:00:00', status: 'completed', total: 100 };

/** Coupon, field and click of what an order is credited by; nothing where it is not. */
async function credited(origin: object, id = ++lastOrder) {
  await send('PUT', `/orders/${id}`, { ...base, ...origin });
  const { body } = await app.call(`${STORE}/orders/${id}/commission`, { key: admin });
  const [referral] = body.referrals;
  return referral && [referral.coupon_id, referral.credited_by, referral.click_id];
}

async function conversionsOf({ id }: { id: number }): Promise<number> {
  return (await app.call(`/clicks/stats?coupon_id=${id}`, { key: admin })).body.conversions;
}

describe('the first that leads to a coupon counts', () => {
  test('coupon_codes, click_id, visitor, referral_code, in this order', async () => {
    const [used, clicked, visited, linked] = [
      await newCoupon(),
      await newCoupon('tomas'),
      await newCoupon(),
      await newCoupon('tomas'),
    ];
    const click_id = await newClick(clicked);
    const visitor = 'order of fields';
    const visit = await newClick(visited, visitor);
    const byCode = { referral_code: linked.code };
    const byVisitor = { ...byCode, visitor };
    const byClick = { ...byVisitor, click_id };
    const byCoupon = { ...byClick, coupon_codes: [used.code] };
    assert.deepEqual(await credited(byCoupon), [used.id, 'coupon_codes', null]);
    assert.deepEqual(await credited(byClick), [clicked.id, 'click_id', click_id]);
    assert.deepEqual(await credited(byVisitor), [visited.id, 'visitor', visit]);
    assert.deepEqual(await credited(byCode), [linked.id, 'referral_code', null]);
  });

  test('a click on the same day or in the same minute, if the order has no more precise time', async () => {
    const coupon = await newCoupon();
    const visitor = 'quick';
    const click = await newClick(coupon, visitor);
    for (const date of ['2026-03-28', '2026-03-28T12:00', '2026-03-28 12:00']) {
      assert.deepEqual(await credited({ date, visitor }), [coupon.id, 'visitor', click], date);
    }
    assert.equal(await credited({ date: '2026-03-28T11:59', visitor }), undefined);
  });

  test('a field that leads to no coupon is skipped', async () => {
    const [disabled, suspended, good] = [
      await newCoupon(),
      await newCoupon('tomas'),
      await newCoupon(),
    ];
    const visitor = 'gives way';
    const clicks = [await newClick(disabled), await newClick(suspended)];
    await newClick(suspended, visitor);
    await send('PATCH', `/coupons/${disabled.id}`, { status: 'disabled' });
    await send('PATCH', `/affiliates/${idOf('tomas')}`, { status: 'suspended' });
    const expected = [good.id, 'referral_code', null];
    for (const click_id of [...clicks, 987_654_321]) {
      for (const who of [visitor, 'nobody']) {
        const origin = { coupon_codes: ['none'], click_id, visitor: who, referral_code: good.code };
        assert.deepEqual(await credited(origin), expected);
      }
    }
    assert.equal(await credited({ click_id: clicks[0], referral_code: disabled.code }), undefined);
    assert.equal(await credited({ referral_code: suspended.code }), undefined);
    await send('PATCH', `/affiliates/${idOf('tomas')}`, { status: 'active' });
  });

  test("a customer's lifetime affiliate comes after all of them", async () => {
    await app.set({ 'attribution.lifetime': true });
    const [first, linked] = [await newCoupon(), await newCoupon()];
    const customer = { email: 'for-life@shop.example' };
    await credited({ customer, coupon_codes: [first.code] });
    assert.deepEqual(await credited({ customer, referral_code: linked.code }), [
      linked.id,
      'referral_code',
      null,
    ]);
    assert.deepEqual(await credited({ customer }), [first.id, 'customer', null]);
    await app.set({ 'attribution.lifetime': false });
  });
});

describe('a conversion', () => {
  test("of the visitor's click, once, also where the coupon itself was used", async () => {
    const coupon = await newCoupon();
    const visitor = 'converts';
    await newClick(coupon, visitor);
    const id = ++lastOrder;
    await credited({ visitor }, id);
    await credited({ visitor, status: 'processing' }, id);
    await credited({ visitor });
    assert.equal(await conversionsOf(coupon), 1, 'a click converts once');
    const click = await newClick(coupon, visitor);
    const origin = { coupon_codes: [coupon.code], visitor };
    assert.deepEqual(await credited(origin), [coupon.id, 'coupon_codes', click]);
    assert.equal(await conversionsOf(coupon), 2);
  });
});

describe('the record', () => {
  test('shows what the store sent, the visitor only as a keyed hash', async () => {
    const id = ++lastOrder;
    const visitor = 'shown-to-no-one';
    const origin = { click_id: 77, visitor, referral_code: 'Summer' };
    const reply = await app.call(`${STORE}/orders/${id}`, {
      method: 'PUT',
      key: admin,
      json: { ...base, ...origin },
    });
    const visitor_hash = app.site.keyring.hash('visitor', visitor);
    const { click_id, referral_code, visitor_hash: shown } = reply.body;
    assert.deepEqual([click_id, shown, referral_code], [77, visitor_hash, 'Summer']);
    const stored = await app.call(`${STORE}/orders/${id}`, { key: admin });
    assert.deepEqual(stored.body, reply.body);
    assert.ok(!stored.text.includes(visitor));
    const none = await send('PUT', `/orders/${++lastOrder}`, base);
    assert.deepEqual([none.click_id, none.visitor_hash, none.referral_code], [null, null, null]);
  });

  test('the same order again changes nothing and emits no event', async () => {
    const coupon = await newCoupon();
    const json = { ...base, visitor: 'again', referral_code: coupon.code };
    const id = ++lastOrder;
    await send('PUT', `/orders/${id}`, json);
    const events = async () => (await app.call('/events?per_page=1', { key: admin })).body[0].id;
    const before = await events();
    await send('PUT', `/orders/${id}`, json);
    await send('POST', '/orders/batch', { orders: [{ order_id: id, ...json }] });
    assert.equal(await events(), before);
  });
});

test('400: faulty fields are named', async () => {
  const json = { ...base, visitor: '', referral_code: 'x'.repeat(51), click_id: 0 };
  const reply = await app.call(`${STORE}/orders/${++lastOrder}`, {
    method: 'PUT',
    key: admin,
    json,
  });
  assert.equal(refusal(reply), '400 rest_invalid_param');
  assert.deepEqual(Object.keys(reply.body.data.params).sort(), [
    'click_id',
    'referral_code',
    'visitor',
  ]);
});

test('in a batch each order is credited to its own visitor', async () => {
  const coupons = [await newCoupon(), await newCoupon('tomas')];
  const visitors = Array.from({ length: 40 }, (_, i) => `batch ${i}`);
  const couponOf = (i: number) => coupons[i % 2]!.id;
  const clicks = visitors.map((visitor, i) => ({
    coupon_id: couponOf(i),
    visitor,
    date: '2026-03-28T12:00:00',
  }));
  await send('POST', '/clicks', clicks);
  const orders = visitors.map((visitor) => ({ order_id: ++lastOrder, ...base, visitor }));
  const { results } = await send('POST', '/orders/batch', { orders });
  assert.deepEqual(
    results.map(({ referrals }: any) => referrals.map((referral: any) => referral.coupon_id)),
    visitors.map((_, i) => [couponOf(i)]),
  );
  assert.deepEqual(await Promise.all(coupons.map(conversionsOf)), [20, 20]);
});

describe('a visit leads to the order', () => {
  let visits = 0;
  const from = () => ({ 'x-forwarded-for': `10.8.0.${++visits}` });

  /** The landing address after a referral link. */
  async function followed(code: string) {
    const { headers } = await app.call(`~/r/${code}`, { headers: from() });
    const found = new URL(headers.get('location')!).searchParams;
    return { click_id: Number(found.get('click_id')), visitor: found.get('visitor')! };
  }

  /** What the script on the landing page sends and gives to the checkout. */
  async function beaconed(code: string) {
    const visitor = `t.${String(++visits).padStart(20, '0')}`;
    const form = new URLSearchParams({ code, visitor }).toString();
    const reply = await app.call('~/t', { method: 'POST', form, headers: from() });
    assert.equal(reply.status, 202);
    return { visitor };
  }

  const ways: [string, (coupon: { code: string }) => Promise<object>, string][] = [
    ['click_id of a link', async ({ code }) => followed(code), 'click_id'],
    [
      'visitor of a link',
      async ({ code }) => ({ visitor: (await followed(code)).visitor }),
      'visitor',
    ],
    ['visitor of the script', ({ code }) => beaconed(code), 'visitor'],
    [
      'everything that the script gives',
      async ({ code }) => ({ ...(await beaconed(code)), referral_code: code }),
      'visitor',
    ],
    [
      'the code alone',
      async ({ code }) => ({ referral_code: ` ${code.toLowerCase()}` }),
      'referral_code',
    ],
  ];
  for (const [name, visit, by] of ways) {
    test(`by ${name}, in a PUT and in a batch`, async () => {
      const coupon = await newCoupon();
      const order = { ...base, date: new Date(app.site.clock()).toISOString() };
      const [, putBy, click] = await credited({ ...order, ...(await visit(coupon)) });
      assert.equal(putBy, by);
      const order_id = ++lastOrder;
      const orders = [{ order_id, ...order, ...(await visit(coupon)) }];
      const { results } = await send('POST', '/orders/batch', { orders });
      const [referral] = results[0].referrals;
      assert.deepEqual([referral.coupon_id, referral.credited_via], [coupon.id, 'link']);
      assert.equal(await conversionsOf(coupon), click === null ? 0 : 2);
    });
  }
});
