import Type from 'typebox';
import { DAY_MS } from '../../shared/durations.ts';
import type { FieldErrors } from '../declare/field-errors.ts';
import { Day, StringEnum } from '../declare/schemas.ts';
import type { Site } from '../declare/site.ts';

export const intervals = ['day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

/** More points than a chart can show; also bounds the work of one request. */
const POINTS_MAX = 400;
const DEFAULT_DAYS = 30;

export const seriesParameters = {
  from: Type.Optional(
    Day(`The first day, included; ${DEFAULT_DAYS - 1} days before \`to\` if left out.`),
  ),
  to: Type.Optional(Day('The last day, included; today if left out.')),
  interval: StringEnum(intervals, {
    default: 'day',
    description: `One point per day, week (from Monday) or month; at most ${POINTS_MAX} points.`,
  }),
};

export const seriesSchemas = {
  interval: StringEnum(intervals, { description: 'The interval of one point.' }),
  from: Day('The first day.'),
  to: Day('The last day.'),
};

export const PointDate = Day(
  'The day, the Monday of the week or the first of the month. The first and the last point cover only the part ' +
    'within the range.',
);

/** A range of days, both ends included. */
export interface Series {
  readonly interval: Interval;
  readonly from: string;
  readonly to: string;
}

interface SeriesInput {
  from?: string;
  to?: string;
  interval?: Interval;
}

export function seriesOf(input: SeriesInput, site: Site, nowMs: number): Series {
  const to = input.to ?? site.calendar.dayOf(nowMs);
  const from = input.from ?? addDays(to, 1 - DEFAULT_DAYS);
  return { interval: input.interval ?? 'day', from, to };
}

/** For `check` of an operation with `seriesParameters`. */
export function checkSeries(input: SeriesInput, errors: FieldErrors, site: Site): void {
  if (['from', 'to', 'interval'].some((name) => name in errors.invalid)) return;
  const { from, to, interval } = seriesOf(input, site, site.clock());
  const shortest = { day: 1, week: 7, month: 28 }[interval];
  const isLong = (Date.parse(to) - Date.parse(from)) / DAY_MS > POINTS_MAX * shortest * 2;
  if (!isLong && datesOf({ from, to, interval }).length <= POINTS_MAX) return;
  errors.invalid[input.from === undefined ? 'to' : 'from'] =
    `must be within ${POINTS_MAX} ${interval}s of the last day`;
}

/** The dates of all points, in order; none if the range ends before it begins. */
function datesOf({ from, to, interval }: Series): string[] {
  if (from > to) return [];
  const dates: string[] = [];
  const first = pointOf(from, interval);
  // A date after the year 9999 begins with `+` and is less than any other.
  for (let date = first; date >= first && date <= to; date = next(date, interval)) {
    dates.push(date);
  }
  return dates;
}

/** The date of the point that a day belongs to. */
function pointOf(day: string, interval: Interval): string {
  if (interval === 'day') return day;
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  // getUTCDay is 0 on Sundays.
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

function next(date: string, interval: Interval): string {
  if (interval === 'month') return pointOf(addDays(date, 31), 'month');
  return addDays(date, interval === 'week' ? 7 : 1);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** 1 from a day to the next one. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** The sums of daily figures per point; days without figures count as zero. */
export function toPoints<N extends string>(
  series: Series,
  names: readonly N[],
  days: readonly (Readonly<Record<N, number>> & { readonly day: string })[],
): ({ date: string } & Record<N, number>)[] {
  // The type of fromEntries loses the names; every name is present.
  const empty = () => Object.fromEntries(names.map((name) => [name, 0])) as Record<N, number>;
  const points = new Map(datesOf(series).map((date) => [date, empty()]));
  for (const figures of days) {
    const point = points.get(pointOf(figures.day, series.interval));
    if (!point) continue;
    for (const name of names) point[name] = point[name] + figures[name];
  }
  return [...points].map(([date, figures]) => ({ date, ...figures }));
}
