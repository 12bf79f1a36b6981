import type { Report } from '../../../sdk/src/index.ts';
import { formatMoney } from '../../format.ts';
import { formatNumber } from '../../words.ts';

export type ReportRow = Report['rows'][number];
export type FigureName = keyof ReportRow['figures'];

const amounts = new Set<FigureName>(['sales', 'commission', 'upline_commission']);

export function formatFigure(name: FigureName, value: number): string {
  return amounts.has(name) ? formatMoney(value) : formatNumber(value);
}

/** Only clicks name a campaign and a creative. */
export function hasClicksOnly(by: Report['by']): boolean {
  return by === 'campaign' || by === 'creative';
}

/** The figures that a report shows: campaigns have no orders, clicks no country, and most stores no levels. */
export function figuresOf({ by, totals }: Report): FigureName[] {
  if (hasClicksOnly(by)) return ['clicks', 'conversions'];
  if (by === 'country') return ['orders', 'sales', 'commission'];
  const hasShares = totals.figures.upline_commission + totals.before.upline_commission > 0;
  const names: FigureName[] = ['clicks', 'conversions', 'orders', 'sales', 'commission'];
  return hasShares ? [...names, 'upline_commission'] : names;
}
