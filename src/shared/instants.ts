import { isCalendarDay, type SiteCalendar } from './dates.ts';

const SHAPE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

/** Whether a text is ISO 8601 as stores write it, on an existing day. @internal Exported for its test. */
export function isInstant(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && isCalendarDay(match[1]!);
}

/** A time is checked first and then read. */
let last: { text: string; calendar: SiteCalendar; instantMs: number } | undefined;

/** Without an offset or Z, a time is the site's local time. */
export function instantOf(text: string, calendar: SiteCalendar): number {
  if (last?.text === text && last.calendar === calendar) return last.instantMs;
  const instantMs = readInstant(text, calendar);
  last = { text, calendar, instantMs };
  return instantMs;
}

function readInstant(text: string, calendar: SiteCalendar): number {
  const [, day, hours = '00', minutes = '00', seconds = '00', zone] = SHAPE.exec(text)!;
  const local = `${day}T${hours}:${minutes}:${seconds}`;
  if (zone === undefined) return calendar.fromLocal(local);
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return Date.parse(local + offset);
}

/** The milliseconds that a time written like this may mean more: without a time of day, a whole day. */
export function precisionOf(text: string): number {
  if (text.length === 'YYYY-MM-DD'.length) return 86_400_000;
  const hasSeconds = text['YYYY-MM-DDThh:mm'.length] === ':';
  return hasSeconds ? 1_000 : 60_000;
}

const FIRST_YEAR = 1970;
const LAST_YEAR = 9999;

/** Why the site cannot store a time; undefined when it can. */
export function instantError(text: string, calendar: SiteCalendar): string | undefined {
  if (!isInstant(text)) {
    return 'must be a date and time like 2026-03-29T14:30:00 or 2026-03-29T12:30:00Z';
  }
  const year = calendar.yearOf(instantOf(text, calendar));
  if (year >= FIRST_YEAR && year <= LAST_YEAR) return undefined;
  return `must be in the years ${FIRST_YEAR} to ${LAST_YEAR} of the site's own time`;
}
