import { BoundedMap } from './bounded-map.ts';
import { DAY_MS } from './durations.ts';

/**
 * The site's calendar. Instants are stored as epoch milliseconds; people see the site's own time:
 * `YYYY-MM-DDTHH:MM:SS` without an offset, days as `YYYY-MM-DD`.
 */

const DAY_SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;
const QUARTER_HOUR_MS = 15 * 60_000;
const CACHED_MAX = 10_000;
/** Cached in place of an offset for a span in which the offset changes. */
const OFFSET_CHANGES = Number.POSITIVE_INFINITY;

/** Whether a text is an existing day in the form Y-m-d; 2026-02-30 is not. */
export function isCalendarDay(text: string): boolean {
  const match = DAY_SHAPE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

function two(n: number): string {
  return TWO_DIGITS[n]!;
}

export class SiteCalendar {
  readonly timeZone: string;
  /** Made when it is needed: the first one of a process loads the data of all zones, which takes 20 ms of a start. */
  #format: Intl.DateTimeFormat | undefined;
  /**
   * Intl takes 2 µs, so offsets are cached per day, or per quarter hour of a day in which the offset changes.
   * No zone has ever changed its clock twice within six days.
   */
  readonly #offsets = [DAY_MS, QUARTER_HOUR_MS].map((spanMs) => ({
    spanMs,
    known: new BoundedMap<number, number>(CACHED_MAX),
  }));
  readonly #days = new BoundedMap<number, string>(CACHED_MAX);

  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** `2026-03-29T03:00:00`, the site's wall clock at this instant; null stays null. */
  toLocal(instantMs: number): string;
  toLocal(instantMs: number | null): string | null;
  toLocal(instantMs: number | null): string | null {
    if (instantMs === null) return null;
    const wall = instantMs + this.#offsetMs(instantMs);
    const day = Math.floor(wall / DAY_MS);
    const seconds = Math.floor((wall - day * DAY_MS) / 1000);
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    return `${this.#dayText(day)}T${two(hours)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  }

  dayOf(instantMs: number): string {
    return this.#dayText(Math.floor((instantMs + this.#offsetMs(instantMs)) / DAY_MS));
  }

  /** The year that the site's clock shows at this instant. */
  yearOf(instantMs: number): number {
    return new Date(instantMs + this.#offsetMs(instantMs)).getUTCFullYear();
  }

  /** Cached, because lists show the same few days, and formatting one costs ten times as much as a lookup. */
  #dayText(day: number): string {
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
    this.#days.set(day, text);
    return text;
  }

  /** The instant at which the site's clock shows this (`2026-03-29T02:30:00`), or the first of two. */
  fromLocal(local: string): number {
    const wall = Date.parse(`${local}Z`);
    const before = wall - this.#offsetMs(wall - DAY_MS);
    const after = wall - this.#offsetMs(wall + DAY_MS);
    const shows = (instant: number) => instant + this.#offsetMs(instant) === wall;
    const [early, late] = before < after ? [before, after] : [after, before];
    if (shows(early)) return early;
    if (shows(late)) return late;
    // The clock skips this time: it is moved forward by as much as the clock, as calendars do.
    return before;
  }

  /** The first instant of a day. If a clock change skips midnight, this is the first instant that exists. */
  startOfDay(day: string): number {
    const wall = Date.parse(`${day}T00:00:00Z`);
    // The offset before and after any change near midnight; the earlier valid instant wins.
    const candidates = [this.#offsetMs(wall - DAY_MS), this.#offsetMs(wall + DAY_MS)]
      .map((offset) => wall - offset)
      .sort((a, b) => a - b);
    const exact = candidates.find((instant) => instant + this.#offsetMs(instant) === wall);
    if (exact !== undefined) return exact;
    // Midnight does not exist: the clock jumps over it, between the two candidates.
    return this.#firstInstantOf(day, candidates[0]!, candidates[1]!);
  }

  /** The last millisecond of a day. */
  endOfDay(day: string): number {
    const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
    return this.startOfDay(next) - 1;
  }

  #firstInstantOf(day: string, before: number, after: number): number {
    let low = before;
    let high = after;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.dayOf(middle) >= day) high = middle;
      else low = middle;
    }
    return this.dayOf(low) >= day ? low : high;
  }

  #offsetMs(instantMs: number): number {
    for (const { spanMs, known } of this.#offsets) {
      const span = Math.floor(instantMs / spanMs);
      const offset = known.get(span) ?? this.#cacheOffset(known, span, spanMs);
      if (offset !== OFFSET_CHANGES) return offset;
    }
    return this.#readOffset(instantMs);
  }

  #cacheOffset(known: Map<number, number>, span: number, spanMs: number): number {
    const first = this.#readOffset(span * spanMs);
    const last = this.#readOffset((span + 1) * spanMs - 1);
    const offset = first === last ? first : OFFSET_CHANGES;
    known.set(span, offset);
    return offset;
  }

  #readOffset(instantMs: number): number {
    if (this.timeZone === 'UTC') return 0;
    const { timeZone } = this;
    this.#format ??= new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    const part = this.#format.formatToParts(instantMs).find((p) => p.type === 'timeZoneName');
    const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(part?.value ?? '');
    if (!match) throw new Error(`No offset known for time zone ${this.timeZone}`);
    if (!match[1]) return 0;
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0);
    return (match[1] === '-' ? -1 : 1) * seconds * 1000;
  }
}
