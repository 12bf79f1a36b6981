import type { Report } from '../../../sdk/src/index.ts';
import { formatMoney } from '../../format.ts';
import { formatNumber } from '../../words.ts';

export type ReportRow = Report['rows'][number];
export type FigureName = keyof ReportRow['figures'];

const amounts = new Set<FigureName>(['sales', 'commission', 'upline_commission']);

export function formatFigure(name: FigureName, value: number): string {
  return amounts.has(name) ? formatMoney(value) : formatNumber(value);
}

/** Whether clicks are what the rows are about: those with most clicks come first. */
export function isOfClicks(by: Report['by']): boolean {
  return by === 'campaign' || by === 'creative' || by === 'sub1';
}

/** The figures that a report shows: campaigns have no orders, clicks no country, links no levels, and most stores neither. */
export function figuresOf({ by, totals }: Report): FigureName[] {
  if (by === 'campaign') return ['clicks', 'conversions'];
  if (by === 'country') return ['orders', 'sales', 'commission'];
  const shares = totals.figures.upline_commission + totals.before.upline_commission;
  const hasShares = shares > 0 && by !== 'creative' && by !== 'sub1';
  const names: FigureName[] = ['clicks', 'conversions', 'orders', 'sales', 'commission'];
  return hasShares ? [...names, 'upline_commission'] : names;
}
