import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { invoke } from '../../../src/kernel/call/invoke.ts';
import { createAffiliate } from '../../../src/modules/affiliates/index.ts';
import { openTestApp, refusal } from '../../../test/support/harness.ts';
import { fc } from '../../../test/support/seeded-random.ts';

const STORE = '/svc/store/v1';
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];

interface Affiliate {
  id: number;
  coupon: number;
  code: string;
}

const app = await openTestApp({
  settings: { 'payouts.details_required': false },
  config: { currency: 'EUR' },
});
const admin = await app.key('admin', 'read,write,manage');
const get = async (path: string) => (await app.call(path, { key: admin })).body;
const send = (method: string, path: string, json: object) =>
  app.call(path, { method, key: admin, json });
const cents = (amount: number) => Math.round(amount * 100);

let lines = 0;
/** A line of three, the top first, each with a coupon. */
async function newLine(): Promise<Affiliate[]> {
  const run = ++lines;
  const line: Affiliate[] = [];
  for (const place of ['top', 'mid', 'low']) {
    const login = `${place}${run}`;
    const made = await invoke<any>(app.site, createAffiliate, {
      login,
      email: `${login}@line.example`,
      parent_id: line.at(-1)?.id,
      coupon: { code: login },
    });
    line.push({ id: made.id, coupon: made.coupons[0].id, code: login });
  }
  return line;
}

