import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../test/support/seeded-random.ts';
import { Temporal } from '../../../test/support/temporal.ts';
import { SiteCalendar } from '../../shared/dates.ts';
import { dayAfter, monthsAfter, windowAt } from './window.ts';

/** Compares the windows of steps, limits and bonuses with Temporal, which knows time zones by itself. */

/** Half and quarter hours, summer times of both hemispheres, midnights skipped and repeated, a day skipped. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Asuncion',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
];
const months = { month: 1, quarter: 3, year: 12 } as const;
const kinds = ['month', 'quarter', 'year'] as const;
const day = fc
  .integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2041, 0, 1) })
  .map((ms) => new Date(ms).toISOString().slice(0, 10));

/** The first days of the window of a day and of the next one. */
function windowBy(kind: (typeof kinds)[number], of: Temporal.PlainDate) {
  const first = of.with({ day: 1, month: of.month - ((of.month - 1) % months[kind]) });
  return { first, next: first.add({ months: months[kind] }) };
}

const startBy = (zone: string, of: Temporal.PlainDate) =>
  of.toZonedDateTime(zone).startOfDay().epochMilliseconds;

describe('the windows of rewards', () => {
  for (const zone of zones) {
    test(`${zone}: a window begins with its first instant, and ends with its last one`, () => {
      const calendar = new SiteCalendar(zone);
      // From before the day that Samoa skipped, over three leap days.
      for (let year = 2011; year <= 2028; year += 1) {
        for (let month = 1; month <= 12; month += 1) {
          const begin = Temporal.PlainDate.from({ year, month, day: 1 });
          const beginsAt = startBy(zone, begin);
          for (const [at, of] of [
            [beginsAt, begin],
            [beginsAt - 1, begin.subtract({ days: 1 })],
          ] as const) {
            const there = calendar.dayOf(at);
            const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
            assert.equal(there, wall.toPlainDate().toString());
            for (const kind of kinds) {
              const { first, next } = windowBy(kind, of);
              const window = windowAt({ kind }, there);
              assert.deepEqual(window, {
                first: first.toString(),
                last: next.subtract({ days: 1 }).toString(),
              });
              // When a percentage of the window is paid.
              const endsAt = calendar.startOfDay(dayAfter(window.last, 1));
              assert.equal(endsAt, startBy(zone, next));
              assert.ok(calendar.startOfDay(window.first) <= at && at < endsAt);
            }
          }
        }
      }
    });

    test(`${zone}: on the days of clock changes, the last days are days of the calendar`, () => {
      const calendar = new SiteCalendar(zone);
      let at = Temporal.Instant.from('2011-01-01T00:00Z').toZonedDateTimeISO(zone);
      for (;;) {
        const change = at.getTimeZoneTransition('next');
        if (!change || change.year > 2027) return;
        at = change;
        for (const ms of [change.epochMilliseconds - 1, change.epochMilliseconds]) {
          const today = calendar.dayOf(ms);
          for (const days of [1, 2, 30, 366]) {
            const { first, last } = windowAt({ kind: 'days', days }, today);
            assert.equal(last, today);
            const by = Temporal.PlainDate.from(today).subtract({ days: days - 1 });
            assert.equal(first, by.toString());
          }
        }
      }
    });
  }

  test('months later: a month that is too short ends on its last day', () => {
    assert.equal(monthsAfter('2024-01-31', 1), '2024-02-29');
    assert.equal(monthsAfter('2023-01-31', 1), '2023-02-28');
    assert.equal(monthsAfter('2024-02-29', 12), '2025-02-28');
    assert.equal(monthsAfter('2024-02-29', 48), '2028-02-29');
    fc.assert(
      fc.property(day, fc.integer({ min: -24, max: 120 }), (from, count) => {
        const by = Temporal.PlainDate.from(from).add({ months: count });
        assert.equal(monthsAfter(from, count), by.toString());
      }),
      { numRuns: 500 },
    );
  });

  test('every day is in exactly one window of a kind, and always is one window', () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...kinds), (of, kind) => {
        const { first, last } = windowAt({ kind }, of);
        assert.ok(first <= of && of <= last);
        assert.deepEqual(windowAt({ kind }, first), { first, last });
        assert.deepEqual(windowAt({ kind }, last), { first, last });
        assert.ok(windowAt({ kind }, dayAfter(last, 1)).first > last);
        const always = windowAt({ kind: 'always' }, of);
        assert.ok(always.first < of && of < always.last);
      }),
      { numRuns: 300 },
    );
  });
});
