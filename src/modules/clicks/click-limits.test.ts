import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../test/support/harness.ts';
import { query } from '../../db/statements/query.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { CAMPAIGNS_PER_DAY, OTHER_CAMPAIGNS } from './click.ts';
import { pruneClicks } from './prune-clicks.ts';
import { takeFromRecordingLimit } from './recording-limit.ts';

const app = await openTestApp();
const admin = await app.key('admin', 'read,write');

let lastCode = 0;
async function newCoupon(): Promise<{ id: number; code: string }> {
  const json = { code: `Limit${++lastCode}`, user_id: idOf('maya') };
  const reply = await app.call('/svc/store/v1/coupons', { method: 'POST', key: admin, json });
  assert.equal(reply.status, 201, reply.text);
  return reply.body;
}

async function send(clicks: object[]): Promise<void> {
  const json = { clicks };
  const reply = await app.call('/svc/store/v1/clicks', { method: 'POST', key: admin, json });
  assert.equal(reply.body.accepted, clicks.length, reply.text);
}

async function stats(couponId: number, filter = '') {
  const reply = await app.call(`/clicks/stats?coupon_id=${couponId}${filter}`, { key: admin });
  const { clicks, conversions } = reply.body;
  return { clicks, conversions };
}

const rows = query<{ coupon_id: number }, { id: number }>((db, p) =>
  db.selectFrom('clicks').select('id').where('coupon_id', '=', p.coupon_id).orderBy('id'),
);
const idsOf = async (couponId: number) =>
  (await app.site.database.read.all(rows, { coupon_id: couponId })).map(({ id }) => id);

const rollUps = query<{ coupon_id: number }, { campaign: string }>((db, p) =>
  db.selectFrom('click_days').select('campaign').where('coupon_id', '=', p.coupon_id),
);

describe('clicks through links', () => {
  test('from an IPv6 /64, 60 clicks per minute are recorded, and all are redirected', async () => {
    const coupon = await newCoupon();
    for (let i = 0; i < 65; i++) {
      const headers = { 'x-forwarded-for': `2001:db8:5:5:${i.toString(16)}::1` };
      const { status } = await app.call(`~/r/${coupon.code}`, { headers });
      assert.equal(status, 302);
    }
    assert.equal((await stats(coupon.id)).clicks, 60);
    const headers = { 'x-forwarded-for': '2001:db8:5:6::1' };
    await app.call(`~/r/${coupon.code}`, { headers });
    assert.equal((await stats(coupon.id)).clicks, 61, 'another /64 has its own limit');
  });

  /** How many of `count` clicks are recorded, spread over minutes to stay below the minute limit. */
  async function recorded(count: number, visitOf: (i: number) => object): Promise<number> {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      if (i % 60 === 0) app.advance(60_000);
      const visit = { network: 'n', visitor: `v${i}`, couponId: 1, ...visitOf(i) };
      if (await takeFromRecordingLimit(app.site, visit)) sum += 1;
    }
    return sum;
  }

  test('have a daily limit per network, visitor and coupon', async () => {
    app.advance(DAY_MS);
    assert.equal(await recorded(2_100, () => ({ network: '192.0.2.1' })), 2_000);
    const anywhere = (i: number) => ({ network: `192.0.2.${i % 200}` });
    app.advance(DAY_MS);
    assert.equal(await recorded(150, (i) => ({ ...anywhere(i), visitor: 'same' })), 100);
    app.advance(DAY_MS);
    assert.equal(await recorded(60, () => ({ network: '192.0.2.1', visitor: 'same' })), 60);
  });
});

describe('campaigns', () => {
  test('beyond the limit of a coupon and day, clicks count under a common name', async () => {
    const coupon = await newCoupon();
    const click = (campaign: string) => ({ coupon_id: coupon.id, campaign });
    const names = Array.from({ length: CAMPAIGNS_PER_DAY + 50 }, (_, i) => `campaign ${i}`);
    await send(names.map(click));
    await send([click('campaign 7'), click('campaign 249'), click('')]);

    const found = await app.site.database.read.all(rollUps, { coupon_id: coupon.id });
    assert.ok(found.length <= CAMPAIGNS_PER_DAY + 2, `${found.length} rows`);
    assert.equal((await stats(coupon.id)).clicks, CAMPAIGNS_PER_DAY + 53, 'none is lost');
    assert.equal((await stats(coupon.id, '&campaign=campaign%207')).clicks, 2);
    assert.equal((await stats(coupon.id, '&campaign=campaign%20249')).clicks, 0);
    const other = encodeURIComponent(OTHER_CAMPAIGNS);
    assert.equal((await stats(coupon.id, `&campaign=${other}`)).clicks, 51);
    assert.equal((await stats(coupon.id, '&campaign=')).clicks, 1);
  });

  test('another day and another coupon have their own limit', async () => {
    const [coupon, other] = [await newCoupon(), await newCoupon()];
    const names = Array.from({ length: CAMPAIGNS_PER_DAY }, (_, i) => `c${i}`);
    await send(names.map((campaign) => ({ coupon_id: coupon.id, campaign })));
    await send([
      { coupon_id: other.id, campaign: 'new' },
      { coupon_id: coupon.id, campaign: 'new', date: '2026-01-01T12:00:00Z' },
    ]);
    assert.equal((await stats(other.id, '&campaign=new')).clicks, 1);
    assert.equal((await stats(coupon.id, '&campaign=new')).clicks, 1);
  });
});

describe('pruning', () => {
  test('removes clicks that no order can be credited to; statistics stay', async () => {
    const coupon = await newCoupon();
    const daysAgo = (days: number) => new Date(app.site.clock() - days * DAY_MS).toISOString();
    const ages = [400, 121, 119, 31, 1];
    for (const [i, days] of ages.entries()) {
      await send([{ coupon_id: coupon.id, campaign: 'x' }]);
      app.advance((days - (ages[i + 1] ?? 0)) * DAY_MS);
    }
    const ids = await idsOf(coupon.id);
    const json = {
      status: 'completed',
      total: 50,
      currency: 'USD',
      date: daysAgo(0),
      click_id: ids[4],
    };
    const order = await app.call('/svc/store/v1/orders/777', { method: 'PUT', key: admin, json });
    assert.ok(order.status < 300, order.text);
    const before = await stats(coupon.id);
    assert.deepEqual(before, { clicks: 5, conversions: 1 });

    await pruneClicks.run(app.site);
    assert.deepEqual(await idsOf(coupon.id), ids.slice(2), '30 days and 90 for late orders');
    assert.deepEqual(await stats(coupon.id), before);
    assert.equal((await stats(coupon.id, '&campaign=x')).clicks, 5);

    await app.set({ 'attribution.cookie_days': 1 });
    await pruneClicks.run(app.site);
    assert.deepEqual(await idsOf(coupon.id), ids.slice(3));
    await app.set({ 'attribution.cookie_days': 30 });
  });

  test('keeps historic clicks that were just imported, for the orders that follow', async () => {
    const coupon = await newCoupon();
    await send([{ coupon_id: coupon.id, date: '2020-03-01T12:00:00' }]);
    await pruneClicks.run(app.site);
    const [click_id] = await idsOf(coupon.id);
    const json = {
      status: 'completed',
      total: 50,
      currency: 'USD',
      date: '2020-03-02T12:00:00',
      click_id,
    };
    const { body } = await app.call('/svc/store/v1/orders/778', {
      method: 'PUT',
      key: admin,
      json,
    });
    assert.deepEqual(
      body.referrals.map((referral: any) => [referral.coupon_id, referral.credited_via]),
      [[coupon.id, 'link']],
    );
  });
});
