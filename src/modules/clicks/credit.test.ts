import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { statementsOf } from '../../../test/support/statements.ts';
import { query } from '../../db/statements/query.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { insertClick } from './click-rows.ts';
import { toClick } from './click.ts';
import { convertClicks, findCreditableClicks, hashVisitor } from './index.ts';

const app = await openTestApp();
const { site } = app;
const admin = await app.key('admin', 'read,write');

interface Sums {
  day: string;
  campaign: string;
  clicks: number;
  conversions: number;
}

const programDays = query<object, Sums>((db) =>
  db.selectFrom('campaign_days').selectAll().orderBy('day').orderBy('campaign'),
);
const couponDays = query<object, Sums>((db) =>
  db
    .selectFrom('click_days')
    .select((eb) => [
      'day',
      'campaign',
      eb.fn.sum<number>('clicks').as('clicks'),
      eb.fn.sum<number>('conversions').as('conversions'),
    ])
    .groupBy(['day', 'campaign'])
    .orderBy('day')
    .orderBy('campaign'),
);

const months = query<object, object>((db) =>
  db.selectFrom('click_months').selectAll().orderBy('coupon_id').orderBy('month'),
);
const monthsOfDays = query<object, object>((db) => {
  const statement = sql<object>`select coupon_id, substr(day, 1, 7) as month,
      cast(sum(clicks) as bigint) as clicks, cast(sum(conversions) as bigint) as conversions
    from click_days group by coupon_id, substr(day, 1, 7) order by 1, 2`;
  return { compile: () => statement.compile(db) };
});

let lastCode = 0;
async function newCoupon(): Promise<number> {
  const json = { code: `CREDIT${++lastCode}`, user_id: idOf('maya') };
  const options = { method: 'POST', key: admin, json };
  return (await app.call('/svc/store/v1/coupons', options)).body.id;
}

const coupon = await newCoupon();
const at = Date.parse('2026-03-01T12:00:00Z');

function click(visitor: string | undefined, atMs: number, couponId = coupon): Promise<number> {
  const row = toClick(site, { couponId, campaign: '', visitor, atMs });
  return site.database.transaction((tx) => insertClick(tx, row));
}

interface Origin {
  clickId?: number;
  visitor?: string;
}

const sourceOf = ({ clickId, visitor }: Origin, placedAtMs: number) => ({
  clickId: clickId ?? null,
  visitorHash: visitor === undefined ? null : hashVisitor(site, visitor),
  placedAtMs,
  placedUntilMs: placedAtMs + 999,
});

/** Finds the click that an order names, and the last click of its visitor. */
async function clicksFor(origin: Origin, placedAtMs: number) {
  const order = sourceOf(origin, placedAtMs);
  const clicks = await findCreditableClicks(site.database.read, site, [order]);
  return { named: clicks.named(order)?.id, visited: clicks.lastOfVisitor(order)?.id };
}

const mark = (clickId: number, orderId: number) =>
  site.database.transaction((tx) => convertClicks(tx, [{ clickId, orderId }]));

