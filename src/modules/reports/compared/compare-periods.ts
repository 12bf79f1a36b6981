import type { Reader } from '../../../db/database.ts';
import { addDays, type Series } from '../../../kernel/call/series.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { ReportCache } from '../report-cache.ts';
import { sumClicks, sumStore, type InRange } from '../report-store.ts';
import {
  figureNames,
  noFigures,
  sumPeriod,
  type Figures,
  type FiguresByKey,
  type ReportKind,
} from './period-store.ts';

export const reportSorts = [
  'date',
  '-date',
  ...figureNames.flatMap((name) => [name, `-${name}`] as const),
] as const;
export type ReportSort = (typeof reportSorts)[number];

export interface ComparedRow {
  key: string | number;
  now: Figures;
  before: Figures;
}

export interface Comparison {
  period: InRange;
  /** As many days, right before the period. */
  before: InRange;
  /** Of the whole program: an order with several coupons counts once. */
  totals: { now: Figures; before: Figures };
  rows: ComparedRow[];
}

const SUMS_KEPT_MS = 60_000;
/** Two reports: each has two periods, with as many rows as there are affiliates or coupons. */
const SUMS_KEPT = 4;

/** Kept while the totals of the period stay the same: the next page or another sort adds up nothing. */
const sums = new ReportCache<FiguresByKey>(SUMS_KEPT_MS, SUMS_KEPT);

const FIRST_DAY = '0001-01-01';
const DAY_MS = 24 * 60 * 60_000;

export async function comparePeriods(
  db: Reader,
  site: Site,
  kind: ReportKind,
  { from, to }: Series,
  sort: ReportSort | undefined,
): Promise<Comparison> {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  const period = { first: from, last: to };
  const before = { first: shift(from, -days), last: shift(from, -1) };
  const totals = { now: await sumAll(db, period), before: await sumAll(db, before) };
  const sumsOf = (of: InRange, total: Figures) => {
    const add = () => sumPeriod(db, kind, of);
    if (kind === 'day') return add();
    const key = JSON.stringify([kind, of, total]);
    return sums.find(site, key, site.clock(), add);
  };
  const rows =
    kind === 'country'
      ? [{ key: '', now: totals.now, before: totals.before }]
      : joined(
          await sumsOf(period, totals.now),
          await sumsOf(before, totals.before),
          kind === 'day' ? { days, from } : undefined,
        );
  return { period, before, totals, rows: rows.sort(comparing(sort ?? defaultSorts[kind])) };
}

const defaultSorts: Record<ReportKind, ReportSort> = {
  day: 'date',
  affiliate: '-commission',
  coupon: '-commission',
  campaign: '-clicks',
  country: '-commission',
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

/** One row per key of either period. By day, each day of the period is compared with the day that many days earlier. */
function joined(
  now: FiguresByKey,
  before: FiguresByKey,
  byDay: { days: number; from: string } | undefined,
): ComparedRow[] {
  const keys = byDay
    ? Array.from({ length: byDay.days }, (_, i) => addDays(byDay.from, i))
    : [...new Set([...now.keys(), ...before.keys()])];
  return keys.map((key) => ({
    key,
    now: now.get(key) ?? noFigures(),
    before: before.get(byDay ? addDays(String(key), -byDay.days) : key) ?? noFigures(),
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
