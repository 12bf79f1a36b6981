import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp, refusal } from '../../../test/support/harness.ts';

const app = await openTestApp({ config: { timezone: 'Europe/Berlin' } });
const admin = await app.key('admin', 'read,write,manage');
const reader = await app.key('admin', 'read');
const maya = await app.key('maya', 'read');
const mayaWrites = await app.key('maya', 'read,write');
const tomas = await app.key('tomas', 'read');
const STORE = '/svc/store/v1';

let made = 0;
async function newCoupon(fields: object = {}): Promise<{ id: number; code: string }> {
  const json = { code: `STAT${++made}`, user_id: idOf('maya'), ...fields };
  const reply = await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

let orders = 0;
async function order(code: string, date: string, fields: object = {}): Promise<number> {
  const id = ++orders;
  const json = { date, status: 'completed', total: 50, coupon_codes: [code], ...fields };
  const reply = await app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json });
  assert.ok(reply.status < 300, reply.text);
  return id;
}

const stats = (id: number, query = '', key = admin) =>
  app.call(`/coupons/${id}/stats${query}`, { key });
const counts = async (id: number, query: string) => (await stats(id, query)).body.orders_count;

describe('GET /coupons/{id}/stats', () => {
  describe('200', () => {
    test('all-time: the stored snapshot, with every key', async () => {
      const coupon = await newCoupon();
      await order(coupon.code, '2026-03-01T10:00:00', { discount: 5, shipping: 4 });
      const { body } = await stats(coupon.id);
      assert.deepEqual(body, {
        coupon_id: coupon.id,
        code: coupon.code,
        from: null,
        to: null,
        source: 'snapshot',
        code_ambiguous: false,
        orders_count: 1,
        total_sales: 50,
        total_discount: 5,
        total_shipping: 4,
        total_commission: 4.6,
        upline_commission: 0,
        status_counts: {
          pending: 0,
          processing: 0,
          'on-hold': 0,
          completed: 1,
          cancelled: 0,
          refunded: 0,
          failed: 0,
        },
        last_refreshed: null,
        unpaid_commission: 4.6,
        pending_order_commission: 0,
        pending_payout_commission: 0,
      });
    });

    test("days are in the site's time zone: midnight and clock changes", async () => {
      const coupon = await newCoupon();
      // In Berlin 23:30Z on 28 March is 00:30 on the 29th; 22:30Z on the 29th is 00:30 on the 30th.
      await order(coupon.code, '2026-03-28T22:59:59Z');
      await order(coupon.code, '2026-03-28T23:30:00Z');
      await order(coupon.code, '2026-03-29T21:59:59Z');
      await order(coupon.code, '2026-03-29T22:30:00Z');
      await order(coupon.code, '2026-03-29T02:30:00'); // This hour does not exist.
      assert.equal(await counts(coupon.id, '?from=2026-03-28&to=2026-03-28'), 1);
      assert.equal(await counts(coupon.id, '?from=2026-03-29&to=2026-03-29'), 3);
      assert.equal(await counts(coupon.id, '?from=2026-03-30&to=2026-03-30'), 1);
    });

    test('`from` alone ends today, `to` alone has no start', async () => {
      const coupon = await newCoupon();
      await order(coupon.code, '2020-01-05T10:00:00');
      const today = app.site.calendar.dayOf(app.site.clock());
      await order(coupon.code, `${today}T00:00:00`);
      const { body } = await stats(coupon.id, '?from=2020-01-06');
      assert.deepEqual([body.orders_count, body.from, body.to], [1, '2020-01-06', today]);
      const open = (await stats(coupon.id, '?to=2020-01-05')).body;
      assert.deepEqual([open.orders_count, open.from, open.to], [1, null, '2020-01-05']);
    });

    test('an order moved to another day counts there only', async () => {
      const coupon = await newCoupon();
      const id = await order(coupon.code, '2026-05-01T10:00:00');
      assert.equal(await counts(coupon.id, '?from=2026-05-01&to=2026-05-01'), 1);
      const json = {
        date: '2026-05-02T10:00:00',
        status: 'completed',
        total: 50,
        coupon_codes: [coupon.code],
      };
      await app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json });
      assert.equal(await counts(coupon.id, '?from=2026-05-01&to=2026-05-01'), 0);
      assert.equal(await counts(coupon.id, '?from=2026-05-02&to=2026-05-02'), 1);
    });

    test('a fixed range is served from the cache until something changes', async () => {
      const coupon = await newCoupon();
      const range = '?from=2026-01-01&to=2026-12-31';
      assert.equal((await stats(coupon.id, range)).body.source, 'live');
      assert.equal((await stats(coupon.id, range)).body.source, 'cache');
      await order(coupon.code, '2026-06-01T10:00:00');
      const after = (await stats(coupon.id, range)).body;
      assert.deepEqual([after.source, after.orders_count], ['live', 1]);
    });

    test('balances are never ranged', async () => {
      const coupon = await newCoupon();
      await order(coupon.code, '2026-06-01T10:00:00');
      const { body } = await stats(coupon.id, '?from=2001-01-01&to=2001-01-02');
      assert.deepEqual([body.orders_count, body.unpaid_commission], [0, 5]);
    });

    test('history stays with a coupon that is reassigned or disabled', async () => {
      const coupon = await newCoupon();
      await order(coupon.code, '2026-06-01T10:00:00');
      const json = { user_id: idOf('tomas'), status: 'disabled', move_balance: true };
      await app.call(`${STORE}/coupons/${coupon.id}`, { method: 'PATCH', key: admin, json });
      assert.equal((await stats(coupon.id, '', tomas)).body.orders_count, 1);
      assert.equal((await stats(coupon.id, '', maya)).status, 404);
      await order(coupon.code, '2026-06-02T10:00:00');
      assert.equal(
        (await stats(coupon.id)).body.orders_count,
        1,
        'a disabled coupon earns no more',
      );
    });

    test('codes that differ by case only are ambiguous', async () => {
      const coupon = await newCoupon({ code: 'Twin' });
      await newCoupon({ code: 'TWIN' });
      assert.equal((await stats(coupon.id)).body.code_ambiguous, true);
    });
  });

  describe('refresh', () => {
    test('rebuilds once per minute; then it is throttled, with the stored figures', async () => {
      const coupon = await newCoupon();
      await order(coupon.code, '2026-06-01T10:00:00');
      const tx = app.site.database;
      await tx.transaction((t) =>
        t.execute(`update coupons set orders_count = 77 where id = ${coupon.id}`),
      );
      assert.equal((await stats(coupon.id)).body.orders_count, 77);
      const first = (await stats(coupon.id, '?refresh=true', mayaWrites)).body;
      assert.deepEqual([first.source, first.orders_count], ['live', 1]);
      assert.notEqual(first.last_refreshed, null);
      const second = (await stats(coupon.id, '?refresh=1')).body;
      assert.deepEqual([second.source, second.orders_count], ['throttled', 1]);
      app.advance(61_000);
      assert.equal((await stats(coupon.id, '?refresh=true')).body.source, 'live');
    });

    test('reads a long history in pieces, each order once, also many of the same instant', async () => {
      const coupon = await newCoupon();
      const dates = ['2026-06-01T10:00:00', '2026-06-02T10:00:00'];
      const some = Array.from({ length: 1_100 }, (_, i) => {
        const date = dates[i < 700 ? 0 : 1];
        const paid = { order_id: ++orders, date, status: 'completed', total: 2 };
        return { ...paid, coupon_codes: [coupon.code] };
      });
      for (const part of [some.slice(0, 1_000), some.slice(1_000)]) {
        const reply = await app.call(`${STORE}/orders/batch`, {
          method: 'POST',
          key: admin,
          json: { orders: part },
        });
        assert.equal(reply.status, 200, reply.text);
      }
      await app.site.database.transaction(async (tx) => {
        const where = `where coupon_id = ${coupon.id}`;
        await tx.execute(`update coupon_days set orders_count = orders_count + 5 ${where}`);
        await tx.execute(`update coupons set total_sales = 77 where id = ${coupon.id}`);
      });
      const { body } = await stats(coupon.id, '?refresh=true');
      assert.deepEqual([body.orders_count, body.total_sales], [1_100, 2_200]);
      const days = dates.map((date) => date.slice(0, 10));
      const counted = days.map((day) => counts(coupon.id, `?from=${day}&to=${day}`));
      assert.deepEqual(await Promise.all(counted), [700, 400]);
    });

    test('many concurrent requests rebuild once', async () => {
      const coupon = await newCoupon();
      const replies = await Promise.all(
        Array.from({ length: 16 }, () => stats(coupon.id, '?refresh=true')),
      );
      assert.equal(replies.filter(({ body }) => body.source === 'live').length, 1);
    });

    test('needs the write scope: 403', async () => {
      const coupon = await newCoupon();
      const reply = await stats(coupon.id, '?refresh=true', reader);
      assert.equal(refusal(reply), '403 svc_api_insufficient_scope');
    });

    test('needs the CSRF header from a browser: 403', async () => {
      const coupon = await newCoupon();
      const session = await app.signIn('admin');
      const bare = { cookie: session.cookie, csrf: undefined };
      const path = `/coupons/${coupon.id}/stats?refresh=true`;
      assert.equal(refusal(await app.call(path, { session: bare })), '403 svc_api_csrf_required');
      assert.equal((await app.call(path, { session })).body.source, 'live');
    });
  });

  describe('400', () => {
    for (const query of [
      '?from=2026-02-30',
      '?from=01.02.2026',
      '?from=2026-03-02&to=2026-03-01',
    ]) {
      test(query, async () => {
        const coupon = await newCoupon();
        assert.equal(refusal(await stats(coupon.id, query)), '400 rest_invalid_param');
      });
    }
  });

  describe('404', () => {
    test("someone else's coupon is as absent as one that does not exist", async () => {
      const coupon = await newCoupon();
      const other = await stats(coupon.id, '', tomas);
      const absent = await stats(999_999, '', tomas);
      assert.equal(refusal(other), '404 svc_api_not_found');
      assert.equal(other.text, absent.text);
    });
  });
});
