import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../test/support/seeded-random.ts';
import { Temporal } from '../../test/support/temporal.ts';
import { isCalendarDay, isTimeZone, SiteCalendar } from './dates.ts';

/** Whole and half hours, quarter hours, a half-hour summer time, midnights skipped and repeated, a day skipped. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'America/Havana',
  'America/St_Johns',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Asia/Beirut',
];
const FROM = Date.UTC(1990, 0, 1);
const TO = Date.UTC(2060, 0, 1);

const instant = fc.integer({ min: FROM, max: TO });
const day = instant.map((ms) => new Date(ms).toISOString().slice(0, 10));

/** The changes of a zone's clock, around which mistakes are likely. */
function transitionsOf(zone: string): number[] {
  const found: number[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds > TO) return found;
    found.push(next.epochMilliseconds);
    at = next;
  }
}

const localBy = (zone: string, ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' });
const startBy = (zone: string, text: string) =>
  Temporal.PlainDate.from(text).toZonedDateTime(zone).startOfDay().epochMilliseconds;
const nextDay = (text: string) => Temporal.PlainDate.from(text).add({ days: 1 }).toString();

describe('SiteCalendar', () => {
  for (const zone of zones) {
    describe(zone, () => {
      const calendar = new SiteCalendar(zone);
      const changes = transitionsOf(zone);

      test('the wall clock at any instant', () => {
        fc.assert(
          fc.property(instant, (ms) => assert.equal(calendar.toLocal(ms), localBy(zone, ms))),
          { numRuns: 300 },
        );
      });

      test('the wall clock around every change of it', () => {
        for (const change of changes) {
          for (const around of [-3_600_000, -1_000, -1, 0, 1, 1_000, 3_600_000]) {
            const ms = change + around;
            assert.equal(calendar.toLocal(ms), localBy(zone, ms), new Date(ms).toISOString());
          }
        }
      });

      test('the first and the last instant of any day', () => {
        fc.assert(
          fc.property(day, (text) => {
            assert.equal(calendar.startOfDay(text), startBy(zone, text));
            assert.equal(calendar.endOfDay(text), startBy(zone, nextDay(text)) - 1);
          }),
          { numRuns: 300 },
        );
      });

      test('the first and the last instant of the days around every change', () => {
        for (const change of changes) {
          for (const around of [-2, -1, 0, 1, 2]) {
            const text = new Date(change + around * 86_400_000).toISOString().slice(0, 10);
            assert.equal(calendar.startOfDay(text), startBy(zone, text), text);
            assert.equal(calendar.endOfDay(text), startBy(zone, nextDay(text)) - 1, text);
          }
        }
      });

      test('days follow one another without gap or overlap', () => {
        fc.assert(
          fc.property(day, (text) => {
            assert.equal(calendar.endOfDay(text) + 1, calendar.startOfDay(nextDay(text)));
          }),
        );
      });
    });
  }

  test('a day that a time zone skipped has no instant', () => {
    const apia = new SiteCalendar('Pacific/Apia');
    assert.equal(apia.startOfDay('2011-12-30'), apia.startOfDay('2011-12-31'));
  });

  test('the day of an instant', () => {
    const berlin = new SiteCalendar('Europe/Berlin');
    assert.equal(berlin.dayOf(Date.parse('2026-03-28T22:59:59Z')), '2026-03-28');
    assert.equal(berlin.dayOf(Date.parse('2026-03-28T23:00:00Z')), '2026-03-29');
  });

  test('no instant is no time', () => {
    assert.equal(new SiteCalendar('UTC').toLocal(null), null);
  });

  test('the first and the last day there are', () => {
    for (const zone of ['UTC', 'Pacific/Apia', 'America/New_York']) {
      const calendar = new SiteCalendar(zone);
      assert.equal(calendar.toLocal(calendar.endOfDay('9999-12-31')), '9999-12-31T23:59:59', zone);
      assert.equal(
        calendar.toLocal(calendar.startOfDay('0001-01-01')),
        '0001-01-01T00:00:00',
        zone,
      );
    }
  });
});

describe('isCalendarDay', () => {
  const number = (max: number) => fc.integer({ min: 0, max });
  const pad = (value: number, length: number) => String(value).padStart(length, '0');

  test('the same days as the calendar has', () => {
    fc.assert(
      fc.property(number(9999), number(14), number(33), (year, month, dayOfMonth) => {
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
        let real = true;
        try {
          Temporal.PlainDate.from(text);
        } catch {
          real = false;
        }
        assert.equal(isCalendarDay(text), real, text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('leap days', () => {
    for (const text of ['2024-02-29', '2000-02-29']) assert.ok(isCalendarDay(text), text);
    for (const text of ['2026-02-29', '1900-02-29', '2026-02-30'])
      assert.ok(!isCalendarDay(text), text);
  });

  test('no other form', () => {
    for (const text of [
      '2026-1-1',
      '26-01-01',
      '2026/01/01',
      '01.01.2026',
      '20260101',
      '2026-01-01T00:00:00',
      ' 2026-01-01',
      '2026-01-01\n',
      '+002026-01-01',
      '٢٠٢٦-٠١-٠١',
      '',
    ]) {
      assert.ok(!isCalendarDay(text), JSON.stringify(text));
    }
  });
});

describe('isTimeZone', () => {
  test('names of the database and UTC, nothing else', () => {
    for (const zone of zones) assert.ok(isTimeZone(zone), zone);
    for (const name of ['Berlin', 'Mars/Olympus', '', 'Europe/'])
      assert.ok(!isTimeZone(name), name);
  });
});
