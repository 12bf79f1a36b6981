import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from './postgres/databases.ts';
import { idOf, openTestApp } from './support/harness.ts';
import {
  COUPONS,
  DAYS,
  History,
  RANGES,
  reference,
  referenceAbove,
  referenceSummary,
  refundedOf,
  orderVersion,
  totalOf,
  type Range,
  type OrderVersion,
  type StoreSums,
} from './support/order-model.ts';
import { fc } from './support/seeded-random.ts';

/**
 * Compares random histories of orders with a reference model that computes no differences: it stores the
 * last version of every order and adds up. A rebuild must give exactly the same figures, the report of the
 * store must count every order once, and the parent affiliate must have its share of the same versions.
 * Orders keep changing their coupons: added, removed, swapped and restored; some come through a link.
 */
const app = await openTestApp({ config: { timezone: 'America/New_York' } });
const admin = await app.key('admin', 'read,write,manage');
const STORE = '/svc/store/v1';
/** Fewer on PostgreSQL, where each change is several round trips. */
const RUNS = testServer() === undefined ? 20 : 6;
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
  /** The values by which an order names the link of the coupon. */
  origin: { click_id: number; visitor: string; referral_code: string };
}

async function newCoupon(run: number, i: number): Promise<Coupon> {
  const json = { code: `H${run}C${i}`, user_id: idOf('maya'), percent_override: 7.5 };
  const reply = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  const { id, code } = reply.body;
  const visitor = `visitor of ${code}`;
  const click = { code, visitor, date: `${DAYS[0]}T08:00:00` };
  const { body } = await app.call(`${STORE}/clicks`, { method: 'POST', key: admin, json: click });
  return { id, code, origin: { click_id: body.ids[0], visitor, referral_code: code } };
}

function toOrder(s: OrderVersion, run: number, coupons: Coupon[]) {
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
    ...(s.link && { [s.link.by]: coupons[s.link.coupon]!.origin[s.link.by] }),
    customer: { email: s.own ? 'maya@test.example' : 'shopper@shop.example' },
  };
}

async function summaryOf(range: Range): Promise<StoreSums> {
  const query = new URLSearchParams({ ...range, top: '0', refresh: 'true' });
  const { body } = await app.call(`/reports/summary?${query.toString()}`, { key: admin });
  const { orders_count, ...amounts } = body.totals;
  return {
    orders_count,
    total_sales: cents(amounts.total_sales),
    total_discount: cents(amounts.total_discount),
    total_shipping: cents(amounts.total_shipping),
    total_commission: cents(amounts.total_commission),
  };
}

const summaries = () => Promise.all(RANGES.map(summaryOf));

function minus(after: StoreSums, before: StoreSums): StoreSums {
  const names = Object.keys(after) as (keyof StoreSums)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as StoreSums;
}

const cents = (amount: number) => Math.round(amount * 100);

async function stats(coupon: { id: number }, query = '') {
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

/** Sends the history in the requests it defines: orders of one request are compared in memory. */
async function send(
  history: readonly OrderVersion[],
  run: number,
  coupons: Coupon[],
): Promise<void> {
  const requests: OrderVersion[][] = [];
  for (const s of history) {
    if (s.apart || requests.length === 0) requests.push([]);
    requests.at(-1)!.push(s);
  }
  for (const versions of requests) {
    const json = { orders: versions.map((s) => toOrder(s, run, coupons)) };
    const reply = await app.call(`${STORE}/orders/batch`, { method: 'POST', key: admin, json });
    assert.ok(
      reply.body.results.every((r: any) => r.status < 300),
      reply.text,
    );
  }
}

test('the figures depend only on the version that decided an order and on its last one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(orderVersion, { minLength: 1, maxLength: 14 }), async (versions) => {
      const run = ++runs;
      const coupons: Coupon[] = [];
      for (let i = 0; i < COUPONS; i++) coupons.push(await newCoupon(run, i));
      const aboveBefore = await balancesAbove();
      const storeBefore = await summaries();
      await send(versions, run, coupons);

      const history = new History(versions);
      const aboveAfter = await balancesAbove();
      assert.deepEqual(referenceAbove(history), {
        unpaid: aboveAfter.unpaid - aboveBefore.unpaid,
        awaiting: aboveAfter.awaiting - aboveBefore.awaiting,
      });
      const compareStore = async (when: string) => {
        for (const [i, after] of (await summaries()).entries()) {
          const range = RANGES[i]!;
          const expected = referenceSummary(history, range);
          const text = `the report of ${JSON.stringify(range)} ${when}`;
          assert.deepEqual(minus(after, storeBefore[i]!), expected, text);
        }
      };
      await compareStore('after the history');
      for (const [i, coupon] of coupons.entries()) {
        const expected = reference(history, i);
        const before = await stats(coupon);
        assert.deepEqual(figures(before), expected);
        const all = `?from=${DAYS[0]}&to=${DAYS[2]}`;
        assert.deepEqual(
          figures(await stats(coupon, all)),
          expected,
          'the days add up to the totals',
        );
        const cached = await stats(coupon, all);
        assert.equal(cached.source, 'cache');

        const rebuilt = await stats(coupon, '?refresh=true');
        assert.equal(rebuilt.source, 'live');
        assert.deepEqual(figures(rebuilt), expected, 'a rebuild gives the same figures');
        assert.deepEqual(rebuilt.status_counts, before.status_counts);
        assert.deepEqual(
          figures(await stats(coupon, all)),
          expected,
          'a rebuild gives the same days',
        );
        const listed = await app.call(`/coupons/${coupon.id}/orders?per_page=100`, { key: admin });
        assert.equal(listed.headers.get('x-svc-total'), String(expected.n));
        assert.equal(listed.body.length, expected.n);
      }
      await compareStore('after a rebuild of every coupon');
    }),
    { numRuns: RUNS },
  );
  const { body } = await app.call(`${STORE}/ledger/verify`, { key: admin });
  assert.deepEqual(body.differences, []);
});
