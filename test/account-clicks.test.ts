import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf } from './support/harness.ts';
import { openPayoutApp, STORE } from './support/payouts.ts';

const maya = idOf('maya');
const tomas = idOf('tomas');
const HOUR_MS = 60 * 60_000;

/** What an affiliate reads of the clicks on a coupon, as `clicks/conversions`. */
async function open() {
  const { app, admin, maya: key } = await openPayoutApp();
  const keys = { [maya]: key, [tomas]: await app.key('tomas', 'read,write') };
  const send = async (method: string, path: string, json?: object, by = admin) => {
    const reply = await app.call(path, { method, key: by, ...(json && { json }) });
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  const { id } = await send('POST', `${STORE}/coupons`, { code: 'MAYA10', user_id: maya });
  const at = (ms: number) => new Date(ms).toISOString();
  const click = async (visitor: string, ms = app.site.clock()): Promise<number> => {
    const [name] = visitor.split(' ');
    const given = { code: 'MAYA10', campaign: name, sub1: name, visitor, date: at(ms) };
    return (await send('POST', `${STORE}/clicks`, given)).ids[0];
  };
  const buy = (order: number, clickId: number) =>
    send('PUT', `${STORE}/orders/${order}`, {
      date: at(app.site.clock()),
      total: 100,
      status: 'completed',
      click_id: clickId,
    });
  const give = (user_id: number | null) =>
    send('PATCH', `${STORE}/coupons/${id}`, { user_id, move_balance: false });
  const pair = ({ clicks, conversions }: any) => `${clicks}/${conversions}`;
  const named = (rows: any[], name: string) =>
    rows.map((row) => `${row[name]} ${pair(row)}`).toSorted();
  const total = ({ points }: any) =>
    pair(
      points.reduce(
        (sum: any, point: any) => ({
          clicks: sum.clicks + point.clicks,
          conversions: sum.conversions + (point.conversions ?? 0),
        }),
        { clicks: 0, conversions: 0 },
      ),
    );
  const ofCoupon = async (by: string) => ({
    stats: pair(await send('GET', `/clicks/stats?coupon_id=${id}`, undefined, by)),
    series: total(await send('GET', `${STORE}/clicks/stats/series?coupon_id=${id}`, undefined, by)),
    campaigns: named(
      await send('GET', `${STORE}/coupons/${id}/campaigns`, undefined, by),
      'campaign',
    ),
  });
  const ofAffiliate = async (user: number) => {
    const by = keys[user]!;
    const roster = await send('GET', `${STORE}/affiliates`);
    const { rows } = await send('GET', `${STORE}/reports?by=affiliate`);
    const bySub = await send('GET', `${STORE}/reports?by=sub1`);
    const orders: any[] = await send('GET', `${STORE}/orders?affiliate=${user}`);
    const byCommission = await send('GET', `${STORE}/orders?affiliate=${user}&sort=-commission`);
    assert.deepEqual(byCommission.length, orders.length);
    return {
      subs: named(
        await send('GET', `${STORE}/affiliates/${user}/sources?by=sub1`, undefined, by),
        'name',
      ),
      roster: roster.find((row: any) => row.id === user)?.clicks,
      reported: named(
        bySub.rows
          .filter(({ affiliate }: any) => affiliate?.id === user)
          .map(({ name, figures }: any) => ({ name, ...figures })),
        'name',
      ),
      orders: orders.map(({ order_id }) => order_id).toSorted(),
      hasOrder: roster.find((row: any) => row.id === user)?.last_order !== null,
      report: pair(
        rows.find((row: any) => row.id === user)?.figures ?? { clicks: 0, conversions: 0 },
      ),
    };
  };
  return { app, admin, keys, click, buy, give, ofCoupon, ofAffiliate, send };
}

describe('clicks on a coupon that changes hands', () => {
  test('are of the affiliate who had it at their time', async () => {
    const store = await open();
    const { app, admin, keys } = store;
    const started = app.site.clock();
    const clicked = await store.click('first 1');
    await store.click('first 2');
    app.advance(HOUR_MS);
    await store.give(tomas);
    const none = { stats: '0/0', series: '0/0', campaigns: [] };
    assert.deepEqual(await store.ofCoupon(keys[tomas]!), none);
    const after = await store.click('next 1');
    // A conversion counts where its click does, and clicks of history by their time.
    await store.buy(1, clicked);
    await store.buy(2, after);
    await store.click('first 3', started);
    assert.deepEqual(await store.ofCoupon(keys[tomas]!), {
      stats: '1/1',
      series: '1/1',
      campaigns: ['next 1/1'],
    });
    assert.deepEqual(await store.ofCoupon(admin), {
      stats: '4/2',
      series: '4/2',
      campaigns: ['first 3/1', 'next 1/1'],
    });
    assert.deepEqual(await store.ofAffiliate(maya), {
      subs: ['first 3/1'],
      reported: ['first 3/1'],
      roster: 3,
      orders: [],
      hasOrder: false,
      report: '3/1',
    });
    assert.deepEqual(await store.ofAffiliate(tomas), {
      // The order that the former one's click led to is credited to this one, who had the coupon when it was placed.
      subs: ['first 0/0', 'next 1/1'],
      reported: ['first 0/0', 'next 1/1'],
      roster: 1,
      orders: [1, 2],
      hasOrder: true,
      report: '1/1',
    });
    await store.give(maya);
    // Reports are cached for a minute.
    app.advance(HOUR_MS);
    assert.equal((await store.ofCoupon(keys[maya]!)).stats, '3/1');
    assert.deepEqual((await store.ofAffiliate(maya)).orders, []);
    assert.deepEqual((await store.ofAffiliate(maya)).hasOrder, false);
    const formerOrders = await store.ofAffiliate(tomas);
    assert.deepEqual([formerOrders.orders, formerOrders.hasOrder], [[1, 2], true]);
    await store.give(null);
    assert.equal((await store.ofAffiliate(maya)).report, '3/1');
    assert.equal((await store.ofAffiliate(tomas)).report, '1/1');
  });
});
