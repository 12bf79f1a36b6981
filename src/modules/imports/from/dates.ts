import type { SiteCalendar } from '../../../shared/dates.ts';
import { isCalendarDay } from '../../../shared/dates.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The instant of a date as files write it, or undefined for one that cannot be understood, or could be two: 03/04/2026
 * is in March or in April. Dates without an offset are the site's.
 */
export function instantOf(text: string, calendar: SiteCalendar): number | undefined {
  const iso =
    /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;
  const found = iso.exec(text.trim());
  if (found) {
    const [, year, month, day, time = '00:00', seconds = ':00', offset] = found;
    return instantAt(`${year}-${month}-${day}`, `${time}${seconds}`, offset, calendar);
  }
  const written = dayWritten(text.trim().toLowerCase()) ?? dayInNumbers(text.trim());
  return written === undefined ? undefined : instantAt(written, '00:00:00', undefined, calendar);
}

function instantAt(
  day: string,
  time: string,
  offset: string | undefined,
  calendar: SiteCalendar,
): number | undefined {
  if (!isCalendarDay(day)) return undefined;
  const zone = offset === 'UTC' ? 'Z' : offset?.replace(/(\d{2})(\d{2})$/, '$1:$2');
  const instant =
    zone === undefined ? calendar.fromLocal(`${day}T${time}`) : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** `January 5, 2026`, `5 Jan 2026`. */
function dayWritten(text: string): string | undefined {
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})/.exec(text);
  const dayFirst = /^(\d{1,2})\.? ([a-z]{3,9})\.?,? (\d{4})/.exec(text);
  if (monthFirst) return dayOf(monthFirst[3]!, monthNumber(monthFirst[1]!), monthFirst[2]!);
  return dayFirst ? dayOf(dayFirst[3]!, monthNumber(dayFirst[2]!), dayFirst[1]!) : undefined;
}

/** `31.01.2026`; with slashes only where one of the numbers can be no month. */
function dayInNumbers(text: string): string | undefined {
  const [, first, separator, second, year] =
    /^(\d{1,2})([./])(\d{1,2})[./](\d{4})/.exec(text) ?? [];
  if (!first || !second || !year) return undefined;
  if (separator === '.' || Number(first) > 12) return dayOf(year, Number(second), first);
  return Number(second) > 12 ? dayOf(year, Number(first), second) : undefined;
}

function monthNumber(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3)) + 1;
}

function dayOf(year: string, month: number, day: string): string {
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
}
