import { BoundedMap } from '../../shared/bounded-map.ts';
import { DAY_MS } from '../../shared/durations.ts';
import type { RewardWindow } from './rule.ts';

/** The days of a window, both included. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** Before and after every day of the calendar. */
const ALWAYS: DayRange = { first: '0000-01-01', last: '9999-12-31' };

/** Orders of the same few days ask for the same windows, and formatting the days of one takes microseconds. */
const known = new WeakMap<RewardWindow, BoundedMap<string, DayRange>>();

/** The window that a day is in. Days are local days of the site, so a clock change moves no boundary. */
export function windowAt(window: RewardWindow, day: string): DayRange {
  let ranges = known.get(window);
  if (!ranges) known.set(window, (ranges = new BoundedMap(1_000)));
  let range = ranges.get(day);
  if (!range) ranges.set(day, (range = computeWindow(window, day)));
  return range;
}

function computeWindow({ kind, days = 1 }: RewardWindow, day: string): DayRange {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  switch (kind) {
    case 'month':
      return monthsFrom(year, month, 1);
    case 'quarter':
      return monthsFrom(year, month - ((month - 1) % 3), 3);
    case 'year':
      return monthsFrom(year, 1, 12);
    case 'days':
      return { first: dayAfter(day, 1 - days), last: day };
    case 'always':
      return ALWAYS;
  }
}

function monthsFrom(year: number, month: number, months: number): DayRange {
  return {
    first: dayText(Date.UTC(year, month - 1, 1)),
    last: dayText(Date.UTC(year, month - 1 + months, 0)),
  };
}

/** The same day some months later; a month that is too short ends on its last day. */
export function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year!, month! - 1 + months + 1, 0)).getUTCDate();
  return dayText(Date.UTC(year!, month! - 1 + months, Math.min(date!, lastDate)));
}

/** The day some days later, or earlier. */
export function dayAfter(day: string, days: number): string {
  return dayText(utcOf(day) + days * DAY_MS);
}

function utcOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function dayText(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 10);
}
