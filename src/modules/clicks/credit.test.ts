import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/harness.ts';
import { toClick } from './click.ts';
import { insertClick } from './click-store.ts';
import { findCreditedClick, markConversion } from './index.ts';
import { DAY_MS } from './settings.ts';

const app = await openTestApp();
const { site } = app;
const admin = await app.key('admin', 'read,write');

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

const credited = (from: { clickId?: number; visitor?: string }, placedAtMs: number) =>
  findCreditedClick(site.database.read, site, from, placedAtMs);

const mark = (clickId: number, orderId: number) =>
  site.database.transaction((tx) => markConversion(tx, clickId, orderId));

describe('the click an order is credited to', () => {
  test('the one it names, from the click to the end of the cookie', async () => {
    const clickId = await click(undefined, at);
    assert.deepEqual(await credited({ clickId }, at), { id: clickId, coupon_id: coupon });
    assert.ok(await credited({ clickId }, at + 30 * DAY_MS));
    assert.equal(await credited({ clickId }, at + 30 * DAY_MS + 1), undefined);
    assert.equal(await credited({ clickId }, at - 1000), undefined, 'not one after the order');
    assert.equal(await credited({ clickId: clickId + 1000 }, at), undefined);
    assert.equal(await credited({}, at), undefined);
  });

  test('an order of the same second, since orders tell no milliseconds', async () => {
    const clickId = await click(undefined, at + 700);
    assert.ok(await credited({ clickId }, at));
  });

  test('as long as the setting says', async () => {
    const clickId = await click(undefined, at);
    await app.set({ 'attribution.cookie_days': 1 });
    assert.ok(await credited({ clickId }, at + DAY_MS));
    assert.equal(await credited({ clickId }, at + DAY_MS + 1), undefined);
    await app.set({ 'attribution.cookie_days': 30 });
  });

  test("else the visitor's last one within that time", async () => {
    const other = await newCoupon();
    await click('v1', at);
    const last = await click('v1', at + DAY_MS, other);
    const later = await click('v1', at + 10 * DAY_MS);
    await click('v2', at + 2 * DAY_MS);
    const placed = at + 5 * DAY_MS;
    assert.deepEqual(await credited({ visitor: 'v1' }, placed), { id: last, coupon_id: other });
    assert.equal((await credited({ visitor: 'v1', clickId: later }, placed))!.id, last);
    assert.equal((await credited({ visitor: 'v2', clickId: last }, placed))!.id, last);
    assert.equal(await credited({ visitor: 'v1' }, at + 41 * DAY_MS), undefined);
    assert.equal(await credited({ visitor: 'nobody' }, placed), undefined);
  });
});

describe('a conversion', () => {
  const figures = async (couponId: number) => {
    const { body } = await app.call(`/clicks/stats?coupon_id=${couponId}`, { key: admin });
    return [body.clicks, body.conversions, body.conversion_rate];
  };

  test('counts once for a click, however often its order comes', async () => {
    const couponId = await newCoupon();
    const [first, second] = [await click('a', at, couponId), await click('b', at, couponId)];
    for (let i = 0; i < 3; i++) await mark(first, 1);
    await mark(first, 2);
    assert.deepEqual(await figures(couponId), [2, 1, 50]);
    await mark(second, 3);
    assert.deepEqual(await figures(couponId), [2, 2, 100]);
    await mark(987_654_321, 4);
  });

  test('once also when it comes many times at the same moment', async () => {
    const couponId = await newCoupon();
    const clickId = await click('c', at, couponId);
    await Promise.all(Array.from({ length: 20 }, () => mark(clickId, 5)));
    assert.deepEqual(await figures(couponId), [1, 1, 100]);
  });
});
