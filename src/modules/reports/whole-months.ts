import { addDays } from '../../kernel/call/series.ts';
import type { InRange } from './report-rows.ts';

/** A period as its whole months, like `2026-03`, and the days before and after them. */
export interface SplitPeriod {
  readonly months: InRange | undefined;
  readonly days: readonly InRange[];
}

/** Splits a period, so that most of it can be read from monthly sums. */
export function splitPeriod({ first, last }: InRange): SplitPeriod {
  const begin = first.endsWith('-01') ? first : monthAfter(first);
  // The month of `last` is whole if the next day is in another one.
  const isWhole = addDays(last, 1).slice(0, MONTH) !== last.slice(0, MONTH);
  const end = isWhole ? last : addDays(`${last.slice(0, MONTH)}-01`, -1);
  // A day after the year 9999 begins with `+` and is less than any other.
  if (begin < first || begin > end) {
    return { months: undefined, days: first > last ? [] : [{ first, last }] };
  }
  const days: InRange[] = [];
  if (first < begin) days.push({ first, last: addDays(begin, -1) });
  if (end < last) days.push({ first: addDays(end, 1), last });
  return { months: { first: begin.slice(0, MONTH), last: end.slice(0, MONTH) }, days };
}

/** The length of `2026-03`. */
const MONTH = 7;

/** The first day of the next month. */
function monthAfter(day: string): string {
  return `${addDays(`${day.slice(0, MONTH)}-28`, 4).slice(0, MONTH)}-01`;
}

/** The same days in pieces of at most `length` days. */
export function* piecesOf({ first, last }: InRange, length: number): Generator<InRange> {
  for (let day = first; ; day = addDays(day, length)) {
    const end = addDays(day, length - 1);
    if (end >= last || end < day) {
      if (day <= last) yield { first: day, last };
      return;
    }
    yield { first: day, last: end };
  }
}
