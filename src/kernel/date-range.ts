import Type from 'typebox';
import { invalidParameter } from './parameters.ts';
import { Day } from './schemas.ts';
import type { Site } from './site.ts';

/** The parameters of everything that can be asked for a range of days. */
export const rangeParameters = {
  from: Type.Optional(Day('The first day, included.')),
  to: Type.Optional(Day('The last day, included; today when only `from` is given.')),
};

/** A range of days, both ends included; null where it is open. */
export interface DateRange {
  from: string | null;
  to: string | null;
}

/** The range that is meant: `from` alone reaches to today, `to` alone has no beginning. */
export function effectiveRange(
  input: { from?: string; to?: string },
  site: Site,
  nowMs: number,
): DateRange {
  const { from = null } = input;
  const to = input.to ?? (from === null ? null : site.calendar.dayOf(nowMs));
  if (from !== null && to !== null && from > to) {
    throw invalidParameter('from', `must not be after ${to}`);
  }
  return { from, to };
}

export function isRange({ from, to }: DateRange): boolean {
  return from !== null || to !== null;
}

/** Days are text that sorts: an open end is a day before or after all others. */
export function bounds({ from, to }: DateRange): { first: string; last: string } {
  return { first: from ?? '0000-00-00', last: to ?? '9999-99-99' };
}
