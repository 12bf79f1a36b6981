import type { Reader } from '../../../db/database.ts';
import { addDays, type Series } from '../../../kernel/call/series.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import type { SiteCalendar } from '../../../shared/dates.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import {
  figureNames,
  reportDimensions,
  type ReportKind,
  type ReportSort,
} from '../../../web-contract/report-dimensions.ts';
import { ReportCache } from '../report-cache.ts';
import { sumClicks, sumStore, type InRange } from '../report-rows.ts';
import { compareCountries } from './country-rows.ts';
import {
  compareCoupons,
  noFigures,
  sumPeriod,
  type Compared,
  type ComparedRow,
  type Figures,
} from './period-rows.ts';
import { compareSources } from './source-rows.ts';

export interface Comparison {
  period: InRange;
  /** As many days, right before the period. */
  before: InRange;
  /** Of the whole program: an order with several coupons counts once. By creative and sub-id, of all rows. */
  totals: Compared<Figures>;
  /** In their order, as many as are wanted. */
  rows: ComparedRow[];
  /** How many rows there are. */
  total: number;
}

const ROWS_KEPT_MS = 60_000;
/** Two reports, each with as many rows as there are affiliates or coupons. */
const REPORTS_KEPT = 2;

/** Kept while the totals of both periods stay the same: the next page or another sort adds up nothing. */
const keptRows = new ReportCache<readonly ComparedRow[]>(ROWS_KEPT_MS, REPORTS_KEPT);

const FIRST_DAY = '0001-01-01';

/** @param wanted How many of the first rows are needed; all of them without it. */
export async function comparePeriods(
  db: Reader,
  site: Site,
  kind: ReportKind,
  { from, to }: Pick<Series, 'from' | 'to'>,
  { sort, wanted }: { sort: ReportSort | undefined; wanted?: number },
): Promise<Comparison> {
  const days = daysOf({ first: from, last: to });
  const period = { first: from, last: to };
  const before = { first: shift(from, -days), last: shift(from, -1) };
  const periods = { now: period, before };
  const totals = { now: await sumAll(db, period), before: await sumAll(db, before) };
  const compute = () => comparisons[kind](db, site.calendar, periods, totals);
  const key = JSON.stringify([kind, periods, totals]);
  const rows =
    kind === 'day' ? await compute() : await keptRows.find(site, key, site.clock(), compute);
  const { sort: usual, isOfLinks } = reportDimensions[kind];
  const sorted = firstOf(rows, comparing(sort ?? usual), wanted ?? rows.length);
  return {
    period,
    before,
    totals: isOfLinks ? { now: addUp(rows, 'now'), before: addUp(rows, 'before') } : totals,
    rows: sorted,
    total: rows.length,
  };
}

/** An order has one link, so no order is in two rows. */
function addUp(rows: readonly ComparedRow[], which: keyof Compared<Figures>): Figures {
  const sum = noFigures();
  for (const row of rows) for (const name of figureNames) sum[name] += row[which][name];
  return sum;
}

type Compare = (
  db: Reader,
  calendar: SiteCalendar,
  periods: Compared<InRange>,
  totals: Compared<Figures>,
) => Promise<readonly ComparedRow[]>;

/** The rows of both periods, in any order. */
const comparisons: Record<ReportKind, Compare> = {
  day: (db, _calendar, periods) => compareDays(db, periods),
  affiliate: (db, _calendar, periods, totals) => compareCoupons(db, 'affiliate', periods, totals),
  coupon: (db, _calendar, periods, totals) => compareCoupons(db, 'coupon', periods, totals),
  campaign: (db, _calendar, periods) => compareCampaigns(db, periods),
  creative: (db, calendar, periods) => compareSources(db, calendar, 'creative', periods),
  sub1: (db, calendar, periods) => compareSources(db, calendar, 'sub1', periods),
  country: compareCountries,
};

function shift(day: string, days: number): string {
  const shifted = addDays(day, days);
  return shifted < FIRST_DAY || shifted.length !== FIRST_DAY.length ? FIRST_DAY : shifted;
}

async function sumAll(db: Reader, range: InRange): Promise<Figures> {
  const [store, clicks] = await Promise.all([sumStore(db, range), sumClicks(db, range)]);
  return {
    clicks: clicks.clicks,
    conversions: clicks.conversions,
    orders: store.orders_count,
    sales: store.total_sales,
    commission: store.total_commission,
    upline_commission: store.upline_commission,
  };
}

const daysOf = ({ first, last }: InRange) =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;

/** One row per day of the period, beside the day as many days earlier. */
async function compareDays(db: Reader, periods: Compared<InRange>): Promise<ComparedRow[]> {
  const days = daysOf(periods.now);
  const now = await sumPeriod(db, 'day', periods.now);
  const before = await sumPeriod(db, 'day', periods.before);
  return Array.from({ length: days }, (_, i) => {
    const key = addDays(periods.now.first, i);
    return {
      key,
      now: now.get(key) ?? noFigures(),
      before: before.get(addDays(key, -days)) ?? noFigures(),
    };
  });
}

/** One row per campaign of either period. */
async function compareCampaigns(db: Reader, periods: Compared<InRange>): Promise<ComparedRow[]> {
  const now = await sumPeriod(db, 'campaign', periods.now);
  const before = await sumPeriod(db, 'campaign', periods.before);
  return [...new Set([...now.keys(), ...before.keys()])].map((key) => ({
    key,
    now: now.get(key) ?? noFigures(),
    before: before.get(key) ?? noFigures(),
  }));
}

function comparing(sort: ReportSort): (a: ComparedRow, b: ComparedRow) => number {
  const direction = sort.startsWith('-') ? -1 : 1;
  const name = sort.replace('-', '');
  const figure = figureNames.find((known) => known === name);
  const byKey = (a: ComparedRow, b: ComparedRow) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  if (figure === undefined) return (a, b) => direction * byKey(a, b);
  return (a, b) => direction * (a.now[figure] - b.now[figure]) || byKey(a, b);
}

/** With more rows than this, rows that come in the reverse order would take longer than sorting all of them. */
const CHOSEN_MAX = 100;

/** The first rows in an order: without sorting all of them if few are wanted. @internal */
export function firstOf<T>(
  rows: readonly T[],
  compare: (a: T, b: T) => number,
  wanted: number,
): T[] {
  if (wanted > CHOSEN_MAX) return rows.toSorted(compare).slice(0, wanted);
  const first: T[] = [];
  for (const row of rows) {
    const isFull = first.length === wanted;
    if (isFull && (wanted === 0 || compare(row, first.at(-1)!) >= 0)) continue;
    if (isFull) first.pop();
    let place = first.length;
    while (place > 0 && compare(row, first[place - 1]!) < 0) place--;
    first.splice(place, 0, row);
  }
  return first;
}
