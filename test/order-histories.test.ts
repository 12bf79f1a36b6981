import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { idOf, openTestApp } from './harness.ts';

/**
 * Random histories of orders against a reference that knows nothing of differences: it keeps the
 * last version of every order and adds up. Then a rebuild must give exactly the same figures, and the
 * affiliate above must have its share of the same last versions.
 */
const app = await openTestApp({ config: { timezone: 'America/New_York' } });
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
const COUPONS = 3;
const DAYS = ['2026-03-07', '2026-03-08', '2026-03-09'];
const STATUSES = [
  'pending',
  'processing',
  'on-hold',
  'completed',
  'cancelled',
  'refunded',
  'failed',
] as const;

/** Cents throughout. */
interface Sent {
  order: number;
  day: number;
  status: (typeof STATUSES)[number];
  goods: number;
  discount: number;
  shipping: number;
  refund: number;
  coupons: number[];
}

const sent: fc.Arbitrary<Sent> = fc.record({
  order: fc.nat(3),
  day: fc.nat(DAYS.length - 1),
  status: fc.constantFrom(...STATUSES),
  goods: fc.integer({ min: 0, max: 50_000 }),
  discount: fc.nat(3_000),
  shipping: fc.nat(900),
  refund: fc.oneof(fc.constant(0), fc.nat(20_000)),
  coupons: fc.uniqueArray(fc.nat(COUPONS - 1), { maxLength: 2 }),
});

let runs = 0;

const above = await app.call(`${STORE}/coupons`, {
  method: 'POST',
  key: admin,
  json: { code: 'ABOVE', user_id: idOf('tomas') },
});
const below = await app.call(`${STORE}/affiliates/${idOf('maya')}/parent`, {
  method: 'PUT',
  key: admin,
  json: { parent_id: idOf('tomas') },
});
assert.equal(below.status, 200, below.text);

interface Coupon {
  id: number;
  code: string;
}

async function newCoupon(run: number, i: number): Promise<Coupon> {
  const json = { code: `H${run}C${i}`, user_id: idOf('maya'), percent_override: 7.5 };
  const reply = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

const totalOf = (s: Sent) => Math.max(0, s.goods - s.discount) + s.shipping;
const refundedOf = (s: Sent) => Math.min(s.refund, totalOf(s));

function toOrder(s: Sent, run: number, coupons: Coupon[]) {
  return {
    order_id: run * 10 + s.order + 1,
    date: `${DAYS[s.day]}T23:30:00`,
    status: s.status,
    subtotal: s.goods / 100,
    discount: Math.min(s.discount, s.goods) / 100,
    shipping: s.shipping / 100,
    total: totalOf(s) / 100,
    coupon_codes: s.coupons.map((i) => coupons[i]!.code),
    refunds: s.refund === 0 ? [] : [{ id: 1, amount: refundedOf(s) / 100 }],
  };
}

/** A share of the goods after discount, lowered by the refunded part, half away from zero. */
function commissionOf(s: Sent, perMille = 75n): bigint {
  const base = BigInt(Math.max(0, s.goods - s.discount));
  const total = BigInt(totalOf(s));
  if (total === 0n) return 0n;
  const kept = total - BigInt(refundedOf(s));
  const numerator = base * kept * perMille;
  const denominator = total * 1000n;
  return (2n * numerator + denominator) / (2n * denominator);
}

function reference(last: Map<number, Sent>, touched: Map<number, Set<number>>, coupon: number) {
  const sums = {
    orders_count: 0,
    total_sales: 0,
    total_commission: 0,
    unpaid: 0,
    awaiting: 0,
    n: 0,
  };
  for (const [order, s] of last) {
    if (!touched.get(order)?.has(coupon)) continue;
    sums.n += 1;
    if (!s.coupons.includes(coupon)) continue;
    const commission = Number(commissionOf(s));
    if (s.status === 'completed') sums.unpaid += commission;
    if (s.status === 'processing') sums.awaiting += commission;
    if (s.status !== 'completed' && s.status !== 'processing') continue;
    sums.orders_count += 1;
    sums.total_sales += totalOf(s) - refundedOf(s);
    sums.total_commission += commission;
  }
  return sums;
}

/** What all of it earns for the parent: 5 % of the base of every referral. */
function referenceAbove(last: Map<number, Sent>) {
  const sums = { unpaid: 0, awaiting: 0 };
  for (const s of last.values()) {
    const share = Number(commissionOf(s, 50n)) * s.coupons.length;
    if (s.status === 'completed') sums.unpaid += share;
    if (s.status === 'processing') sums.awaiting += share;
  }
  return sums;
}

const cents = (amount: number) => Math.round(amount * 100);

async function stats(coupon: Coupon, query = '') {
  const { body } = await app.call(`/coupons/${coupon.id}/stats${query}`, { key: admin });
  return body;
}

async function balancesAbove() {
  const body = await stats(above.body);
  return {
    unpaid: cents(body.unpaid_commission),
    awaiting: cents(body.pending_order_commission),
  };
}

function figures(body: any) {
  return {
    orders_count: body.orders_count,
    total_sales: cents(body.total_sales),
    total_commission: cents(body.total_commission),
    unpaid: cents(body.unpaid_commission),
    awaiting: cents(body.pending_order_commission),
    n: Object.values<number>(body.status_counts).reduce((sum, n) => sum + n, 0),
  };
}

test('whatever the sequence of updates, the figures are those of the last versions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 14 }), async (history) => {
      const run = ++runs;
      const coupons = await Promise.all([0, 1, 2].map((i) => newCoupon(run, i)));
      const orders = history.map((s) => toOrder(s, run, coupons));
      const json = { orders };
      const aboveBefore = await balancesAbove();
      const reply = await app.call(`${STORE}/orders/batch`, { method: 'POST', key: admin, json });
      assert.ok(
        reply.body.results.every((r: any) => r.status < 300),
        reply.text,
      );

      const last = new Map<number, Sent>();
      const touched = new Map<number, Set<number>>();
      for (const s of history) {
        last.set(s.order, s);
        const seen = touched.get(s.order) ?? new Set();
        touched.set(s.order, new Set([...seen, ...s.coupons]));
      }
      const aboveAfter = await balancesAbove();
      assert.deepEqual(referenceAbove(last), {
        unpaid: aboveAfter.unpaid - aboveBefore.unpaid,
        awaiting: aboveAfter.awaiting - aboveBefore.awaiting,
      });
      for (const [i, coupon] of coupons.entries()) {
        const expected = reference(last, touched, i);
        const before = await stats(coupon);
        assert.deepEqual(figures(before), expected);
        const all = `?from=${DAYS[0]}&to=${DAYS[2]}`;
        assert.deepEqual(figures(await stats(coupon, all)), expected, 'the days add up');
        const cached = await stats(coupon, all);
        assert.equal(cached.source, 'cache');

        const rebuilt = await stats(coupon, '?refresh=true');
        assert.equal(rebuilt.source, 'live');
        assert.deepEqual(figures(rebuilt), expected, 'a rebuild gives the same');
        assert.deepEqual(rebuilt.status_counts, before.status_counts);
        assert.deepEqual(figures(await stats(coupon, all)), expected, 'and so do the days');
        const listed = await app.call(`/coupons/${coupon.id}/orders?per_page=100`, { key: admin });
        assert.equal(listed.headers.get('x-svc-total'), String(expected.n));
        assert.equal(listed.body.length, expected.n);
      }
    }),
    { numRuns: 40 },
  );
  const { body } = await app.call(`${STORE}/ledger/verify`, { key: admin });
  assert.deepEqual(body.differences, []);
});
