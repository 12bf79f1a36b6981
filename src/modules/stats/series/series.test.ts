import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';

const STORE = '/svc/store/v1';
const app = await openTestApp({ config: { timezone: 'America/New_York' } });
const admin = await app.key('admin', 'read,write,manage');
const maya = await app.key('maya', 'read');
const RANGE = 'from=2026-02-27&to=2026-03-03';

async function coupon(code: string, login = 'maya'): Promise<number> {
  const json = { code, user_id: idOf(login) };
  return (await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json })).body.id;
}

async function order(id: number, codes: string[], date: string, status = 'completed') {
  const json = { date, status, subtotal: 100, total: 100, coupon_codes: codes };
  await app.call(`${STORE}/orders/${id}`, { method: 'PUT', key: admin, json });
}

const one = await coupon('ONE');
await coupon('TWO');
await coupon('OTHER', 'tomas');
await order(1, ['ONE'], '2026-02-27T23:30:00');
await order(2, ['TWO'], '2026-02-28T00:30:00');
await order(3, ['ONE', 'OTHER'], '2026-03-02T12:00:00');
await order(4, ['ONE'], '2026-03-02T12:00:00', 'cancelled');
const clicks = [
  { code: 'ONE', campaign: 'a', date: '2026-03-02T09:00:00' },
  { code: 'ONE', campaign: 'b', date: '2026-03-02T09:00:00' },
  { code: 'TWO', date: '2026-02-28T23:59:00' },
  { code: 'OTHER', date: '2026-03-01T09:00:00' },
];
await app.call(`${STORE}/clicks`, { method: 'POST', key: admin, json: clicks });

const ofMaya = `${STORE}/affiliates/${idOf('maya')}/stats/series`;
const rows = (points: any[]) =>
  points.map((p) => [p.date, p.clicks, p.orders, p.sales, p.commission]);

describe('series', () => {
  test('of an affiliate: all its coupons by day, with zeros for the other days', async () => {
    const { status, body } = await app.call(`${ofMaya}?${RANGE}`, { key: maya });
    assert.equal(status, 200);
    const { points, ...rest } = body;
    assert.deepEqual(rest, {
      interval: 'day',
      from: '2026-02-27',
      to: '2026-03-03',
      currency: 'USD',
    });
    assert.deepEqual(rows(points), [
      ['2026-02-27', 0, 1, 100, 10],
      ['2026-02-28', 1, 1, 100, 10],
      ['2026-03-01', 0, 0, 0, 0],
      ['2026-03-02', 2, 1, 100, 10],
      ['2026-03-03', 0, 0, 0, 0],
    ]);
  });

  test('by week from Monday, and by month', async () => {
    const weeks = await app.call(`${ofMaya}?${RANGE}&interval=week`, { key: maya });
    assert.deepEqual(rows(weeks.body.points), [
      ['2026-02-23', 1, 2, 200, 20],
      ['2026-03-02', 2, 1, 100, 10],
    ]);
    const months = await app.call(`${ofMaya}?${RANGE}&interval=month`, { key: maya });
    assert.deepEqual(rows(months.body.points), [
      ['2026-02-01', 1, 2, 200, 20],
      ['2026-03-01', 2, 1, 100, 10],
    ]);
  });

  test('of a coupon, of the store, of clicks', async () => {
    const ofCoupon = await app.call(
      `${STORE}/coupons/${one}/stats/series?${RANGE}&interval=month`,
      {
        key: maya,
      },
    );
    assert.deepEqual(rows(ofCoupon.body.points), [
      ['2026-02-01', 0, 1, 100, 10],
      ['2026-03-01', 2, 1, 100, 10],
    ]);
    const ofStore = await app.call(`${STORE}/stats/series?${RANGE}&interval=month`, { key: admin });
    assert.deepEqual(rows(ofStore.body.points), [
      ['2026-02-01', 1, 2, 200, 20],
      ['2026-03-01', 3, 1, 100, 20],
    ]);
    const path = `${STORE}/clicks/stats/series`;
    const ofClicks = await app.call(`${path}?${RANGE}&coupon_id=${one}&campaign=a&interval=week`, {
      key: maya,
    });
    assert.deepEqual(ofClicks.body.points, [
      { date: '2026-02-23', clicks: 0, conversions: 0, conversion_rate: 0 },
      { date: '2026-03-02', clicks: 1, conversions: 0, conversion_rate: 0 },
    ]);
    const all = await app.call(`${path}?${RANGE}&interval=month`, { key: admin });
    assert.deepEqual(
      all.body.points.map((p: any) => p.clicks),
      [1, 3],
    );
  });

  test('the last 30 days by default; empty if the range begins after today', async () => {
    const { body } = await app.call(ofMaya, { key: maya });
    assert.equal(body.points.length, 30);
    assert.equal(body.points.at(-1).date, app.site.calendar.dayOf(app.site.clock()));
    const later = await app.call(`${ofMaya}?from=2999-01-01`, { key: maya });
    assert.deepEqual(later.body.points, []);
  });

  test('up to the last day that a date can name', async () => {
    for (const [interval, points] of [
      ['day', 7],
      ['week', 2],
      ['month', 1],
    ] as const) {
      const range = `from=9999-12-25&to=9999-12-31&interval=${interval}`;
      const { body } = await app.call(`${ofMaya}?${range}`, { key: maya });
      assert.equal(body.points.length, points, interval);
    }
  });

  test('400 for more than 400 points, naming the parameter', async () => {
    const call = (query: string) => app.call(`${ofMaya}?${query}`, { key: maya });
    assert.equal((await call('from=2025-01-01&to=2026-02-04')).body.points.length, 400);
    for (const query of [
      'from=2025-01-01&to=2026-02-05',
      'from=0001-01-01&to=9999-12-31',
      'from=1900-01-01&to=2026-01-01&interval=week',
    ]) {
      const { status, body } = await call(query);
      assert.deepEqual([status, Object.keys(body.data.params)], [400, ['from']], query);
    }
    assert.equal(
      (await call('from=1993-01-01&to=2026-01-01&interval=month')).body.points.length,
      397,
    );
    assert.equal((await call('interval=hour')).status, 400);
  });

  test('records of others do not exist; the store is for admins', async () => {
    const tomas = await app.key('tomas', 'read');
    const status = async (path: string) => (await app.call(STORE + path, { key: tomas })).status;
    assert.equal(await status(`/affiliates/${idOf('maya')}/stats/series`), 404);
    assert.equal(await status(`/coupons/${one}/stats/series`), 404);
    assert.equal(await status(`/clicks/stats/series?coupon_id=${one}`), 404);
    assert.equal(await status('/clicks/stats/series'), 400);
    assert.equal(await status('/stats/series'), 403);
  });
});
