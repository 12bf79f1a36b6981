import { isCalendarDay, type SiteCalendar } from './dates.ts';

const SHAPE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?)?$/;

/** ISO 8601 as stores write it, on a real day of the calendar. */
export function isInstant(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && isCalendarDay(match[1]!);
}

/** With an offset or Z an instant; without one the site's local time. */
export function instantOf(text: string, calendar: SiteCalendar): number {
  const [, day, hours = '00', minutes = '00', seconds = '00', zone] = SHAPE.exec(text)!;
  const local = `${day}T${hours}:${minutes}:${seconds}`;
  if (zone === undefined) return calendar.fromLocal(local);
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return Date.parse(local + offset);
}
