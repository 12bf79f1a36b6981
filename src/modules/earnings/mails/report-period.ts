import { addDays } from '../../../kernel/call/series.ts';
import type { Period } from '../statement/statement.ts';

export const reportIntervals = ['weekly', 'monthly', 'quarterly'] as const;
export type ReportInterval = (typeof reportIntervals)[number];

const DAYS_OF_WEEK = 7;
const MONTHS = { monthly: 1, quarterly: 3 };

/** The last week from Monday to Sunday, month or quarter that was over before this local day. */
export function lastPeriod(interval: ReportInterval, today: string): Period {
  if (interval === 'weekly') {
    const sunday = addDays(today, -(new Date(today).getUTCDay() || DAYS_OF_WEEK));
    return { from: addDays(sunday, 1 - DAYS_OF_WEEK), to: sunday };
  }
  const months = MONTHS[interval];
  const [year = 0, month = 0] = today.split('-').map(Number);
  const first = month - 1 - ((month - 1) % months);
  return { from: firstOfMonth(year, first - months), to: addDays(firstOfMonth(year, first), -1) };
}

/** @param month Counted from 0, also negative. */
function firstOfMonth(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}
