import type { Reader } from '../../../db/database.ts';
import { addDays } from '../../../kernel/call/series.ts';
import type { Site } from '../../../kernel/declare/site.ts';
import { comparePeriods } from './compare-periods.ts';
import type { Figures } from './period-rows.ts';

/** As many as a report has in which no others were chosen. */
const DAYS = 30;

/** The figures of creatives in the last 30 days, by their numbers: those that the report by creative shows. */
export async function recentByCreative(
  db: Reader,
  site: Site,
  nowMs: number,
): Promise<ReadonlyMap<number, Figures>> {
  const to = site.calendar.dayOf(nowMs);
  const period = { from: addDays(to, 1 - DAYS), to };
  const { rows } = await comparePeriods(db, site, 'creative', period, { sort: undefined });
  return new Map(rows.map(({ key, now }) => [Number(key), now]));
}
