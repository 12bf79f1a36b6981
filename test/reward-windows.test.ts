import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBonuses } from '../src/modules/bonuses/check-bonuses.ts';
import { openTestApp } from './support/harness.ts';
import { Temporal } from './support/temporal.ts';

/**
 * Orders a second before and after the first instant of a month, quarter or year, in the time zones where that is
 * hardest: the days of a rule, its steps, its limit and the bonuses change with the site's calendar.
 */
const STORE = '/svc/store/v1';

/** By zone, the first day of a window, and what is special about it. */
const boundaries = [
  ['UTC', '2024-03-01', 'after a leap day'],
  ['Europe/Berlin', '2026-04-01', 'in the week of the summer time'],
  ['America/New_York', '2026-11-01', 'the day on which summer time ends'],
  ['America/St_Johns', '2026-11-01', 'the same at a half hour'],
  ['America/Asuncion', '2023-10-01', 'midnight is skipped'],
  ['America/Havana', '2026-11-01', 'midnight is there twice'],
  ['Africa/Cairo', '2024-11-01', 'the hour before midnight is there twice'],
  ['Asia/Kolkata', '2026-07-01', 'a half hour'],
  ['Asia/Kathmandu', '2026-01-01', 'three quarters of an hour, and a year'],
  ['Australia/Lord_Howe', '2018-04-01', 'summer time of half an hour ends in the south'],
  ['Pacific/Chatham', '2026-04-01', 'three quarters of an hour, summer time ends in the south'],
  ['Pacific/Apia', '2012-01-01', 'the day before the last one of the year was skipped'],
] as const;
const windows = { month: 1, quarter: 3, year: 12 } as const;

const app = await openTestApp();
const key = await app.key('admin', 'read,write,manage');
const send = async (method: string, path: string, json?: object) => {
  const reply = await app.call(`${STORE}${path}`, { method, key, ...(json && { json }) });
  assert.ok(reply.status < 300, `${path} ${reply.text}`);
  return reply.body;
};

/** The longest window that begins on a day. */
function windowFrom(day: string): keyof typeof windows {
  const { month } = Temporal.PlainDate.from(day);
  return month === 1 ? 'year' : month % 3 === 1 ? 'quarter' : 'month';
}

let orders = 0;

for (const [i, [zone, day, special]] of boundaries.entries()) {
  test(`${zone}, ${day}: ${special}`, async () => {
    const date = Temporal.PlainDate.from(day);
    const beginsAt = date.toZonedDateTime(zone).startOfDay().epochMilliseconds;
    const endsAt = date.add({ days: 1 }).toZonedDateTime(zone).startOfDay().epochMilliseconds;
    const kind = windowFrom(day);
    // In memory only: a store with orders keeps its time zone.
    app.site.settings.apply([['site.timezone', zone]], { whole: false });
    assert.equal(app.site.calendar.timeZone, zone);
    // The bonus is there before its window ends.
    app.setClock(beginsAt - 40 * 86_400_000 - app.site.clock());
    const login = `person${i}`;
    const person = { login, email: `${login}@test.example`, display_name: login };
    const { id } = await send('POST', '/affiliates', person);
    const code = `CODE${i}`;
    const coupon = await send('POST', '/coupons', { code, user_id: id, percent_override: 10 });
    const who = { affiliates: [id] };
    const rule = (category: string, rest: object) =>
      send('POST', '/rewards/rules', { who, what: { categories: [category] }, ...rest });
    await rule('dated', { from: day, to: day, rate: { percent: 50 } });
    const steps = [
      { from: 0, percent: 1 },
      { from: 1, percent: 2 },
    ];
    const counted = { by: 'orders', counts: 'counted', window: { kind } };
    await rule('steps', { rate: { steps: { ...counted, steps } } });
    const limit = { amount: 10, per: 'affiliate', window: { kind } };
    await rule('limit', { rate: { percent: 100 }, limit });
    const target = { ...counted, at: 2 };
    const name = 'Bonus';
    const pays = { percent: 10, of: 'sales' };
    await send('POST', '/rewards/bonuses', { name, who, target, once: 'window', pays });

    /** What an order of 100.00 earns that is placed at an instant. */
    const earned = async (category: string, placedAt: number) => {
      const items = [{ product_id: '1', category_ids: [category], subtotal: 100, total: 100 }];
      const order = {
        order_id: (orders += 1),
        date: new Date(placedAt).toISOString(),
        status: 'completed',
        total: 100,
        coupon_codes: [code],
        items: items.map((item) => ({ ...item, quantity: 1 })),
      };
      const { results } = await send('POST', '/orders/batch', { orders: [order] });
      assert.ok(results[0].status < 300, JSON.stringify(results));
      return results[0].referrals[0].commission;
    };
    const [before, after] = [beginsAt - 1_000, beginsAt];
    assert.equal(await earned('steps', before - 1_000), 1, 'the first order of the window');
    assert.equal(await earned('steps', before), 2, 'the second one');
    assert.equal(await earned('steps', after), 1, 'the first one of the next window');
    assert.equal(await earned('limit', before), 10);
    assert.equal(await earned('limit', before), 0, 'beyond the limit');
    assert.equal(await earned('limit', after), 10, 'the limit of the next window');
    assert.equal(await earned('dated', before), 10, 'before the first day of the rule');
    assert.equal(await earned('dated', after), 50);
    assert.equal(await earned('dated', endsAt - 1_000), 50);
    assert.equal(await earned('dated', endsAt), 10, 'after its last day');

    const bonuses = async () => {
      await checkBonuses.run(app.site);
      const entries = await send('GET', `/coupons/${coupon.id}/ledger?per_page=100`);
      return entries.filter((one: any) => one.kind === 'bonus').map((one: any) => one.amount);
    };
    app.setClock(beginsAt - 1 - app.site.clock());
    assert.deepEqual(await bonuses(), [], 'the window has a millisecond left');
    app.setClock(1);
    assert.deepEqual(await bonuses(), [50], 'of five orders before its end');
    const next = date.add({ months: windows[kind] }).toZonedDateTime(zone).startOfDay();
    app.setClock(next.epochMilliseconds - 1 - app.site.clock());
    assert.deepEqual(await bonuses(), [50]);
    app.setClock(1);
    assert.deepEqual(await bonuses(), [50, 50], 'of five orders in the next window');
  });
}