describe('the click an order is credited to', () => {
  const named = async (clickId: number, placedAtMs: number) =>
    (await clicksFor({ clickId }, placedAtMs)).named;

  test('is the click that the order names, until the cookie expires', async () => {
    const clickId = await click(undefined, at);
    assert.equal(await named(clickId, at), clickId);
    assert.equal(await named(clickId, at + 30 * DAY_MS), clickId);
    assert.equal(await named(clickId, at + 30 * DAY_MS + 1), undefined);
    assert.equal(await named(clickId, at - 1000), undefined, 'a click after the order');
    assert.equal(await named(clickId + 1000, at), undefined);
    assert.deepEqual(await clicksFor({}, at), { named: undefined, visited: undefined });
  });

  test('may be in the same second, since order times have no milliseconds', async () => {
    const clickId = await click(undefined, at + 700);
    assert.equal(await named(clickId, at), clickId);
  });

  test('may be as old as the setting allows', async () => {
    const clickId = await click('brief', at);
    await app.set({ 'attribution.cookie_days': 1 });
    const both = { named: clickId, visited: clickId };
    assert.deepEqual(await clicksFor({ clickId, visitor: 'brief' }, at + DAY_MS), both);
    const neither = { named: undefined, visited: undefined };
    assert.deepEqual(await clicksFor({ clickId, visitor: 'brief' }, at + DAY_MS + 1), neither);
    await app.set({ 'attribution.cookie_days': 30 });
  });

  test("is the visitor's last one within that time", async () => {
    const other = await newCoupon();
    await click('v1', at);
    const last = await click('v1', at + DAY_MS, other);
    const later = await click('v1', at + 10 * DAY_MS);
    await click('v2', at + 2 * DAY_MS);
    const visited = async (visitor: string, placedAtMs: number) =>
      (await clicksFor({ visitor }, placedAtMs)).visited;
    assert.equal(await visited('v1', at + 5 * DAY_MS), last);
    assert.equal(await visited('v1', at + 20 * DAY_MS), later);
    assert.equal(await visited('v1', at + 41 * DAY_MS), undefined);
    assert.equal(await visited('v1', at - 1000), undefined);
    assert.equal(await visited('nobody', at), undefined);
  });

  test('is the one recorded last of two clicks in the same millisecond', async () => {
    await click('twice', at);
    const second = await click('twice', at);
    assert.equal((await clicksFor({ visitor: 'twice' }, at)).visited, second);
  });

  test('is found with one statement for the visitors of any number of orders', async () => {
    const visitors = Array.from({ length: 60 }, (_, i) => `many ${i}`);
    const ids: number[] = [];
    for (const [i, visitor] of visitors.entries()) ids.push(await click(visitor, at + i));
    const orders = visitors.flatMap((visitor, i) => [
      sourceOf({ visitor, clickId: ids[i]! }, at + DAY_MS),
      sourceOf({ visitor }, at - DAY_MS),
    ]);
    const find = () => findCreditableClicks(site.database.read, site, orders);
    assert.equal(await statementsOf(site.database, find), 2);
    const clicks = await find();
    const found = orders.map((order) => clicks.lastOfVisitor(order)?.id);
    assert.deepEqual(
      found,
      ids.flatMap((id) => [id, undefined]),
    );
  });
});

describe('a conversion', () => {
  const figures = async (couponId: number) => {
    const { body } = await app.call(`/clicks/stats?coupon_id=${couponId}`, { key: admin });
    return [body.clicks, body.conversions, body.conversion_rate];
  };

  test('counts once for a click, however often its order is sent', async () => {
    const couponId = await newCoupon();
    const [first, second] = [await click('a', at, couponId), await click('b', at, couponId)];
    for (let i = 0; i < 3; i++) await mark(first, 1);
    await mark(first, 2);
    assert.deepEqual(await figures(couponId), [2, 1, 50]);
    await mark(second, 3);
    assert.deepEqual(await figures(couponId), [2, 2, 100]);
    await mark(987_654_321, 4);
  });

  test('counts many clicks of several days together', async () => {
    const couponId = await newCoupon();
    const ids: number[] = [];
    for (let i = 0; i < 30; i++) ids.push(await click('many', at + (i % 3) * DAY_MS, couponId));
    const conversions = ids.slice(0, 20).map((clickId, i) => ({ clickId, orderId: 100 + i }));
    await site.database.transaction((tx) => convertClicks(tx, conversions));
    assert.deepEqual(await figures(couponId), [30, 20, 66.67]);
    await site.database.transaction((tx) =>
      convertClicks(
        tx,
        ids.map((clickId) => ({ clickId, orderId: 7 })),
      ),
    );
    assert.deepEqual(await figures(couponId), [30, 30, 100]);
  });

  test('counts once when the same order is sent many times concurrently', async () => {
    const couponId = await newCoupon();
    const clickId = await click('c', at, couponId);
    await Promise.all(Array.from({ length: 20 }, () => mark(clickId, 5)));
    assert.deepEqual(await figures(couponId), [1, 1, 100]);
  });

  test('the sums of the program are those of its coupons, after concurrent clicks and conversions', async () => {
    const coupons = [await newCoupon(), await newCoupon(), await newCoupon()];
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        site.database.transaction(async (tx) => {
          const ids: number[] = [];
          for (const campaign of ['', 'spring']) {
            const row = { couponId: coupons[i % 3]!, campaign, visitor: undefined, atMs: at };
            ids.push(await insertClick(tx, toClick(site, row)));
          }
          await convertClicks(tx, [{ clickId: ids[i % 2]!, orderId: 1_000 + i }]);
        }),
      ),
    );
    const { read } = site.database;
    assert.deepEqual(await read.all(programDays, {}), await read.all(couponDays, {}));
    assert.deepEqual(await read.all(months, {}), await read.all(monthsOfDays, {}));
  });
});
