import Type, { type TObject } from 'typebox';
import { Day } from '../declare/schemas.ts';
import type { Site } from '../declare/site.ts';

export const rangeParameters = {
  from: Type.Optional(Day('The first day, included.')),
  to: Type.Optional(Day('The last day, included; today when only `from` is given.')),
};

/** A range of days that includes both ends; null means that an end is open. */
export interface DateRange {
  from: string | null;
  to: string | null;
}

/**
 * Whether a contract accepts a range of days. Every input reader checks it, so that `from` after `to` is
 * an invalid parameter on every such route, before the permission is checked.
 */
export function takesRange(query: TObject | undefined): boolean {
  const isDay = (name: string) => {
    const schema = query?.properties[name];
    return schema !== undefined && 'format' in schema && schema.format === 'date';
  };
  return isDay('from') && isDay('to');
}

/** The reason to refuse `from` if it is after `to`. */
export function rangeError(from: unknown, to: unknown): string | undefined {
  if (typeof from !== 'string' || typeof to !== 'string' || from <= to) return undefined;
  return `must not be after ${to}`;
}

/**
 * Fills in the missing end: `from` alone reaches until today, `to` alone has no beginning. If `from` is
 * in the future, the range ends before it begins, so its result is empty.
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

/** Days sort as text, so an open end becomes text that sorts before or after every day. */
export function bounds({ from, to }: DateRange): { first: string; last: string } {
  return { first: from ?? '0000-00-00', last: to ?? '9999-99-99' };
}
