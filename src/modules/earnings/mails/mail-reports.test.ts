import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOf, openTestApp } from '../../../../test/support/harness.ts';
import { outbox } from '../../../../test/support/outbox.ts';
import { addDays } from '../../../kernel/call/series.ts';
import { SiteCalendar } from '../../../shared/dates.ts';
import { HOUR_MS } from '../../../shared/durations.ts';
import { mailReports } from './mail-reports.ts';
import { lastPeriod, reportIntervals } from './report-period.ts';

const STORE = '/svc/store/v1';

const app = await openTestApp({ config: { timezone: 'Europe/Berlin', currency: 'EUR' } });
const { site } = app;
const admin = await app.key('admin', 'read,write,manage');
const run = () => mailReports.run(site);

/** Lets time pass until this local time. */
const goTo = (local: string) => app.advance(site.calendar.fromLocal(local) - site.clock());

let orders = 0;
async function order(code: string, total: number): Promise<void> {
  const date = site.calendar.toLocal(site.clock());
  const json = { status: 'completed', subtotal: total, total, coupon_codes: [code], date };
  const path = `${STORE}/orders/${++orders}`;
  const reply = await app.call(path, { method: 'PUT', key: admin, json });
  assert.ok(reply.status < 300, reply.text);
}

for (const login of ['maya', 'tomas']) {
  const json = { user_id: idOf(login), code: login.toUpperCase() };
  await app.call(`${STORE}/coupons`, { method: 'POST', key: admin, json });
}

let seen = 0;
async function newMails() {
  const all = (await outbox(site)).filter(({ template }) => template === 'report');
  const mails = all.slice(seen);
  seen = all.length;
  return mails;
}

/** A year later than now, so that the clock of the test only goes ahead. */
const year = Number(site.calendar.dayOf(site.clock()).slice(0, 4)) + 1;

describe('report mails', () => {
  test('none while they are off, and none for a period before they were switched on', async () => {
    goTo(`${year}-02-10T09:00:00`);
    await order('MAYA', 100);
    goTo(`${year}-03-01T09:00:00`);
    await run();
    await app.set({ 'mail.report': 'monthly' });
    await run();
    await run();
    assert.deepEqual(await newMails(), []);
  });

  test('after a month, with the figures of the statement, once, and only where something changed', async () => {
    goTo(`${year}-03-31T23:59:59`);
    await order('MAYA', 200);
    goTo(`${year}-04-01T00:00:01`);
    await order('MAYA', 400);
    await run();
    assert.deepEqual(await newMails(), [], 'not at night');
    goTo(`${year}-04-01T08:01:00`);
    await Promise.all([run(), run()]);
    await run();
    const mails = await newMails();
    assert.deepEqual(
      mails.map(({ to_address }) => to_address),
      ['maya@test.example'],
    );
    const statement = await app.call(
      `${STORE}/affiliates/${idOf('maya')}/statement?from=${year}-03-01&to=${year}-03-31`,
      { key: admin },
    );
    const { opening, closing } = statement.body;
    assert.deepEqual([opening, closing], [10, 30]);
    const text = JSON.stringify(mails[0]);
    for (const amount of ['€10.00', '€20.00', '€30.00']) assert.ok(text.includes(amount), text);
    assert.equal(text.includes('€70.00'), false, 'nothing of the next month');
  });

  test('also without a change if the store wants it; only the last period after a pause', async () => {
    await app.set({ 'mail.report_empty': 'true' });
    goTo(`${year}-07-15T10:00:00`);
    await run();
    const mails = await newMails();
    assert.deepEqual(mails.map(({ to_address }) => to_address).toSorted(), [
      'maya@test.example',
      'tomas@test.example',
    ]);
    assert.match(JSON.stringify(mails[0]), new RegExp(`June 1, ${year}`));
  });

  test('another interval begins with its next period; switched off, they end', async () => {
    await app.set({ 'mail.report': 'weekly' });
    await run();
    assert.deepEqual(await newMails(), []);
    app.advance(7 * 24 * HOUR_MS);
    await run();
    assert.equal((await newMails()).length, 2);
    await app.set({ 'mail.report': 'off' });
    app.advance(7 * 24 * HOUR_MS);
    await run();
    assert.deepEqual(await newMails(), []);
  });
});

const zones = [
  'Pacific/Kiritimati',
  'Pacific/Auckland',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Asia/Tehran',
  'Europe/Berlin',
  'Europe/Lisbon',
  'UTC',
  'America/Sao_Paulo',
  'America/St_Johns',
  'America/Los_Angeles',
  'Pacific/Pago_Pago',
];

describe('the last period', () => {
  test('week, month and quarter around their ends, in twelve zones', () => {
    const cases: [string, string, string, string, string, string, string][] = [
      [
        '2027-01-01',
        '2026-12-21',
        '2026-12-27',
        '2026-12-01',
        '2026-12-31',
        '2026-10-01',
        '2026-12-31',
      ],
      [
        '2026-12-31',
        '2026-12-21',
        '2026-12-27',
        '2026-11-01',
        '2026-11-30',
        '2026-07-01',
        '2026-09-30',
      ],
      [
        '2028-03-01',
        '2028-02-21',
        '2028-02-27',
        '2028-02-01',
        '2028-02-29',
        '2027-10-01',
        '2027-12-31',
      ],
      [
        '2026-03-29',
        '2026-03-16',
        '2026-03-22',
        '2026-02-01',
        '2026-02-28',
        '2025-10-01',
        '2025-12-31',
      ],
      [
        '2026-03-30',
        '2026-03-23',
        '2026-03-29',
        '2026-02-01',
        '2026-02-28',
        '2025-10-01',
        '2025-12-31',
      ],
      [
        '2026-11-02',
        '2026-10-26',
        '2026-11-01',
        '2026-10-01',
        '2026-10-31',
        '2026-07-01',
        '2026-09-30',
      ],
    ];
    for (const zone of zones) {
      const calendar = new SiteCalendar(zone);
      for (const [day, ...expected] of cases) {
        for (const instant of [calendar.startOfDay(day), calendar.endOfDay(day)]) {
          const found = reportIntervals.flatMap((interval) => {
            const { from, to } = lastPeriod(interval, calendar.dayOf(instant));
            return [from, to];
          });
          assert.deepEqual(found, expected, `${zone} ${day}`);
        }
      }
    }
  });

  test('each moment of three years belongs to one period, in twelve zones', () => {
    for (const interval of reportIntervals) {
      const ends = new Map<string, string>();
      let day = '2026-01-01';
      for (let i = 0; i < 3 * 366; i += 1, day = addDays(day, 1)) {
        const { from, to } = lastPeriod(interval, day);
        assert.ok(from <= to && to < day, `${interval} ${day}`);
        ends.set(to, from);
      }
      const periods = [...ends].map(([to, from]) => ({ from, to }));
      for (const zone of zones) {
        const calendar = new SiteCalendar(zone);
        for (const [i, { to }] of periods.slice(0, -1).entries()) {
          const next = calendar.startOfDay(periods[i + 1]!.from);
          assert.equal(calendar.endOfDay(to) + 1, next, `${zone} ${interval} ${to}`);
        }
      }
    }
  });
});
