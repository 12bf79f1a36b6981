import type { Reader } from '../../src/db/database.ts';
import { addDays } from '../../src/kernel/call/series.ts';
import type { Site } from '../../src/kernel/declare/site.ts';
import { earnersOfRange, ReportCache } from '../../src/modules/reports/index.ts';
import { period, placesShown, ranking, type periods } from './settings.ts';

/** Adding up all orders of a period takes noticeable time, and places need not be of this second. */
const CACHED_MS = 5 * 60_000;

export interface Standing {
  readonly place: number;
  readonly user_id: number;
  /** Orders, or sales in minor units. */
  readonly figure: number;
}

export interface Standings {
  readonly top: readonly Standing[];
  /** Of everyone with orders. */
  readonly byUser: ReadonlyMap<number, Standing>;
}

const standings = new ReportCache<Standings>(CACHED_MS, 4);

/** The places of a period, by the figures of the reports. */
export function readStandings(
  db: Reader,
  site: Site,
  days: { readonly from: string; readonly to: string },
  nowMs: number,
): Promise<Standings> {
  const by = site.settings.get(ranking);
  const places = site.settings.get(placesShown);
  const key = [days.from, days.to, by, places].join('/');
  return standings.find(site, key, nowMs, async () => {
    const earners = await earnersOfRange(db, { first: days.from, last: days.to });
    const sorted = earners
      .all()
      .map((earner) => ({ user_id: earner.user_id, figure: earner[by] }))
      .filter(({ figure }) => figure > 0)
      .sort((a, b) => b.figure - a.figure || a.user_id - b.user_id);
    let place = 0;
    // Equal figures have the same place.
    const placed = sorted.map((one, i): Standing => {
      if (one.figure !== sorted[i - 1]?.figure) place = i + 1;
      return { ...one, place };
    });
    return {
      top: placed.slice(0, places),
      byUser: new Map(placed.map((one) => [one.user_id, one])),
    };
  });
}

/** The days of the period that a day belongs to, up to this day. */
export function daysOf(site: Site, nowMs: number): { from: string; to: string } {
  const to = site.calendar.dayOf(nowMs);
  return { from: firstDay(site.settings.get(period), to), to };
}

/** @internal */
export function firstDay(kind: (typeof periods)[number], day: string): string {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  if (kind === 'days_30') return addDays(day, -29);
  if (kind === 'year') return `${year}-01-01`;
  const first = kind === 'quarter' ? month - ((month - 1) % 3) : month;
  return `${year}-${String(first).padStart(2, '0')}-01`;
}
