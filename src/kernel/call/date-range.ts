import Type, { type TObject } from 'typebox';
import { Day } from '../declare/schemas.ts';
import type { Site } from '../declare/site.ts';

/** The parameters of operations that accept a range of days. */
export const rangeParameters = {
  from: Type.Optional(Day('The first day, included.')),
  to: Type.Optional(Day('The last day, included; today when only `from` is given.')),
};

/** A range of days, both ends included; null where it is open. */
export interface DateRange {
  from: string | null;
  to: string | null;
}

/**
 * Whether a contract takes a range of days. Every input reader asks, so that `from` after `to` is a
 * faulty parameter on every such route, before permission is checked.
 */
export function takesRange(query: TObject | undefined): boolean {
  const isDay = (name: string) => {
    const schema = query?.properties[name];
    return schema !== undefined && 'format' in schema && schema.format === 'date';
  };
  return isDay('from') && isDay('to');
}

/** The reason to refuse `from`, where both days were given in the wrong order. */
export function rangeFault(from: unknown, to: unknown): string | undefined {
  if (typeof from !== 'string' || typeof to !== 'string' || from <= to) return undefined;
  return `must not be after ${to}`;
}

/**
 * The range that is meant: `from` alone reaches to today, `to` alone has no beginning. A `from` in the
 * future reaches back to today: that range contains no day, so its result is empty.
 */
export function effectiveRange(
  { from = null, to }: { from?: string | null; to?: string },
  site: Site,
  nowMs: number,
): DateRange {
  return { from, to: to ?? (from === null ? null : site.calendar.dayOf(nowMs)) };
}

export function isRange({ from, to }: DateRange): boolean {
  return from !== null || to !== null;
}

/** Days are text that sorts: an open end is a day before or after all others. */
export function bounds({ from, to }: DateRange): { first: string; last: string } {
  return { first: from ?? '0000-00-00', last: to ?? '9999-99-99' };
}
