import { WINDOW_DAYS, type Window } from './history.ts';

export const DAY_MS = 24 * 60 * 60_000;
/** The local day on which the histories begin. */
export const START_DAY = '2026-01-20';

/** The moment of the site's clock so many days after the histories begin. */
export function noonOf(days: number): number {
  return Date.parse(`${plusDays(START_DAY, days)}T06:15:00Z`);
}

/** The local day of such a moment. */
export function todayOf(noonMs: number): string {
  return plusDays(START_DAY, (noonMs - noonOf(0)) / DAY_MS);
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
export const plusDays = (day: string, days: number) => dayOf(Date.parse(day) + days * DAY_MS);

export function plusMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)));
}

export function windowOf(kind: Window, day: string): { first: string; last: string } {
  if (kind === 'always') return { first: '0000-01-01', last: '9999-12-31' };
  if (kind === 'days') return { first: plusDays(day, 1 - WINDOW_DAYS), last: day };
  const months = { month: 1, quarter: 3, year: 12 }[kind];
  const month = Number(day.slice(5, 7)) - 1;
  const begin = String(month - (month % months) + 1).padStart(2, '0');
  const first = `${day.slice(0, 4)}-${begin}-01`;
  return { first, last: plusDays(plusMonths(first, months), -1) };
}