/** What is on a coupon, and what its figures say has come in. */
async function standing(coupon: number) {
  const { stats, ...record } = await get(`/coupons/${coupon}`);
  return {
    held:
      cents(record.unpaid_commission) +
      cents(record.pending_order_commission) +
      cents(record.pending_payout_commission) +
      cents(record.paid_commission),
    total: cents(stats.total_commission),
    upline: cents(stats.upline_commission),
  };
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      order: fc.nat(3),
      day: fc.nat(DAYS.length - 1),
      status: fc.constantFrom('pending', 'processing', 'completed', 'completed', 'cancelled'),
      total: fc.integer({ min: 1, max: 90_000 }),
      refund: fc.nat(40_000),
      coupons: fc.uniqueArray(fc.nat(2), { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      who: fc.nat(2),
      amount: fc.integer({ min: -500, max: 500 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('payout' as const),
      who: fc.nat(2),
      status: fc.constantFrom('paid', 'cancel', 'pending'),
    }),
  },
);

describe('balances and figures of coupons add up', () => {
  test('after any history of orders, refunds, adjustments and payouts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const line = await newLine();
        const adjusted = [0, 0, 0];
        const storeBefore = (await get('/reports/summary?refresh=true&top=0')).totals;
        for (const one of steps) {
          if (one.kind === 'order') {
            const refund = Math.min(one.refund, one.total);
            const reply = await send('PUT', `${STORE}/orders/${lines * 10 + one.order}`, {
              date: `${DAYS[one.day]}T10:00:00`,
              status: one.status,
              total: one.total / 100,
              coupon_codes: one.coupons.map((i) => line[i]!.code),
              refunds: refund === 0 ? [] : [{ id: 1, amount: refund / 100 }],
            });
            assert.ok(reply.status < 300, reply.text);
          } else if (one.kind === 'adjust') {
            const json = { amount: one.amount / 100, note: 'By hand' };
            const path = `${STORE}/coupons/${line[one.who]!.coupon}/adjustments`;
            if ((await send('POST', path, json)).status === 201) adjusted[one.who]! += one.amount;
          } else {
            const { body } = await send('POST', '/payouts', { coupon_id: line[one.who]!.coupon });
            if (body.id) await send('POST', `/payouts/${body.id}/status`, { status: one.status });
          }
        }
        const sums = { total: 0, upline: 0 };
        for (const [i, { id, coupon }] of line.entries()) {
          const { held, total, upline } = await standing(coupon);
          assert.equal(held, total + upline + adjusted[i]!, `coupon ${i} of the line`);
          sums.total += total;
          sums.upline += upline;

          const all = await get(`/coupons/${coupon}/stats`);
          assert.deepEqual(
            [cents(all.total_commission), cents(all.upline_commission)],
            [total, upline],
          );
          const range = `from=${DAYS[0]}&to=${DAYS[2]}`;
          const days = await get(`/coupons/${coupon}/stats?${range}`);
          assert.deepEqual(
            [cents(days.total_commission), cents(days.upline_commission)],
            [total, upline],
            'by day',
          );
          for (const query of ['', `?${range}`]) {
            const { totals, coupons } = await get(`/affiliates/${id}/stats${query}`);
            assert.equal(cents(totals.upline_commission), upline, query);
            assert.equal(cents(coupons[0].upline_commission), upline, query);
          }
          const rebuilt = await get(`/coupons/${coupon}/stats?refresh=true`);
          assert.equal(rebuilt.source, 'live');
          assert.deepEqual(
            [cents(rebuilt.total_commission), cents(rebuilt.upline_commission)],
            [total, upline],
            'rebuilt',
          );
        }
        const storeAfter = (await get('/reports/summary?refresh=true&top=0')).totals;
        const grown = (name: string) => cents(storeAfter[name]) - cents(storeBefore[name]);
        assert.equal(grown('total_commission'), sums.total);
        assert.equal(grown('upline_commission'), sums.upline);
      }),
      { numRuns: 25 },
    );
    assert.deepEqual((await get(`${STORE}/ledger/verify`)).differences, []);
  });

  test('while the add-on is off, and after it is on again', async () => {
    const [top, , low] = await newLine();
    const order = (id: number, json: object) =>
      send('PUT', `${STORE}/orders/${id}`, {
        date: '2026-03-01T10:00:00',
        status: 'completed',
        total: 100,
        coupon_codes: [low!.code],
        ...json,
      });
    const shown = async () => {
      const { held, total, upline } = await standing(top!.coupon);
      assert.equal(held, total + upline);
      const { totals } = await get('/reports/summary?refresh=true&from=2026-03-02&to=2026-03-02');
      return [upline, cents(totals.upline_commission)];
    };
    await order(9_001, {});
    const [, onSecond] = await shown();
    await app.set({ 'addons.disabled': ['multilevel'] });
    // A share follows its order while the add-on is off, and a new order has none.
    await order(9_001, { date: '2026-03-02T10:00:00', total: 300 });
    await order(9_002, {});
    assert.deepEqual(await shown(), [600, onSecond! + 600 + 1500]);
    const rebuilt = await get(`/coupons/${top!.coupon}/stats?refresh=true`);
    assert.deepEqual([rebuilt.source, rebuilt.upline_commission], ['live', 6]);
    await app.set({ 'addons.disabled': [] });
    await order(9_001, { date: '2026-03-02T10:00:00', total: 400 });
    // 2 % for the second level above, 5 % for the first.
    assert.deepEqual(await shown(), [800, onSecond! + 800 + 2000]);
    app.advance(61_000);
    const again = await get(`/coupons/${top!.coupon}/stats?refresh=true`);
    assert.deepEqual([again.source, again.upline_commission], ['live', 8]);
  });

  test('the shares of an order that no longer counts leave the figures', async () => {
    const [top, mid, low] = await newLine();
    const order = (status: string) =>
      send('PUT', `${STORE}/orders/9003`, {
        date: '2026-03-01T10:00:00',
        status,
        total: 100,
        coupon_codes: [low!.code],
      });
    const shares = async () => [
      (await standing(top!.coupon)).upline,
      (await standing(mid!.coupon)).upline,
    ];
    await order('processing');
    assert.deepEqual(await shares(), [200, 500]);
    await order('completed');
    assert.deepEqual(await shares(), [200, 500]);
    await order('cancelled');
    assert.deepEqual(await shares(), [0, 0]);
  });

  test('a report names the shares of its top affiliates', async () => {
    const [, mid, low] = await newLine();
    for (const [id, code] of [
      [9_004, low!.code],
      [9_005, mid!.code],
    ] as const) {
      const json = { status: 'completed', total: 90_000, coupon_codes: [code] };
      await send('PUT', `${STORE}/orders/${id}`, { date: '2026-03-01T10:00:00', ...json });
    }
    for (const query of ['', '&from=2026-03-01&to=2026-03-01']) {
      const { top_affiliates } = await get(`/reports/summary?refresh=true&top=50${query}`);
      const earner = top_affiliates.find((one: any) => one.user.id === mid!.id);
      assert.deepEqual([earner.total_commission, earner.upline_commission], [9_000, 4_500], query);
    }
  });

  test('a coupon that only a share refers to is disabled, not deleted', async () => {
    const [, mid, low] = await newLine();
    await send('PUT', `${STORE}/orders/9006`, {
      date: '2026-03-01T10:00:00',
      status: 'pending',
      total: 100,
      coupon_codes: [low!.code],
    });
    const reply = await app.call(`${STORE}/coupons/${mid!.coupon}`, {
      method: 'DELETE',
      key: admin,
    });
    assert.equal(reply.status, 200, refusal(reply));
    assert.deepEqual(reply.body, { deleted: false });
  });
});
