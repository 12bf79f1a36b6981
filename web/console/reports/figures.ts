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

/** The figures of a tab at a glance: what its rows are about, and the shares of levels only where people are. */
export function tilesOf(report: Report): FigureName[] {
  const { by } = report;
  const names = figuresOf(report);
  if (by === 'campaign' || by === 'country') return names;
  const chosen: FigureName[] =
    by === 'affiliate'
      ? ['orders', 'sales', 'commission', 'upline_commission']
      : by === 'coupon'
        ? ['orders', 'sales', 'commission']
        : ['clicks', 'orders', 'sales', 'commission'];
  return chosen.filter((name) => names.includes(name));
}

/** What a figure is worth as a basis of a percentage: an amount counts its orders. */
export function basisOf(name: FigureName, figures: ReportRow['figures']): number {
  return amounts.has(name) ? figures.orders : figures[name];
}

/** Whether a row has none of the figures that the report shows. */
export function isNothing(names: readonly FigureName[], { figures }: ReportRow): boolean {
  return names.every((name) => figures[name] === 0);
}
